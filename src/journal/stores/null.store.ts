import { MemoryStore } from './memory.store.ts';

/** A store that takes everything and keeps nothing: for sandboxes whose journal no one will read. */
export class NullStore extends MemoryStore {
  override admit(): void {
    // There is always room for what is not kept.
  }

  override append(): void {
    // Nothing is kept.
  }
}
