import { isDeepStrictEqual } from 'node:util';
import { createExpectedState, type Entry, enter, shownCampaign } from './entries.ts';
import {
  dayMs,
  type ExpectedState,
  getSnoozeDays,
  hasSnoozeLeft,
  isLimited,
  isSnoozing,
  snoozesAllowed,
  stateAt,
  type Visit,
} from './expected-state.ts';
import { expireBy } from './settling.ts';

/** Problem found by the auditor, with the violated property. */
export interface Finding {
  readonly claim: string;
  readonly message: string;
}

/** Statement of an acknowledged response. */
export type Said =
  | {
      readonly of: 'signIn';
      readonly id: string;
      readonly value: { readonly id: string; readonly userId: string; readonly screen: string } & Readonly<
        Record<string, unknown>
      >;
    }
  | { readonly of: 'nudgeStatus'; readonly userId: string; readonly value: object }
  | { readonly of: 'campaign'; readonly value: object }
  /** Sign-in action that was rejected because of the current screen. */
  | { readonly of: 'refusal'; readonly id: string; readonly code: string; readonly act: string };

/** Acknowledged response: its statements, and the interval in which it was created. */
export interface Acknowledged {
  readonly said: readonly Said[];
  /** Sequence number of the last entry when the request arrived. */
  readonly fromSeq: number;
  /** Readings of the machine clock since then, in milliseconds. */
  readonly machineMs: readonly number[];
}

/** Screens on which each request is accepted, from the pages that the specification defines. */
const answeredAt: Readonly<Record<string, readonly string[]>> = {
  skip: ['prompt', 'required', 'setup', 'setupTest', 'setupName', 'expired', 'resolved', 'signedIn'],
  next: ['prompt', 'required', 'setup', 'setupTest', 'setupName', 'errorScreen', 'resolved'],
  skipError: ['errorScreen', 'resolved', 'expired'],
  fail: ['prompt', 'setup', 'setupTest', 'setupName'],
  register: ['prompt', 'setup', 'setupTest'],
  'register after next': ['setup', 'setupTest'],
  'fail after next': ['setup', 'setupTest', 'setupName'],
  goOn: ['password', 'mfa', 'externalMfa'],
};

/**
 * Compares responses to clients with the journal. Every response has to match the expected state at one sequence
 * number of the journal, not earlier than the last entry when the request arrived. That entry may never be lost
 * afterwards. The auditor stores the first finding.
 */
export class Auditor {
  finding: Finding | null = null;
  readonly #expected: ExpectedState[] = [];
  readonly #entries: string[] = [];
  /** Last sequence number that has been revealed to a client. */
  #revealedSeq = 0;
  /** Number of client requests, and of journal entries, by the key of the entry that a request may record. */
  readonly #requested = new Map<string, number>();
  readonly #entered = new Map<string, number>();
  /** Highest reading of the machine clock, in milliseconds, since the clock was set or the process started. */
  #highMs = Number.NEGATIVE_INFINITY;

  /** Sequence number of the last entry. */
  get lastSeq(): number {
    return this.#entries.length;
  }

  /** Records a client request that may add one entry with this key. */
  ask(key: string): void {
    this.#requested.set(key, (this.#requested.get(key) ?? 0) + 1);
  }

