import { evaluateOwn, type OwnInput, type OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { applyEvent } from '../../journal/apply-event.ts';
import type { JournalEvent } from '../../journal/journal-event.ts';
import { createStateFromLines } from '../../journal/journeys/journey-state.ts';
import { hasOwnCampaign, type OwnSandboxState } from '../../journal/own-campaign-events.ts';
import { toOwnTenant, toOwnUser } from '../../journal/own-campaign-facts.ts';
import { SandboxModel } from '../../journal/sandbox-model.ts';
import type { Evaluation, SignInRecord } from '../../journal/state.ts';
import type { OpenedJourney } from '../read-journey.ts';

/** Sign-in that an event evaluated, with its verdict and what the verdict was evaluated on. */
export interface EvaluatedSignIn {
  readonly signIn: SignInRecord;
  readonly evaluation: Evaluation;
  readonly input: OwnInput;
  readonly verdict: OwnVerdict;
}

/** History replayed under one own ruleset, with its own ledgers. */
export class OwnReplay {
  readonly ruleset: OwnRuleset;
  readonly state: OwnSandboxState;
  #latest: SignInRecord | null = null;
  #seq = 1;

  /** Creates the initial state of a journey under a ruleset, which need not be that of the journey. */
  constructor(ruleset: OwnRuleset, { head, standing }: Pick<OpenedJourney, 'head' | 'standing'>) {
    this.ruleset = ruleset;
    const model = new SandboxModel({ ownRulesets: new Map([[ruleset.id, ruleset]]) });
    const lines = standing.map(({ line }) => line);
    const { rulesetDigest: _ofTheJourney, ...rest } = head.line;
    const state = createStateFromLines({ ...rest, ruleset: ruleset.id }, lines, model);
    if (!hasOwnCampaign(state)) throw new TypeError(`The state under ${ruleset.id} has no own campaign.`);
    this.state = state;
    state.logObserver = {
      before: () => undefined,
      evaluated: (_state, signIn) => {
        this.#latest = signIn;
      },
      moved: () => undefined,
    };
  }

  /** Applies an event. Returns the sign-in that it evaluated, or `null`. */
  apply(event: JournalEvent, atMs: number): EvaluatedSignIn | null {
    this.#latest = null;
    this.#seq += 1;
    applyEvent(this.state, { seq: this.#seq, atMs, event });
    return this.#latest === null ? null : this.#read(this.#latest);
  }

  /** Evaluates a sign-in again on its stored facts, because the state keeps no trace of the gates. */
  #read(signIn: SignInRecord): EvaluatedSignIn | null {
    const { evaluation } = signIn;
    if (evaluation?.own === undefined) return null;
    const { attempt, kept, entries } = evaluation.own;
    const tenant = toOwnTenant(evaluation.facts.tenant, this.ruleset);
    const user = toOwnUser(evaluation.facts.user, this.ruleset);
    const input = { facts: { tenant, user, attempt, kept }, entries };
    return { signIn, evaluation, input, verdict: evaluateOwn(this.ruleset, input) };
  }
}
