import type { JournalEntry } from '../../../journal/journal-event.ts';
import type { SandboxState } from '../../../journal/state.ts';
import { type AuditChange, listAuditChanges } from './audit-changes.ts';
import { LogRecords } from './log-records.ts';

/** Change in the audit log, with its id and its time. */
export interface LoggedChange extends AuditChange {
  readonly id: string;
  readonly seq: number;
  readonly atMs: number;
}

/** Entry, time, number of the change within the entry, and the change. */
type AuditText = readonly [number, number, number, AuditChange];

/** Changes of a sandbox in the order of the journal. */
export class AuditRecords {
  readonly records = new LogRecords();

  /** Returns the time of a record in milliseconds. */
  readonly getTime = (index: number): number => (JSON.parse(this.records.read(index)) as AuditText)[1];

  /** Adds the changes of an entry. `state` is the state before it. */
  add(state: SandboxState, entry: JournalEntry): void {
    const { seq, atMs } = entry;
    for (const [place, change] of listAuditChanges(state, entry).entries()) {
      const record: AuditText = [seq, atMs, place, change];
      this.records.append(atMs, JSON.stringify(record));
    }
  }

  /** Returns a change. */
  read(index: number): LoggedChange {
    const [seq, atMs, place, change] = JSON.parse(this.records.read(index)) as AuditText;
    return { id: place === 0 ? `a${seq}` : `a${seq}-${place}`, seq, atMs, ...change };
  }

  /** Returns the number of records up to an entry. */
  countUpTo(seq: number): number {
    let [low, high] = [0, this.records.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((JSON.parse(this.records.read(middle)) as AuditText)[0] > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
