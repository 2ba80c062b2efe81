import { NudgeLabError } from '../../../core/errors.ts';
import { applyEvent, begin } from '../../../journal/apply-event.ts';
import { readHistory } from '../../../journal/history.ts';
import type { JournalEntry } from '../../../journal/journal-event.ts';
import type { SandboxModel } from '../../../journal/sandbox-model.ts';
import type { LogObserver, SandboxState, SignInRecord } from '../../../journal/state.ts';
import { restoresUpTo } from '../../../journal/stored-state.ts';
import type { Recorder } from '../../recorder.ts';
import { AuditRecords } from './audit-records.ts';
import { createRowIds } from './row-ids.ts';
import { SignInRecords } from './sign-in-records.ts';
import { listSignInIds } from './sign-in-rows.ts';
import { type CreatedState, SyntheticSignIns } from './synthetic-sign-ins.ts';

/** Number of journal entries per read. */
const pageEntries = 5_000;

/** Records of both logs, which follow from the entries that were applied. */
export class LogIndex implements LogObserver {
  readonly signIns = new SignInRecords();
  readonly audits = new AuditRecords();
  /** Rows of both logs by their ids in each form. */
  readonly signInIds = createRowIds(this.signIns.records, (index, wireIds) =>
    listSignInIds(this.signIns.read(index, 0), wireIds),
  );
  readonly auditIds = createRowIds(this.audits.records, (index, wireIds) => [
    wireIds.compute('audit', this.audits.read(index).id),
  ]);
  /** Synthetic sign-ins, or `null` if there are none. */
  syntheticSignIns: SyntheticSignIns | null = null;
  #seq = 0;

  /** Notes the state of the new sandbox. */
  begin(created: CreatedState): void {
    this.syntheticSignIns = SyntheticSignIns.create(created);
  }

  before(state: SandboxState, entry: JournalEntry): void {
    this.#seq = entry.seq;
    this.audits.add(state, entry);
    const { event } = entry;
    if (event.type === 'tokens.refreshed') this.signIns.addRefresh(state, event, entry);
  }

  evaluated(state: SandboxState, signIn: SignInRecord): void {
    this.signIns.add(state, signIn, this.#seq);
  }

  moved(_state: SandboxState, signIn: SignInRecord): void {
    this.signIns.move(signIn, this.#seq);
  }
}

/**
 * Sign-in log and audit log of a sandbox. The first request reads the journal once; from then on, the records follow
 * the events as they are applied. Nothing is stored, because the journal determines the records.
 */
export class ActivityLog {
  readonly #recorder: Recorder;
  #building: Promise<LogIndex> | null = null;
  #attached: { readonly state: SandboxState; readonly index: LogIndex } | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Returns the records of all entries so far. Throws `store-corrupt` for an incomplete journal, and the errors of the
   * recorder.
   */
  async read(): Promise<LogIndex> {
    const state = this.#recorder.state();
    if (this.#attached?.state === state) return this.#attached.index;
    this.#building ??= this.#build().finally(() => {
      this.#building = null;
    });
    return this.#building;
  }

  async #build(): Promise<LogIndex> {
    for (;;) {
      const index = await this.#readOnce();
      if (index !== null) return index;
    }
  }

  /** Reads the journal. Returns `null` if the sandbox was restored to an earlier state in the meantime. */
  async #readOnce(): Promise<LogIndex | null> {
    const { store, sandboxId } = this.#recorder;
    const live = this.#recorder.state();
    const index = new LogIndex();
    const history = readHistory(live.lastSeq, await restoresUpTo(store, sandboxId, live.lastSeq));
    let state: SandboxState | null = null;
    for (const [place, { from, to }] of history.entries()) {
      // The last range grows while it is read.
      const getEnd = () => (place === history.length - 1 ? live.lastSeq : to);
      for (let after = from - 1; after < getEnd(); ) {
        const limit = Math.min(pageEntries, getEnd() - after);
        const page: readonly JournalEntry[] = await store.entries(sandboxId, { after, limit });
        if (this.#recorder.state() !== live) return null;
        state = applyPage(page, state, { index, model: live.model });
        after = page.at(-1)?.seq ?? failIncomplete(sandboxId, after);
      }
    }
    live.logObserver = index;
    this.#attached = { state: live, index };
    return index;
  }
}

/** Applies entries to a state, or to that of the first entry, and records what the logs contain. */
function applyPage(
  entries: readonly JournalEntry[],
  from: SandboxState | null,
  { index, model }: { readonly index: LogIndex; readonly model: SandboxModel },
): SandboxState | null {
  let state = from;
  for (const entry of entries) {
    if (state !== null) applyEvent(state, entry);
    else {
      state = begin(entry, model);
      state.logObserver = index;
      index.begin(state);
    }
  }
  return state;
}

function failIncomplete(sandboxId: string, after: number): never {
  throw new NudgeLabError('store-corrupt', { message: `Entry ${after + 1} of sandbox ${sandboxId} is missing.` });
}
