import { NudgeLabError } from '../../core/errors.ts';
import { memoryJournalEntriesMax } from '../../core/limits.ts';
import type { JournalEntry } from '../journal-event.ts';
import type { EntryQuery, JournalStore, SnapshotPlace, StoredSnapshot } from '../store.ts';
import { checkSequence, journalFull, sandboxNotFound } from './journal-store-errors.ts';

interface Kept {
  readonly entries: JournalEntry[];
  readonly snapshots: Map<string, StoredSnapshot>;
  readonly values: Map<string, string>;
}

/** In-memory journal store: the default and the fastest store, whose data ends with the process. */
export class MemoryStore implements JournalStore {
  readonly durable = false;
  readonly #sandboxes = new Map<string, Kept>();
  readonly #entriesMax: number;

  /** Creates a store with a limit of entries per journal. */
  constructor(options: { readonly entriesMax?: number } = {}) {
    this.#entriesMax = options.entriesMax ?? memoryJournalEntriesMax;
  }

  admit(sandboxId: string): void {
    const { entries } = this.#of(sandboxId);
    if (entries.length >= this.#entriesMax) throw journalFull(sandboxId, entries.length);
  }

  append(sandboxId: string, entry: JournalEntry): void {
    if (entry.seq === 1 && !this.#sandboxes.has(sandboxId)) this.#begin(sandboxId);
    this.admit(sandboxId);
    const { entries } = this.#of(sandboxId);
    checkSequence(sandboxId, entries.length, entry);
    entries.push(entry);
  }

  flushed(): null {
    return null;
  }

  async entries(sandboxId: string, { after, limit, type }: EntryQuery): Promise<readonly JournalEntry[]> {
    const entries = this.#sandboxes.get(sandboxId)?.entries ?? [];
    if (type === undefined) return entries.slice(after, after + limit);
    const found: JournalEntry[] = [];
    for (let index = after; index < entries.length && found.length < limit; index += 1) {
      const entry = entries[index];
      if (entry?.event.type === type) found.push(entry);
    }
    return found;
  }

  async lastSeq(sandboxId: string): Promise<number> {
    return this.#sandboxes.get(sandboxId)?.entries.length ?? 0;
  }

  async sandboxIds(): Promise<readonly string[]> {
    return [...this.#sandboxes.keys()];
  }

  async fork(sandboxId: string, forkId: string, lastSeq: number): Promise<void> {
    const { entries, snapshots } = this.#of(sandboxId);
    const fork = this.#begin(forkId);
    for (const entry of entries.slice(0, lastSeq)) fork.entries.push(entry);
    for (const [name, snapshot] of snapshots) {
      if (snapshot.seq <= lastSeq) fork.snapshots.set(name, snapshot);
    }
  }

  async remove(sandboxId: string): Promise<void> {
    this.#sandboxes.delete(sandboxId);
  }

  async snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null> {
    return this.#sandboxes.get(sandboxId)?.snapshots.get(name) ?? null;
  }

  async snapshots(sandboxId: string): Promise<readonly SnapshotPlace[]> {
    const snapshots = this.#sandboxes.get(sandboxId)?.snapshots.values() ?? [];
    return Array.from(snapshots, ({ state: _text, ...place }) => place).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async saveSnapshot(sandboxId: string, snapshot: StoredSnapshot): Promise<void> {
    this.#of(sandboxId).snapshots.set(snapshot.name, snapshot);
  }

  async keep(sandboxId: string, name: string, value: string): Promise<void> {
    this.#of(sandboxId).values.set(name, value);
  }

  async kept(sandboxId: string, name: string): Promise<string | null> {
    return this.#sandboxes.get(sandboxId)?.values.get(name) ?? null;
  }

  async keptUnder(sandboxId: string, beginning: string): Promise<ReadonlyMap<string, string>> {
    const values = this.#sandboxes.get(sandboxId)?.values ?? [];
    return new Map([...values].filter(([name]) => name.startsWith(beginning)));
  }

  async discard(sandboxId: string, name: string): Promise<void> {
    this.#sandboxes.get(sandboxId)?.values.delete(name);
  }

  async close(): Promise<void> {
    this.#sandboxes.clear();
  }

  #of(sandboxId: string): Kept {
    const kept = this.#sandboxes.get(sandboxId);
    if (kept === undefined) throw sandboxNotFound(sandboxId);
    return kept;
  }

  #begin(sandboxId: string): Kept {
    if (this.#sandboxes.has(sandboxId)) throw new NudgeLabError('sandbox-exists');
    const kept: Kept = { entries: [], snapshots: new Map(), values: new Map() };
    this.#sandboxes.set(sandboxId, kept);
    return kept;
  }
}
