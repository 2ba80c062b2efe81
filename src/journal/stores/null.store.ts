import { MemoryStore } from './memory.store.ts';

/** Store that accepts all entries and stores none, for sandboxes whose journals are never read. */
export class NullStore extends MemoryStore {
  override admit(): void {
    // Entries that are not stored never reach a limit.
  }

  override append(): void {
    // Entries are not stored.
  }
}
