import { NudgeLabError } from '../../core/errors.ts';
import { memoryJournalEntriesMax } from '../../core/limits.ts';
import type { JournalEntry } from '../input.ts';
import type { EntryQuery, JournalStore, StoredSnapshot } from '../store.ts';

interface Kept {
  readonly entries: JournalEntry[];
  readonly snapshots: Map<string, StoredSnapshot>;
  readonly values: Map<string, string>;
}

/** Keeps journals in the process: the default, and as fast as it gets; nothing outlives the process. */
export class MemoryStore implements JournalStore {
  readonly durable = false;
  readonly #sandboxes = new Map<string, Kept>();
  readonly #entriesMax: number;

  /** Takes the number of entries that one journal may hold. */
  constructor(options: { readonly entriesMax?: number } = {}) {
    this.#entriesMax = options.entriesMax ?? memoryJournalEntriesMax;
  }

  append(sandboxId: string, entry: JournalEntry): void {
    const { entries } = this.#of(sandboxId);
    if (entries.length >= this.#entriesMax) {
      throw new NudgeLabError('journal-full', {
        message: `The journal of sandbox ${sandboxId} holds ${entries.length} entries, as many as it may.`,
      });
    }
    entries.push(entry);
  }

  flushed(): null {
    return null;
  }

  async entries(sandboxId: string, { after, limit, type }: EntryQuery): Promise<readonly JournalEntry[]> {
    const found: JournalEntry[] = [];
    const entries = this.#sandboxes.get(sandboxId)?.entries ?? [];
    for (let index = after; index < entries.length && found.length < limit; index += 1) {
      const entry = entries[index];
      if (entry !== undefined && (type === undefined || entry.input.type === type)) found.push(entry);
    }
    return found;
  }

  async sandboxIds(): Promise<readonly string[]> {
    return [...this.#sandboxes.keys()];
  }

  async remove(sandboxId: string): Promise<void> {
    this.#sandboxes.delete(sandboxId);
  }

  async snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null> {
    return this.#sandboxes.get(sandboxId)?.snapshots.get(name) ?? null;
  }

  async saveSnapshot(sandboxId: string, name: string, snapshot: StoredSnapshot): Promise<void> {
    this.#of(sandboxId).snapshots.set(name, snapshot);
  }

  async keep(sandboxId: string, name: string, value: string): Promise<void> {
    this.#of(sandboxId).values.set(name, value);
  }

  async kept(sandboxId: string, name: string): Promise<string | null> {
    return this.#sandboxes.get(sandboxId)?.values.get(name) ?? null;
  }

  async close(): Promise<void> {
    this.#sandboxes.clear();
  }

  #of(sandboxId: string): Kept {
    const known = this.#sandboxes.get(sandboxId);
    if (known !== undefined) return known;
    const kept: Kept = { entries: [], snapshots: new Map(), values: new Map() };
    this.#sandboxes.set(sandboxId, kept);
    return kept;
  }
}
