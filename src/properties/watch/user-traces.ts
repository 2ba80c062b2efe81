import { nudgeQuotient } from '../../../machines/nudge-quotient.ts';
import type { EffectiveCampaign, NudgeState } from '../../../machines/vocabulary.ts';
import {
  type JournalEntry,
  type NudgeSnapshot,
  type ObservedMoment,
  type ReplayObserver,
  rebuildStateWithObserver,
} from '../../sandbox/observed-journal.ts';
import type { FactScalar } from '../language/formula.ts';
import { lifecycleFacts } from '../models/lifecycle-facts.ts';
import type { TracePosition } from './evaluate-trace.ts';

/** Events of positions without a step of the user. */
const timePassed = { type: 'time.passed' } as const;
const settingsUpdated = { type: 'settings.updated' } as const;

/** Facts that a journal determines: all facts of the lifecycle except the class of the user. */
const journalFacts = lifecycleFacts.filter(({ name }) => name !== 'user');

/** Names of the facts that watched properties can use. */
export const watchedFacts: ReadonlySet<string> = new Set(journalFacts.map(({ name }) => name));

interface Moment {
  readonly atMs: number;
  /** `null` at the start. */
  readonly event: { readonly type: string } | null;
  readonly nudge: NudgeSnapshot;
  readonly campaign: EffectiveCampaign;
}

/**
 * Collects the path of each user's lifecycle. A path starts with the first step of its user. Between two steps at
 * different times, a position at the later time shows what the passage of time alone changes. A path ends where it leaves
 * the model of the properties: when a second prompt opens beside the first one, and when the ruleset in force has
 * requirements of its own.
 */
export class UserTraces implements ReplayObserver {
  readonly #users = new Map<string, UserTrace>();

  /** Collects the paths of a whole journal. Throws the errors of its replay. */
  static read(entries: readonly JournalEntry[]): UserTraces {
    const traces = new UserTraces();
    rebuildStateWithObserver(entries, traces);
    return traces;
  }

  /** Returns the users with their positions. */
  entries(): readonly (readonly [string, readonly TracePosition[]])[] {
    return [...this.#users].map(([userId, { positions }]) => [userId, positions]);
  }

  evaluated(): void {
    // Properties speak about lifecycles only.
  }

  moved(
    before: NudgeSnapshot,
    event: { readonly type: string },
    after: NudgeSnapshot,
    moment: ObservedMoment & { readonly userId: string },
  ): void {
    const { userId, atMs, campaign } = moment;
    const trace = this.#users.get(userId) ?? new UserTrace({ atMs, event: null, nudge: before, campaign });
    this.#users.set(userId, trace);
    trace.pass(moment);
    trace.add({ atMs, event, nudge: after, campaign });
  }

  entered(moment: ObservedMoment): void {
    for (const trace of this.#users.values()) trace.pass(moment);
  }
}

class UserTrace {
  readonly positions: TracePosition[] = [];
  #last: Moment;
  #hasEnded = false;

  constructor(start: Moment) {
    this.#last = start;
    this.add(start);
  }

  /** Adds what happened since the last position without a step of the user: time passed, and the policy changed. */
  pass({ atMs: toMs, campaign, hasRequirements }: ObservedMoment): void {
    this.#hasEnded ||= hasRequirements;
    const { nudge, atMs: fromMs, campaign: before } = this.#last;
    const atMs = Math.max(toMs, fromMs);
    if (atMs > fromMs) this.add({ atMs, event: timePassed, nudge, campaign: before }, true);
    if (!isSame(campaign, before)) this.add({ atMs, event: settingsUpdated, nudge, campaign });
  }

  add(moment: Moment, time = false): void {
    this.#hasEnded ||= moment.nudge.context.openPrompts.length > 1;
    if (this.#hasEnded) return;
    const last = { ...moment, atMs: Math.max(moment.atMs, this.#last.atMs) };
    const { event, atMs } = last;
    this.positions.push({
      atMs,
      step: event === null ? null : { action: event.type, events: [event] },
      taken: event !== null,
      time,
      before: this.positions.at(-1)?.after ?? null,
      after: readFacts(last),
    });
    this.#last = last;
  }
}

function readFacts({ nudge, campaign, atMs }: Moment): (fact: string) => FactScalar {
  const quotient = nudgeQuotient(nudge.value as NudgeState, nudge.context, atMs);
  const values = new Map(journalFacts.map(({ name, value }) => [name, value([quotient, campaign])]));
  return (fact) => values.get(fact) ?? null;
}

function isSame(a: EffectiveCampaign, b: EffectiveCampaign): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
