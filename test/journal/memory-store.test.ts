import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { storeConformance } from './store-conformance.ts';
import { entryAt } from './stored-samples.ts';

describe('MemoryStore', () => {
  storeConformance((options) => new MemoryStore(options));

  test('no entry is ever pending, because the store does not outlive the process', () => {
    const store = new MemoryStore();
    store.append('a', entryAt(1));
    expect(store.flushed()).toBeNull();
    expect(store.durable).toBe(false);
  });
});
