import { OwnCampaign } from '../../../machines/own/own-campaign.ts';
import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { copyOwnState, getOwnUser } from '../../../machines/own/own-state.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import { silentKinds } from '../model/campaign-model.ts';
import { noFacts, type UserEvent } from '../model/log-event.ts';
import { isAction } from '../model/user-steps.ts';
import { plainVariant } from '../model/verdict-table.ts';
import type { LogFacts } from './log-facts.ts';
import { divide, type Interval } from './open-past.ts';
import { limitCount, reduceOpen } from './open-set.ts';
import { OpenSteps } from './open-steps.ts';
import { type OwnHypothesis, type OwnRejection, OwnSteps, ownLogUser } from './own-steps.ts';
import { listCompleted } from './unknown-facts.ts';

/** What a log hides. */
export interface OwnModelOptions {
  readonly unobserved: readonly LogEventKind[];
  readonly missing: number;
  /** `true` if the log states counts. */
  readonly exactCounts: boolean;
}

/** Maximum number of silent steps between two events of a user that are considered. */
const silentStepsMax = 8;

/** Number of states of a user above which they are joined. */
const statesMax = 64;

/** Steps of one user under an own ruleset over sets of states. */
export class OwnLogModel {
  readonly ruleset: OwnRuleset;
  readonly #steps: OwnSteps;
  readonly #open: OpenSteps;
  readonly #missing: number;
  /** Kinds that can happen without an event; coming back and "Next" are part of the actions after them. */
  readonly #hidden: readonly LogEventKind[];