  /** Adds one journal entry. */
  enter(entry: Entry): void {
    const before = this.#expected.at(-1);
    if (entry.seq !== this.#entries.length + 1)
      this.#complain('gapless', `Entry ${entry.seq} follows ${this.lastSeq}.`);
    if (before !== undefined) {
      this.#checkTime(before, entry);
      const key = toKey(entry);
      const entered = (this.#entered.get(key) ?? 0) + 1;
      this.#entered.set(key, entered);
      const requested = this.#requested.get(key) ?? 0;
      if (entered > requested)
        this.#complain('once', `${key} was asked for ${requested} times and recorded ${entered} times.`);
    }
    try {
      this.#expected.push(
        before === undefined ? createExpectedState(entry) : enter(before, entry, (seq) => this.#expected[seq - 1]),
      );
    } catch (error) {
      this.#complain('readable', String(error));
      this.#expected.push(before ?? createExpectedState(entry));
    }
    this.#entries.push(JSON.stringify(entry));
    if (changesClock(entry)) this.#highMs = Number.NEGATIVE_INFINITY;
  }

  /** Compares a response that a client received. */
  hear({ said, fromSeq, machineMs }: Acknowledged): void {
    for (const ms of machineMs) this.#highMs = Math.max(this.#highMs, ms);
    let from = fromSeq;
    for (const one of said) {
      const at = this.#findExplanation(one, from, machineMs);
      if (at === null) return;
      from = at;
    }
    this.#revealedSeq = Math.max(this.#revealedSeq, from);
  }

  /** Records that entries up to this one were read by or sent to a client. */
  tell(entry: Entry): void {
    if (this.#entries[entry.seq - 1] !== JSON.stringify(entry))
      this.#complain('stream', `Entry ${entry.seq} was sent otherwise than it was recorded.`);
    this.#revealedSeq = Math.max(this.#revealedSeq, entry.seq);
  }

  /**
   * Compares the journal that a new process has read. It may lack only entries that were not revealed to any client.
   */
  reopen(entries: readonly Entry[], mayLose: boolean): void {
    const kept = mayLose ? this.#revealedSeq : this.lastSeq;
    if (entries.length < kept)
      this.#complain('nothing lost', `${kept} entries were acknowledged, ${entries.length} are left.`);
    if (entries.length > this.lastSeq)
      this.#complain('once', `${this.lastSeq} entries were recorded, ${entries.length} are there.`);
    for (const [index, entry] of entries.entries()) {
      if (this.#entries[index] === JSON.stringify(entry)) continue;
      this.#complain('nothing changed', `Entry ${index + 1} was ${this.#entries[index]}, is ${JSON.stringify(entry)}.`);
      break;
    }
    for (const lost of this.#entries.splice(entries.length)) {
      const key = toKey(JSON.parse(lost) as Entry);
      this.#entered.set(key, (this.#entered.get(key) ?? 0) - 1);
    }
    this.#expected.splice(entries.length);
    this.#revealedSeq = this.lastSeq;
    this.#highMs = Number.NEGATIVE_INFINITY;
  }

  /** Reports a finding that does not depend on the expected state. */
  object(claim: string, message: string): void {
    this.#complain(claim, message);
  }

  #complain(claim: string, message: string): void {
    this.finding ??= { claim, message };
  }

  /** Checks that virtual time never decreases, except when a client sets the clock. */
  #checkTime(before: ExpectedState, { seq, atMs, event }: Entry): void {
    const { clock } = before;
    // A restore takes the time of the restored state.
    if (event.type === 'state.restored') return;
    if (clock.running ? atMs >= before.atMs || wasSet(this.#entries.at(-1)) : atMs === clock.nowMs) return;
    this.#complain('time', `Entry ${seq} is of ${atMs}; the clock before it was ${JSON.stringify(clock)}.`);
  }

  #findExplanation(said: Said, fromSeq: number, machineMs: readonly number[]): number | null {
    let answer: object = {};
    for (let seq = fromSeq; seq <= this.lastSeq; seq += 1) {
      const expected = this.#expected[seq - 1];
      if (expected === undefined) continue;
      for (const nowMs of this.#listTimes(expected, machineMs)) {
        const then = expireBy(expected, nowMs);
        if (said.of === 'refusal') {
          if (isRefused(then.visits.get(said.id), said)) return seq;
          answer = { screen: then.visits.get(said.id)?.screen };
          continue;
        }
        answer = getExpected(then, said, nowMs);
        if (isDeepStrictEqual(answer, said.value)) return seq;
      }
    }
    this.#complain(
      said.of === 'refusal' ? 'refused for a reason' : `the answer is in the journal: ${said.of}`,
      `Told ${JSON.stringify(said)}; the journal says ${JSON.stringify(answer)} at ${this.lastSeq}, from ${fromSeq} on.`,
    );
    return null;
  }

  /** Lists possible clock readings: from the machine clock, or its highest reading if it went back. */
  #listTimes({ seq, clock, atMs }: ExpectedState, machineMs: readonly number[]): readonly number[] {
    if (!clock.running) return [clock.nowMs];
    // A clock that was set continues from its new time, even if that is earlier than the time at which it was set.
    const fromMs = wasSet(this.#entries[seq - 1]) ? Number.NEGATIVE_INFINITY : atMs;
    const times = [...machineMs, this.#highMs].map((ms) => Math.max(fromMs, ms + clock.offsetMs));
    return [...new Set(times)];
  }
}

/** Returns the event and its subject as a key, to compare the number of entries with the number of requests. */
function toKey({ event }: Entry): string {
  return `${event.type} ${event.type === 'signIn.started' ? event.userId : (event.signInId ?? event.userId ?? '')}`;
}

function changesClock({ event }: Entry): boolean {
  return event.type === 'clock.set' || event.type === 'state.restored';
}

function wasSet(text: string | undefined): boolean {
  return text !== undefined && changesClock(JSON.parse(text) as Entry);
}

function isRefused(visit: Visit | undefined, { code, act }: Extract<Said, { of: 'refusal' }>): boolean {
  if (visit === undefined) return code === 'sign-in-not-found';
  if (code === 'prompt-expired') return visit.screen === 'expired';
  if (code === 'skip-not-allowed') return visit.screen === 'required' || (visit.screen === 'expired' && visit.stuck);
  return code === 'unexpected-screen' && answeredAt[act]?.includes(visit.screen) === false;
}

function getExpected(expected: ExpectedState, said: Exclude<Said, { of: 'refusal' }>, nowMs: number): object {
  if (said.of === 'campaign') return shownCampaign(expected.tenant.campaign);
  const { tenant } = expected;
  const left = (count: number) => (isLimited(tenant) ? Math.max(0, snoozesAllowed - count) : null);
  if (said.of === 'signIn') {
    const visit = expected.visits.get(said.id);
    const person = expected.people.get(visit?.userId ?? '');
    if (visit === undefined || person === undefined) return {};
    const { id, userId, screen, outcome, method } = visit;
    const isPrompted = outcome !== null && outcome !== 'none';
    const skippable = isPrompted && hasSnoozeLeft(person, tenant);
    return { id, userId, screen, outcome, method, skippable, snoozesLeft: left(person.count) };
  }
  const person = expected.people.get(said.userId);
  if (person === undefined) return {};
  const { count, snoozedAtMs, prompts } = person;
  return {
    state: stateAt(person, tenant, nowMs),
    snoozes: count,
    snoozesLeft: left(count),
    snoozedAt: formatInstant(snoozedAtMs),
    nextPromptAt: formatInstant(
      snoozedAtMs !== null && isSnoozing(person, tenant, nowMs) ? snoozedAtMs + getSnoozeDays(tenant) * dayMs : null,
    ),
    openPrompts: prompts.map(({ id, leftAtMs }) => ({ id, unloadedAt: formatInstant(leftAtMs) })),
  };
}

function formatInstant(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
