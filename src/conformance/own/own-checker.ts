import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { Misfit, RulesetFit } from '../../contract/conformance-report.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ownLogUsersMax } from '../../core/limits.ts';
import { MisfitClusters } from '../check/misfit-clusters.ts';
import type { CheckOptions, LogChecker } from '../check/ruleset-checker.ts';
import { type LogEntry, noFacts, type UserEvent } from '../model/log-event.ts';
import { DeclaredFacts } from './declared-facts.ts';
import { chooseOwnRejection, describeOwnPattern, explainOwnMisfit } from './explain-own-misfit.ts';
import type { LogFacts } from './log-facts.ts';
import { withOpenCount } from './open-set.ts';
import { OwnLogModel, reduceOwn } from './own-log-model.ts';
import type { OwnHypothesis } from './own-steps.ts';

/** Checks the entries of a log against one ruleset with the base `own`, in order. */
export class OwnRulesetChecker implements LogChecker {
  readonly model: OwnLogModel;
  readonly #facts: LogFacts;
  readonly #options: CheckOptions;
  readonly #users = new Map<string, readonly OwnHypothesis[]>();
  readonly #misfitUsers = new Set<string>();
  readonly #clusters = new MisfitClusters();
  readonly #examples: Misfit[] = [];
  #misfits = 0;

  /** Creates the checker. `facts` reads an import; without it, the facts are those of a mapping. */
  constructor(ruleset: OwnRuleset, options: CheckOptions, facts: LogFacts | null = null) {
    this.#facts = facts ?? new DeclaredFacts(ruleset, options.constants ?? new Map(), options.mapping ?? null);
    this.model = new OwnLogModel(ruleset, this.#facts, options);
    this.#options = options;
  }

  /**
   * Takes the next entry of the log. Changes of the policy have no effect on an own ruleset.
   *
   * @returns `false` if it is an impossible event
   * @throws NudgeLabError `log-too-large` above the limit of users, and `log-invalid`
   */
  take(entry: LogEntry): boolean {
    if (entry.type === 'removed') this.#users.delete(entry.user);
    if (entry.type !== 'user') return true;
    const set = this.#users.get(entry.user) ?? this.#add(entry);
    const before = this.model.before(set, entry.hi);
    const next = this.model.observe(before, entry);
    if (next.length > 0) {
      this.#users.set(entry.user, next);
      return true;
    }
    this.#noteMisfit(before, entry);
    this.#users.set(entry.user, this.#resume(before, entry));
    return false;
  }

  /** Returns how well the entries so far fit. */
  result(): RulesetFit {
    const users = this.#users.size;
    const fittingUsers = users - this.#misfitUsers.size;
    return {
      ruleset: this.model.ruleset.id,
      fits: this.#misfits === 0,
      users,
      fittingUsers,
      share: users === 0 ? 1 : fittingUsers / users,
      misfits: this.#misfits,
      clusters: this.#clusters.list(),
      examples: this.#examples,
      unstated: this.#facts.listUnstated(),
    };
  }

  #add({ user, lo, hi }: UserEvent): readonly OwnHypothesis[] {
    if (this.#users.size >= ownLogUsersMax) {
      throw new NudgeLabError('log-too-large', {
        message: `The log has more than ${ownLogUsersMax} users, the maximum for a ruleset with the base own.`,
      });
    }
    const first = this.#options.start === 'unknown' ? this.model.unknown(hi) : this.model.fresh(lo);
    this.#users.set(user, first);
    return first;
  }

  #noteMisfit(before: readonly OwnHypothesis[], event: UserEvent): void {
    const rejection = chooseOwnRejection(this.model, before, event);
    let misfit: Misfit | null = null;
    const explain = (): Misfit => {
      misfit ??= explainOwnMisfit(this.model, before, event, rejection);
      return misfit;
    };
    const isFirst = !this.#misfitUsers.has(event.user);
    this.#misfits += 1;
    this.#misfitUsers.add(event.user);
    this.#clusters.add(rejection, describeOwnPattern(this.model, rejection, event), isFirst, explain);
    if (isFirst && this.#examples.length < this.#options.examplesMax) this.#examples.push(explain());
  }

  /** Returns the states after an impossible event: those before it, and those in which it took place nevertheless. */
  #resume(before: readonly OwnHypothesis[], event: UserEvent): readonly OwnHypothesis[] {
    const plain = { ...event, facts: noFacts };
    const taken = [...this.model.observe(before, plain), ...this.model.force(before, plain)];
    const { count } = event.facts;
    return reduceOwn([...(count === null ? taken : taken.map((h) => withOpenCount(h, count))), ...before]);
  }
}
