import type { EffectiveCampaign, Ruleset } from '../../../machines/vocabulary.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import { openPromptsMax } from '../../core/limits.ts';
import { type Hypothesis, reduceHypotheses } from './hypothesis.ts';
import type { LifecycleTable, Stimulus } from './lifecycle-table.ts';
import { noFacts, type UserEvent } from './log-event.ts';
import type { PolicyTimeline } from './policy-timeline.ts';
import type { Collect, Rejection } from './rejection.ts';
import { RulesInForce } from './rules-in-force.ts';
import { isAction, listTargets, type Situation, type StepEvent, type StepResults, UserSteps } from './user-steps.ts';
import { plainVariant } from './verdict-table.ts';

/** What a log hides and states. */
export interface ModelOptions {
  readonly unobserved: readonly LogEventKind[];
  readonly missing: number;
  /** `true` if counts above the limit must be told apart, because the log states counts. */
  readonly exactCounts: boolean;
  /** `true` if the clock of the log may be set back. */
  readonly freeClock: boolean;
}

/** Maximum number of silent steps between two events of a user that are considered. */
const silentStepsMax = 8;

/** Kinds that can happen silently. */
export const silentKinds: readonly LogEventKind[] = [
  'prompt-skippable',
  'prompt-required',
  'signed-in',
  'skipped',
  'closed',
  'registered',
  'next-selected',
  'resumed',
  'skip-rejected',
  'setup-failed',
  'error-skipped',
  'registered-elsewhere',
  'method-removed',
  'reset',
];

/** Age in days of the oldest snooze that a user with an unknown past can have; every duration is shorter. */
const snoozeAgeMax = 60;

/** Earliest time of a silent step of a user without events. */
const silentFromMs = -8_640_000_000_000_000;

/**
 * Steps of one user under a ruleset and a timeline of settings, over sets of hypotheses. A step is possible in the model
 * if the machine and the rules allow it for a time within the interval of the event.
 */
export class CampaignModel {
  readonly ruleset: Ruleset;
  readonly lifecycle: LifecycleTable;
  readonly #rules: RulesInForce;
  readonly #steps: UserSteps;
  readonly #options: ModelOptions;
  /** `true` if only actions on a closed prompt or an error screen can happen silently and make a difference. */
  readonly #isPlain: boolean;
  readonly #hidesNext: boolean;

  constructor(ruleset: Ruleset, timeline: PolicyTimeline, options: ModelOptions) {
    const { unobserved, missing, exactCounts } = options;
    this.ruleset = ruleset;
    this.#options = options;
    this.#rules = new RulesInForce(ruleset, timeline);
    this.#hidesNext = unobserved.includes('next-selected');
    this.#steps = new UserSteps(this.#rules, { hidesNext: this.#hidesNext, exactCounts });
    this.lifecycle = this.#steps.lifecycle;
    this.#isPlain = missing === 0 && unobserved.every((kind) => kind === 'next-selected' || kind === 'resumed');
  }

  /** Returns the campaign that applies at a time. */
  campaignAt(atMs: number): EffectiveCampaign {
    return this.#rules.campaignAt(atMs);
  }

  /** Returns the hypothesis of a user without any history. */
  fresh(): Hypothesis {
    const shape = this.lifecycle.intern({
      state: 'notPrompted',
      count: 0,
      snoozed: false,
      registered: false,
      prompts: [],
    });
    const fromMs = Number.NEGATIVE_INFINITY;
    return { shape, count: 0, isCountOpen: false, snoozeLo: 0, snoozeHi: 0, prompts: [], fromMs, missing: 0 };
  }

  /** Returns the hypotheses of a user about whom nothing is known before a time. */
  unknown(beforeMs: number): readonly Hypothesis[] {
    const { dayMs, snoozeLimit } = this.ruleset.limits;
    const snoozeLo = beforeMs - snoozeAgeMax * dayMs;
    const counts = Array.from({ length: snoozeLimit + 1 }, (_, count) => count);
    return counts.flatMap((count) =>
      [false, true].flatMap((registered) =>
        [false, true].map((snoozed): Hypothesis => {
          const state = registered ? 'registered' : snoozed ? 'snoozed' : 'notPrompted';
          const shape = this.lifecycle.intern({ state, count, snoozed, registered, prompts: [] });
          const isCountOpen = this.#options.exactCounts && count === snoozeLimit;
          return { ...this.fresh(), shape, count, isCountOpen, snoozeLo, snoozeHi: beforeMs };
        }),
      ),
    );
  }

