import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { ConformanceMapping } from '../../contract/conformance.schema.ts';
import type { Misfit, RulesetFit } from '../../contract/conformance-report.ts';
import { CampaignModel, type ModelOptions } from '../model/campaign-model.ts';
import { type Hypothesis, reduceHypotheses } from '../model/hypothesis.ts';
import { type LogEntry, noFacts, type StatedStatus, type StatedUser, type UserEvent } from '../model/log-event.ts';
import type { PolicyTimeline } from '../model/policy-timeline.ts';
import type { Rejection } from '../model/rejection.ts';
import { describePattern } from './describe-state.ts';
import { chooseRejection, explainMisfit } from './explain-misfit.ts';
import { MisfitClusters } from './misfit-clusters.ts';
import { UserStore } from './user-store.ts';

/** How a log is checked. */
export interface CheckOptions extends ModelOptions {
  /** State of each user before its first event. */
  readonly start: 'fresh' | 'unknown';
  /** Number of users whose first impossible event is explained. */
  readonly examplesMax: number;
  /** Facts and settings of an own ruleset that hold for the whole log, by path. */
  readonly constants?: ReadonlyMap<string, unknown>;
  /** Mapping of the log, whose faults have their place in it. */
  readonly mapping?: ConformanceMapping;
}

/** Checks the entries of a log against one ruleset. */
export interface LogChecker {
  /** Takes the next entry of the log. Returns `false` if it is an impossible event. */
  readonly take: (entry: LogEntry) => boolean;
  /** Returns how well the entries so far fit. */
  readonly result: () => RulesetFit;
}

/** Checks the entries of a log against one ruleset, in order. The memory depends on the number of users alone. */
export class RulesetChecker implements LogChecker {
  readonly model: CampaignModel;
  readonly #options: CheckOptions;
  readonly #users: UserStore;
  readonly #clusters = new MisfitClusters();
  readonly #examples: Misfit[] = [];
  readonly #fresh: readonly Hypothesis[];
  readonly #isUnknown: boolean;
  #misfits = 0;
  #misfitUsers = 0;

  constructor(ruleset: Ruleset, timeline: PolicyTimeline, options: CheckOptions) {
    this.model = new CampaignModel(ruleset, timeline, options);
    this.#options = options;
    this.#users = new UserStore(this.model.lifecycle);
    this.#fresh = [this.model.fresh()];
    this.#isUnknown = options.start === 'unknown';
  }

  /**
   * Takes the next entry of the log.
   * @returns `false` if it is an impossible event
   * @throws NudgeLabError `log-too-large` above the limit of users
   */
  take(entry: LogEntry): boolean {
    switch (entry.type) {
      case 'user':
        return this.#takeEvent(entry);
      case 'state':
        this.#users.set(this.#users.row(entry.user), [stated(this.model, entry.state)]);
        return true;
      case 'removed':
        this.#users.set(this.#users.row(entry.user), this.#fresh);
        return true;
      case 'changed': {
        const row = this.#users.row(entry.user);
        const set = this.#users.get(row) ?? this.#fresh;
        this.#users.set(row, reduceHypotheses(set.flatMap((h) => changed(this.model, h, entry.status))));
        return true;
      }
      case 'clock':
        this.#users.update((set) => this.model.expire(set, entry.lo));
        return true;
      case 'policy':
        // The timeline is shared by all checkers of a log, whose reader changes it once.
        return true;
    }
  }

  /** Returns how well the entries so far fit. */
  result(): RulesetFit {
    const users = this.#users.size;
    const fittingUsers = users - this.#misfitUsers;
    return {
      ruleset: this.model.ruleset.id,
      fits: this.#misfits === 0,
      users,
      fittingUsers,
      share: users === 0 ? 1 : fittingUsers / users,
      misfits: this.#misfits,
      clusters: this.#clusters.list(),
      examples: this.#examples,
      unstated: [],
    };
  }

