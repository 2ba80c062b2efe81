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

/** What is wrong, by the claim that it breaks. */
export interface Finding {
  readonly claim: string;
  readonly message: string;
}

/** One thing that an acknowledged answer said. */
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
  /** A sign-in that is refused because of the screen it stands at. */
  | { readonly of: 'refusal'; readonly id: string; readonly code: string; readonly act: string };

/** An acknowledged answer: what it said, and between which moments it was made. */
export interface Acknowledged {
  readonly said: readonly Said[];
  /** The place of the last entry when the request arrived. */
  readonly fromSeq: number;
  /** What the machine's clock showed from then on, in ms. */
  readonly machineMs: readonly number[];
}

/** Screens at which a request is not refused, from the pages that the specification gives each. */
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
 * Compares what clients were told with the journal. Every answer has to be explained by the expected at one place of the journal,
 * not earlier than the last entry when the request arrived; from then on that place may never be lost. It keeps the first
 * finding.
 */
export class Auditor {
  finding: Finding | null = null;
  readonly #expected: ExpectedState[] = [];
  readonly #entries: string[] = [];
  /** The last place that some client was told of. */
  #toldSeq = 0;
  /** How often clients have asked for what entries of a kind say, and how many such entries there are. */
  readonly #asked = new Map<string, number>();
  readonly #entered = new Map<string, number>();
  /** The highest time of the machine since the clock was set or the process began, in ms. */
  #highMs = Number.NEGATIVE_INFINITY;

  /** The place of the last entry. */
  get lastSeq(): number {
    return this.#entries.length;
  }

  /** Notes that a client asks for something which an entry of this key may record, once. */
  ask(key: string): void {
    this.#asked.set(key, (this.#asked.get(key) ?? 0) + 1);
  }

  /** Reads one more entry of the journal. */
  enter(entry: Entry): void {
    const before = this.#expected.at(-1);
    if (entry.seq !== this.#entries.length + 1)
      this.#complain('gapless', `Entry ${entry.seq} follows ${this.lastSeq}.`);
    if (before !== undefined) {
      this.#checkTime(before, entry);
      const key = keyOf(entry);
      const entered = (this.#entered.get(key) ?? 0) + 1;
      this.#entered.set(key, entered);
      const asked = this.#asked.get(key) ?? 0;
      if (entered > asked) this.#complain('once', `${key} was asked for ${asked} times and recorded ${entered} times.`);
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

  /** Compares an answer that a client was given. */
  hear({ said, fromSeq, machineMs }: Acknowledged): void {
    for (const ms of machineMs) this.#highMs = Math.max(this.#highMs, ms);
    let from = fromSeq;
    for (const one of said) {
      const at = this.#explanationOf(one, from, machineMs);
      if (at === null) return;
      from = at;
    }
    this.#toldSeq = Math.max(this.#toldSeq, from);
  }

  /** Notes that entries up to a place were read or sent to a client. */
  tell(entry: Entry): void {
    if (this.#entries[entry.seq - 1] !== JSON.stringify(entry))
      this.#complain('stream', `Entry ${entry.seq} was sent otherwise than it was recorded.`);
    this.#toldSeq = Math.max(this.#toldSeq, entry.seq);
  }

  /** Compares the journal that a new process found. It may have lost what no one was told of, and nothing else. */
  reopen(entries: readonly Entry[], mayLose: boolean): void {
    const kept = mayLose ? this.#toldSeq : this.lastSeq;
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
      const key = keyOf(JSON.parse(lost) as Entry);
      this.#entered.set(key, (this.#entered.get(key) ?? 0) - 1);
    }
    this.#expected.splice(entries.length);
    this.#toldSeq = this.lastSeq;
    this.#highMs = Number.NEGATIVE_INFINITY;
  }

  /** Complains of something that needs no expected. */
  object(claim: string, message: string): void {
    this.#complain(claim, message);
  }

  #complain(claim: string, message: string): void {
    this.finding ??= { claim, message };
  }

  /** Virtual time goes on, and only who sets a clock takes it back. */
  #checkTime(before: ExpectedState, { seq, atMs, event }: Entry): void {
    const { clock } = before;
    // What restores a state is of the time that it goes back to.
    if (event.type === 'state.restored') return;
    if (clock.running ? atMs >= before.atMs || wasSet(this.#entries.at(-1)) : atMs === clock.nowMs) return;
    this.#complain('time', `Entry ${seq} is of ${atMs}; the clock before it was ${JSON.stringify(clock)}.`);
  }

  #explanationOf(said: Said, fromSeq: number, machineMs: readonly number[]): number | null {
    let answer: object = {};
    for (let seq = fromSeq; seq <= this.lastSeq; seq += 1) {
      const expected = this.#expected[seq - 1];
      if (expected === undefined) continue;
      for (const nowMs of this.#timesOf(expected, machineMs)) {
        const then = expireBy(expected, nowMs);
        if (said.of === 'refusal') {
          if (isRefused(then.visits.get(said.id), said)) return seq;
          answer = { screen: then.visits.get(said.id)?.screen };
          continue;
        }
        answer = expectedOf(then, said, nowMs);
        if (isDeepStrictEqual(answer, said.value)) return seq;
      }
    }
    this.#complain(
      said.of === 'refusal' ? 'refused for a reason' : `the answer is in the journal: ${said.of}`,
      `Told ${JSON.stringify(said)}; the journal says ${JSON.stringify(answer)} at ${this.lastSeq}, from ${fromSeq} on.`,
    );
    return null;
  }

  /** What the clock may have shown: as the machine's showed, or the highest that was seen where that one went back. */
  #timesOf({ seq, clock, atMs }: ExpectedState, machineMs: readonly number[]): readonly number[] {
    if (!clock.running) return [clock.nowMs];
    // A clock that was set goes on from where it was set to, also before the time at which that was done.
    const fromMs = wasSet(this.#entries[seq - 1]) ? Number.NEGATIVE_INFINITY : atMs;
    const times = [...machineMs, this.#highMs].map((ms) => Math.max(fromMs, ms + clock.offsetMs));
    return [...new Set(times)];
  }
}

/** What an entry records, and of whom: so often it may have been asked for. */
function keyOf({ event }: Entry): string {
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

function expectedOf(expected: ExpectedState, said: Exclude<Said, { of: 'refusal' }>, nowMs: number): object {
  if (said.of === 'campaign') return shownCampaign(expected.tenant.campaign);
  const { tenant } = expected;
  const left = (count: number) => (isLimited(tenant) ? Math.max(0, snoozesAllowed - count) : null);
  if (said.of === 'signIn') {
    const visit = expected.visits.get(said.id);
    const person = expected.people.get(visit?.userId ?? '');
    if (visit === undefined || person === undefined) return {};
    const { id, userId, screen, outcome, method } = visit;
    const asked = outcome !== null && outcome !== 'none';
    const skippable = asked && hasSnoozeLeft(person, tenant);
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
