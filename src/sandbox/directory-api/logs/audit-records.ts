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

/** Number of the change within its entry, and the change. */
type AuditText = readonly [number, AuditChange];

/** Changes of a sandbox in the order of the journal. */
export class AuditRecords {
  readonly records = new LogRecords();

  /** Adds the changes of an entry. `state` is the state before it. */
  add(state: SandboxState, entry: JournalEntry): void {
    const { seq, atMs } = entry;
    for (const [place, change] of listAuditChanges(state, entry).entries()) {
      const record: AuditText = [place, change];
      this.records.append({ atMs, seq, text: JSON.stringify(record) });
    }
  }

  /** Returns a change. */
  read(index: number): LoggedChange {
    const [place, change] = JSON.parse(this.records.read(index)) as AuditText;
    const [seq, atMs] = [this.records.getSeq(index), this.records.getTime(index)];
    return { id: place === 0 ? `a${seq}` : `a${seq}-${place}`, seq, atMs, ...change };
  }
}