  #takeEvent(event: UserEvent): boolean {
    const row = this.#users.row(event.user);
    const set = this.#users.get(row) ?? (this.#isUnknown ? this.model.unknown(event.lo) : this.#fresh);
    const before = this.model.before(set, event.hi);
    const next = this.model.observe(before, event);
    if (next.length > 0) {
      this.#users.set(row, next);
      return true;
    }
    this.#noteMisfit(row, before, event);
    this.#users.set(row, this.#resume(before, event));
    return false;
  }

  #noteMisfit(row: number, before: readonly Hypothesis[], event: UserEvent): void {
    const rejection = chooseRejection(this.model, before, event);
    let misfit: Misfit | null = null;
    const explain = (): Misfit => {
      misfit ??= explainMisfit(this.model, before, event, rejection);
      return misfit;
    };
    const isFirst = this.#users.countMisfit(row);
    this.#misfits += 1;
    this.#clusters.add(rejection, formatPattern(this.model, rejection, event), isFirst, explain);
    if (!isFirst) return;
    this.#misfitUsers += 1;
    if (this.#examples.length < this.#options.examplesMax) this.#examples.push(explain());
  }

  /**
   * Returns the states after an impossible event: those before it, because it may be an error of the log, and those in
   * which it took place nevertheless. So a later event is impossible only if it is so either way.
   */
  #resume(before: readonly Hypothesis[], event: UserEvent): readonly Hypothesis[] {
    const { count } = event.facts;
    const plain = { ...event, facts: noFacts };
    const resumed = this.model.force(before, plain);
    const taken = [...this.model.observe(before, plain), ...resumed];
    const after = count === null ? taken : taken.map((h) => this.model.withCount(h, count));
    return reduceHypotheses([...after, ...before]);
  }
}

function formatPattern(model: CampaignModel, { hypothesis }: Rejection, { kinds, lo }: UserEvent): string {
  return `${kinds.join(' or ')} while ${describePattern(hypothesis, lo, model)}`;
}

/** Returns the states after a change: with the open prompts or without them, and registered or not. */
function changed(
  model: CampaignModel,
  h: Hypothesis,
  { count, snoozedAtMs, state }: StatedStatus,
): readonly Hypothesis[] {
  const snoozed = snoozedAtMs !== null;
  const times = { count, isCountOpen: false, snoozeLo: snoozedAtMs ?? 0, snoozeHi: snoozedAtMs ?? 0 };
  return [true, false].flatMap((registered) =>
    [h.shape.prompts, []].map((prompts) => ({
      ...h,
      ...times,
      prompts: prompts.length === 0 ? [] : h.prompts,
      shape: model.lifecycle.intern({ state, count, snoozed, registered, prompts }),
    })),
  );
}

function stated(model: CampaignModel, { count, snoozedAtMs, registered, required, prompts }: StatedUser): Hypothesis {
  const snoozed = snoozedAtMs !== null;
  const isOpen = prompts.length > 0;
  const state = registered
    ? 'registered'
    : required
      ? 'registrationRequired'
      : isOpen
        ? 'prompted'
        : snoozed
          ? 'snoozed'
          : 'notPrompted';
  const shape = model.lifecycle.intern({
    state,
    count,
    snoozed,
    registered,
    prompts: prompts.map((prompt) => ({
      required: prompt.required,
      phase: prompt.phase,
      left: prompt.leftAtMs !== null,
    })),
  });
  return {
    ...model.fresh(),
    shape,
    count,
    snoozeLo: snoozedAtMs ?? 0,
    snoozeHi: snoozedAtMs ?? 0,
    prompts: prompts.map(({ id, shownAtMs, leftAtMs }) => {
      const left = leftAtMs ?? 0;
      return { id, shownLo: shownAtMs, shownHi: shownAtMs, leftLo: left, leftHi: left };
    }),
  };
}