  constructor(ruleset: OwnRuleset, facts: LogFacts, { unobserved, missing, exactCounts }: OwnModelOptions) {
    this.ruleset = ruleset;
    this.#steps = new OwnSteps(ruleset, facts, unobserved.includes('next-selected'));
    this.#open = new OpenSteps(ruleset, this.#steps, facts, {
      isCounted: exactCounts,
      hidesActions:
        missing > 0 || unobserved.some((kind) => isAction(kind) && kind !== 'next-selected' && kind !== 'resumed'),
    });
    this.#missing = missing;
    this.#hidden = unobserved.filter((kind) => kind !== 'next-selected' && kind !== 'resumed');
  }

  /** Returns the states of a user without any history. */
  fresh(atMs: number): readonly OwnHypothesis[] {
    return [{ ...this.#open.fresh(atMs), fromMs: Number.NEGATIVE_INFINITY, missing: 0 }];
  }

  /** Returns the states of a user about whom nothing is known before a time. */
  unknown(atMs: number): readonly OwnHypothesis[] {
    return this.#open.unknown(atMs).map((one) => ({ ...one, fromMs: Number.NEGATIVE_INFINITY, missing: 0 }));
  }

  /** Returns the states after the silent steps that may have happened until a time. */
  before(set: readonly OwnHypothesis[], untilMs: number): readonly OwnHypothesis[] {
    if (this.#hidden.length === 0 && this.#missing === 0) return set;
    // An unknown past contains everything that can happen before the first event.
    if (set.every((h) => !h.past.isFresh && !Number.isFinite(h.fromMs))) return set;
    let reached = set;
    let frontier = set;
    for (let round = 0; round < silentStepsMax && frontier.length > 0; round += 1) {
      const found = frontier.flatMap((h) => this.#silentSteps(h, untilMs));
      const known = new Set(reached);
      reached = reduceOwn([...reached, ...found]);
      frontier = reached.filter((h) => !known.has(h));
    }
    return reached;
  }

  #silentSteps(h: OwnHypothesis, untilMs: number): readonly OwnHypothesis[] {
    const hidden = this.#hidden.flatMap((kind) => this.#silent(h, kind, untilMs, h.missing));
    if (h.missing >= this.#missing) return hidden;
    const missing = silentKinds
      .filter((kind) => !this.#hidden.includes(kind))
      .flatMap((kind) => this.#silent(h, kind, untilMs, h.missing + 1));
    return [...hidden, ...missing];
  }

  #silent(h: OwnHypothesis, kind: LogEventKind, untilMs: number, missing: number): readonly OwnHypothesis[] {
    const lo = Number.isFinite(h.fromMs) ? h.fromMs : untilMs;
    const event = silentEvent(kind, lo, untilMs);
    if (this.#open.isWithoutEffect(h, kind)) return [];
    return this.#observeKind(h, kind, event, null).map((one) => ({ ...one, missing }));
  }

  /** Performs one silent step of a kind on each state, at any time up to one. */
  insert(set: readonly OwnHypothesis[], kind: LogEventKind, untilMs: number): readonly OwnHypothesis[] {
    return reduceOwn(set.flatMap((h) => this.#silent(h, kind, untilMs, h.missing)));
  }

  /**
   * Returns the states after an event; none if it is impossible.
   *
   * @param collect - receives the reasons of impossible steps, unless it is `null`
   * @throws NudgeLabError `log-invalid` for facts that the ruleset lacks
   */
  observe(
    set: readonly OwnHypothesis[],
    event: UserEvent,
    collect: OwnRejection[] | null = null,
  ): readonly OwnHypothesis[] {
    const next = set.flatMap((h) => event.kinds.flatMap((kind) => this.#observeKind(h, kind, event, collect)));
    const { count, left } = event.facts;
    if (count === null && left === null) return reduceOwn(next);
    return reduceOwn(
      next.flatMap((h) => {
        const agreeing = h.past.isFresh ? this.#agree(h, event) : this.#agreeOpen(h, event);
        if (!('code' in agreeing)) return [agreeing];
        collect?.push({ ...agreeing, hypothesis: h });
        return [];
      }),
    );
  }

  #agree(h: OwnHypothesis, { facts: { count, left } }: UserEvent): OwnHypothesis | Difference {
    const { snoozes, snoozesLeft } = this.status(h);
    if (count !== null && count !== snoozes) return countDiffers;
    return left !== null && left !== snoozesLeft ? leftDiffers : h;
  }

  #agreeOpen(h: OwnHypothesis, { facts: { count, left } }: UserEvent): OwnHypothesis | Difference {
    const { key, limit } = this.#open.readCounted(h);
    const counted = count === null ? h : limitCount(h, key, { lo: count, hi: count });
    if (counted === null) return countDiffers;
    if (left === null) return counted;
    if (limit === null) return leftDiffers;
    const range = left > 0 ? { lo: limit - left, hi: limit - left } : { lo: limit, hi: Number.POSITIVE_INFINITY };
    return limitCount(counted, key, range) ?? leftDiffers;
  }

  /** Returns the states if an impossible prompt was nevertheless shown. */
  force(set: readonly OwnHypothesis[], event: UserEvent): readonly OwnHypothesis[] {
    const required = event.kinds[0] === 'prompt-required';
    if (!required && event.kinds[0] !== 'prompt-skippable') return [];
    return reduceOwn(
      set.flatMap((h) => {
        const atMs = Math.max(event.lo, h.fromMs);
        if (atMs > event.hi) return [];
        return [
          { state: this.#steps.force(h.state, event, atMs, required), fromMs: atMs, missing: h.missing, past: h.past },
        ];
      }),
    );
  }

  #observeKind(
    h: OwnHypothesis,
    kind: LogEventKind,
    event: UserEvent,
    collect: OwnRejection[] | null,
  ): readonly OwnHypothesis[] {
    const lo = Math.max(event.lo, h.fromMs);
    if (lo > event.hi) {
      collect?.push({ rule: null, code: 'time-goes-back', hypothesis: h });
      return [];
    }
    const isFirst = !Number.isFinite(h.fromMs);
    return this.#listPieces(h, lo, event.hi).flatMap((within) =>
      this.#listEnds(kind, within).flatMap((atMs): readonly OwnHypothesis[] => {
        const { next, rejected } = this.#open.perform(h, { kind, event, atMs, within, isFirst });
        if (next.length === 0) for (const one of rejected) collect?.push({ ...one, hypothesis: h });
        return next.map((one) => ({ ...one, fromMs: within.lo, missing: h.missing }));
      }),
    );
  }

  /** Lists the times of an interval at which an event leaves different states behind, besides the stored intervals. */
  #listEnds(kind: LogEventKind, { lo, hi }: Interval): readonly number[] {
    const storesIntervals = isAction(kind) && kind !== 'registered' && !this.#open.parts.readsActionTimes;
    return lo === hi || storesIntervals ? [hi] : [lo, hi];
  }

  /** Returns what is known of the snoozes of a state. */
  readSnoozes(h: OwnHypothesis): ReturnType<OpenSteps['readSnoozes']> {
    return this.#open.readSnoozes(h);
  }

  /** Returns the nudge status of a state at the time of its latest event, or at another one. */
  status(h: OwnHypothesis, atMs: number = h.fromMs) {
    const ofMs = Number.isFinite(atMs) ? atMs : 0;
    return new OwnCampaign(copyOwnState(h.state)).status(ownLogUser, ofMs);
  }

  /** Returns true if the gate `X.done` stops the latest sign-in of a state again at a time. */
  isDone({ state }: OwnHypothesis, atMs: number): boolean {
    const copy = copyOwnState(state);
    const { lastAttempt } = getOwnUser(copy, ownLogUser);
    if (lastAttempt === null || !Number.isFinite(atMs)) return false;
    const { rules } = new OwnCampaign(copy).explain(ownLogUser, { ...lastAttempt, nowMs: atMs });
    return rules.some(({ id, outcome }) => id === 'X.done' && outcome === 'stopped');
  }

  /** Divides an interval at the instants at which a stored time or an edition changes a verdict. */
  #listPieces(h: OwnHypothesis, lo: number, hi: number): readonly Interval[] {
    const cuts = lo === hi ? [] : this.listChanges(h, lo).map((atMs) => atMs - 1);
    return divide({ lo, hi }, cuts);
  }

  /** Lists the instants after a time at which a verdict of a state changes by itself. */
  listChanges(h: OwnHypothesis, fromMs: number): readonly number[] {
    const { nextPromptAtMs } = this.status(h, fromMs);
    const { prompts } = getOwnUser(h.state, ownLogUser);
    const ends = prompts.map(({ shownAtMs }) => shownAtMs + rulesAt(this.ruleset, shownAtMs).lifetimeMs);
    const editions = this.ruleset.editions.map((one) => one.fromMs);
    return [...(nextPromptAtMs === null ? [] : [nextPromptAtMs]), ...ends, ...editions].filter((atMs) => atMs > fromMs);
  }
}

/** Differences between what a log states and a state. */
const countDiffers = { rule: 'OC24', code: 'count-differs' } as const;
const leftDiffers = { rule: 'RS17', code: 'snoozes-left-differ' } as const;
type Difference = typeof countDiffers | typeof leftDiffers;

function silentEvent(kind: LogEventKind, lo: number, hi: number): UserEvent {
  return {
    type: 'user',
    user: ownLogUser,
    line: 0,
    lo,
    hi,
    kinds: [kind],
    prompt: null,
    facts: noFacts,
    variant: plainVariant,
    sets: null,
  };
}

/** Removes states that others contain, and joins them above a limit, which never excludes a behavior. */
export function reduceOwn(given: readonly OwnHypothesis[]): readonly OwnHypothesis[] {
  const [first] = given;
  if (first === undefined || given.length === 1) return given;
  return reduceOpen(given, statesMax, listCompleted(first.state.ruleset));
}