  /** Returns the hypotheses after the silent steps that may have happened until a time. */
  before(set: readonly Hypothesis[], untilMs: number): readonly Hypothesis[] {
    const { unobserved } = this.#options;
    if (this.#isPlain && (unobserved.length === 0 || set.every(isPlainState))) return set;
    let reached = set;
    let frontier = set;
    for (let round = 0; round < silentStepsMax && frontier.length > 0; round += 1) {
      const found: Hypothesis[] = [];
      for (const h of frontier) this.#silentSteps(h, untilMs, found);
      if (found.length === 0) break;
      const known = new Set(reached);
      reached = reduceHypotheses([...reached, ...found]);
      frontier = reached.filter((h) => !known.has(h));
    }
    return reached;
  }

  #silentSteps(h: Hypothesis, untilMs: number, results: Hypothesis[]): void {
    const { unobserved, missing } = this.#options;
    for (const kind of unobserved) this.#silent(h, kind, untilMs, h.missing, results);
    if (h.missing >= missing) return;
    for (const kind of silentKinds) {
      if (!unobserved.includes(kind)) this.#silent(h, kind, untilMs, h.missing + 1, results);
    }
  }

  #silent(h: Hypothesis, kind: LogEventKind, untilMs: number, missing: number, results: Hypothesis[]): void {
    const { prompts, registered, snoozed } = h.shape;
    if (isAction(kind) && prompts.length === 0) return;
    if (kind === 'resumed' && !prompts.some(({ left }) => left)) return;
    // A prompt and its setup pages differ in their actions alone, which take a hidden "Next" into account.
    if (kind === 'next-selected' && this.#hidesNext && !prompts.some(isPastNext)) return;
    if (kind === 'method-removed' && !registered) return;
    // An open prompt may have expired before, so these are not without effect.
    const isIdle = prompts.length === 0;
    if (kind === 'registered-elsewhere' && registered && isIdle) return;
    if (kind === 'reset' && h.count === 0 && !snoozed && isIdle) return;
    const event = {
      lo: Math.max(h.fromMs, silentFromMs),
      hi: untilMs,
      prompt: null,
      variant: plainVariant,
      sets: null,
    };
    const next: Hypothesis[] = [];
    this.#observeKind(h, kind, event, { found: next, rejected: null });
    for (const one of next) results.push(one.missing === missing ? one : { ...one, missing });
  }

  /**
   * Returns the hypotheses after an event; none if it is impossible.
   * @param collect - receives the reasons of impossible steps, unless it is `null`
   */
  observe(set: readonly Hypothesis[], event: UserEvent, collect: Collect = null): readonly Hypothesis[] {
    const next: Hypothesis[] = [];
    const results = { found: next, rejected: collect };
    for (const h of set) for (const kind of event.kinds) this.#observeKind(h, kind, event, results);
    const { count, left, days, limited } = event.facts;
    const states = count !== null || left !== null || days !== null || limited !== null;
    if (!states) return reduceHypotheses(next);
    const pinned = next.map((h) => (h.isCountOpen && count !== null && count > h.count ? this.withCount(h, count) : h));
    const agreeing = pinned.filter((h) => this.#agrees(h, event, collect));
    return reduceHypotheses(count === null ? agreeing : agreeing.map(closed));
  }

  #observeKind(
    h: Hypothesis,
    kind: LogEventKind,
    event: StepEvent & Pick<UserEvent, 'lo' | 'hi'>,
    results: StepResults,
  ): void {
    const lo = this.#options.freeClock ? event.lo : Math.max(event.lo, h.fromMs);
    const { hi } = event;
    if (lo > hi) {
      results.rejected?.push({ rule: null, code: 'time-goes-back', hypothesis: h });
      return;
    }
    const situations: Situation[] = [];
    this.#steps.expire({ h, lo, hi, expired: false }, situations);
    for (const situation of situations) {
      for (const force of this.#rules.during(situation.lo, situation.hi)) {
        this.#steps.attempt(situation, kind, event, force, results);
      }
    }
  }

