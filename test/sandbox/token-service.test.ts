import { expect, test, vi } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';

test('store-unavailable: a token is not called invalid while the keys cannot be read', async () => {
  const store = new MemoryStore();
  const sandboxes = await Sandboxes.open(store);
  await sandboxes.servedAt('http://lab.example');
  const [sandbox, other] = [await sandboxes.create('x', planSandbox({})), await sandboxes.create('y', planSandbox({}))];
  const { access_token: foreign } = await other.tokens.issue({ app: 'test', permissions: ['Policy.Read.All'] });
  const spy = vi.spyOn(store, 'kept').mockRejectedValue(new NudgeLabError('store-unavailable'));
  await expect(sandbox.tokens.verify(foreign)).rejects.toMatchObject({ code: 'store-unavailable' });
  spy.mockRestore();
  await expect(sandbox.tokens.verify(foreign)).rejects.toMatchObject({ code: 'unauthenticated' });
});
