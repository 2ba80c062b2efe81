import type { JournalEntry } from '../../src/journal/journal-event.ts';
import type { EntryQuery, JournalStore, SnapshotPlace, StoredSnapshot } from '../../src/journal/store.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

/** Change of the store, written as one line to the disk. */
type Change =
  | { readonly do: 'append'; readonly id: string; readonly entry: JournalEntry }
  | { readonly do: 'fork'; readonly id: string; readonly forkId: string; readonly lastSeq: number }
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'snapshot'; readonly id: string; readonly snapshot: StoredSnapshot }
  | { readonly do: 'keep'; readonly id: string; readonly name: string; readonly value: string }
  | { readonly do: 'discard'; readonly id: string; readonly name: string };

/** Durable store on a simulated disk. It is a log of changes that is read from the start when it is opened. */
export class DiskStore implements JournalStore {
  readonly durable = true;
  readonly #disk: SimulatedDisk;
  readonly #held: MemoryStore;

  private constructor(disk: SimulatedDisk, inner: MemoryStore) {
    this.#disk = disk;
    this.#held = inner;
  }

  /** Opens the store on a disk. An empty disk is an empty store. */
  static async open(disk: SimulatedDisk): Promise<DiskStore> {
    const held = new MemoryStore();
    for (const line of disk.lines()) await apply(held, JSON.parse(line) as Change);
    return new DiskStore(disk, held);
  }

  admit(sandboxId: string): void {
    this.#disk.refuseFailed();
    this.#held.admit(sandboxId);
  }

  append(sandboxId: string, entry: JournalEntry): void {
    this.#disk.refuseFailed();
    this.#held.append(sandboxId, entry);
    this.#disk.write(JSON.stringify({ do: 'append', id: sandboxId, entry } satisfies Change));
  }

  flushed(): Promise<void> | null {
    return this.#disk.flushed();
  }

  entries(sandboxId: string, query: EntryQuery): Promise<readonly JournalEntry[]> {
    return this.#held.entries(sandboxId, query);
  }

  lastSeq(sandboxId: string): Promise<number> {
    return this.#held.lastSeq(sandboxId);
  }

  sandboxIds(): Promise<readonly string[]> {
    return this.#held.sandboxIds();
  }

  fork(id: string, forkId: string, lastSeq: number): Promise<void> {
    return this.#change({ do: 'fork', id, forkId, lastSeq });
  }

  remove(id: string): Promise<void> {
    return this.#change({ do: 'remove', id });
  }

  snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null> {
    return this.#held.snapshot(sandboxId, name);
  }

  snapshots(sandboxId: string): Promise<readonly SnapshotPlace[]> {
    return this.#held.snapshots(sandboxId);
  }

  saveSnapshot(id: string, snapshot: StoredSnapshot): Promise<void> {
    return this.#change({ do: 'snapshot', id, snapshot });
  }

  keep(id: string, name: string, value: string): Promise<void> {
    return this.#change({ do: 'keep', id, name, value });
  }

  kept(sandboxId: string, name: string): Promise<string | null> {
    return this.#held.kept(sandboxId, name);
  }

  keptUnder(sandboxId: string, beginning: string): Promise<ReadonlyMap<string, string>> {
    return this.#held.keptUnder(sandboxId, beginning);
  }

  discard(id: string, name: string): Promise<void> {
    return this.#change({ do: 'discard', id, name });
  }

  async close(): Promise<void> {
    await this.#disk.flushed();
  }

  async #change(change: Change): Promise<void> {
    this.#disk.refuseFailed();
    await apply(this.#held, change);
    this.#disk.write(JSON.stringify(change));
    await this.#disk.flushed();
  }
}

async function apply(inner: MemoryStore, change: Change): Promise<void> {
  switch (change.do) {
    case 'append':
      inner.append(change.id, change.entry);
      return;
    case 'fork':
      return inner.fork(change.id, change.forkId, change.lastSeq);
    case 'remove':
      return inner.remove(change.id);
    case 'snapshot':
      return inner.saveSnapshot(change.id, change.snapshot);
    case 'keep':
      return inner.keep(change.id, change.name, change.value);
    case 'discard':
      return inner.discard(change.id, change.name);
  }
}