  /** Returns the hypotheses after the prompts whose lifetime is over at a time have expired (A40). */
  expire(set: readonly Hypothesis[], atMs: number): readonly Hypothesis[] {
    const situations: Situation[] = [];
    for (const h of set) this.#steps.expire({ h, lo: atMs, hi: atMs, expired: false }, situations);
    return reduceHypotheses(situations.map(({ h }) => h));
  }

  /** Performs one silent step of a kind on each hypothesis, at any time up to one. */
  insert(set: readonly Hypothesis[], kind: LogEventKind, untilMs: number): readonly Hypothesis[] {
    const found: Hypothesis[] = [];
    for (const h of set) this.#silent(h, kind, untilMs, h.missing, found);
    return reduceHypotheses(found);
  }

  /** Returns the hypotheses if an impossible event nevertheless took place: a prompt that the rules do not allow. */
  force(set: readonly Hypothesis[], event: UserEvent): readonly Hypothesis[] {
    const [kind] = event.kinds;
    const required = kind === 'prompt-required';
    const acts = kind !== undefined && isAction(kind);
    if (!(acts || required || kind === 'prompt-skippable')) return [];
    const shown = set.flatMap((h): readonly Hypothesis[] => {
      const lo = Math.max(event.lo, h.fromMs);
      if (lo > event.hi || h.prompts.length >= openPromptsMax || (acts && listTargets(h, event.prompt).length > 0))
        return [];
      const { limited } = this.campaignAt(lo);
      const stimulus: Stimulus = { type: 'prompt.shown', required, limited, demanded: false, running: false };
      return [this.#steps.apply(h, stimulus, { lo, hi: event.hi, fromMs: lo, promptId: event.prompt })];
    });
    return acts ? this.observe(shown, { ...event, facts: noFacts }) : reduceHypotheses(shown);
  }

  /** Returns a hypothesis with another count. */
  withCount(h: Hypothesis, count: number): Hypothesis {
    return { ...h, count, isCountOpen: false, shape: this.lifecycle.intern({ ...h.shape, count }) };
  }

  /** Checks the facts that an event states against a hypothesis after it. */
  #agrees(h: Hypothesis, { facts, lo, hi }: UserEvent, collect: Collect): boolean {
    const differs = this.#findDifference(h, facts, Math.max(lo, h.fromMs), hi);
    if (differs === null) return true;
    collect?.push({ ...differs, hypothesis: h });
    return false;
  }

  #findDifference(
    h: Hypothesis,
    { count, left, days, limited }: UserEvent['facts'],
    lo: number,
    hi: number,
  ): Pick<Rejection, 'rule' | 'code'> | null {
    if (count !== null && count !== h.count) return { rule: 'R7', code: 'count-differs' };
    const campaigns = this.#rules.during(Math.min(lo, hi), hi).map(({ campaign }) => campaign);
    const snoozesLeft = Math.max(0, this.ruleset.limits.snoozeLimit - h.count);
    if (left !== null && !campaigns.some((campaign) => campaign.limited && snoozesLeft === left)) {
      return { rule: 'R6', code: 'snoozes-left-differ' };
    }
    if (days !== null && !campaigns.some(({ snoozeDays }) => snoozeDays === days))
      return { rule: 'R8', code: 'days-differ' };
    const isLimited = limited === null || campaigns.some((campaign) => campaign.limited === limited);
    return isLimited ? null : { rule: 'R6', code: 'limit-differs' };
  }
}

function closed(h: Hypothesis): Hypothesis {
  return h.isCountOpen ? { ...h, isCountOpen: false } : h;
}

function isPastNext({ phase, left }: { readonly phase: string; readonly left: boolean }): boolean {
  return left || phase === 'error';
}

function isPlainState({ shape }: Hypothesis): boolean {
  return !shape.prompts.some(isPastNext);
}
