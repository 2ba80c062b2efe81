import { evaluateOwn, type OwnVerdict } from '../../machines/own/evaluate-own.ts';
import type { OwnTenant } from '../../machines/own/own-facts.ts';
import { isDataGate, type OwnRuleset, rulesAt } from '../../machines/own/own-ruleset.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import { toInstantOrNull } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { JournalEvent } from '../journal/journal-event.ts';
import { createOwnAttempt } from '../journal/own-campaign-events.ts';
import { toOwnTenant, toOwnUser } from '../journal/own-campaign-facts.ts';
import type { OwnCampaignState } from '../journal/own-campaign-state.ts';
import { findLoadedOwn } from '../journal/ruleset-registry.ts';
import type { Evaluation, SandboxState } from '../journal/state.ts';
import { contextFor } from './context.ts';
import { refuseAttempt } from './declared-facts.ts';
import { unknownUser } from './explain.ts';
import { createQuestion, type OwnQuestion, settleQuestion } from './own-question.ts';

/** Verdict of an own campaign as the APIs return it: that of a registration campaign, with what only own ones have. */
export interface OwnVerdictView extends Verdict {
  /** Id of the method that the prompt asks for. */
  readonly method: string;
  /** Ids of the answers that the prompt offers. */
  readonly answers: readonly string[];
  readonly deadlineAt: string | null;
  readonly variant: string | null;
}

/** Converts a verdict of an own campaign for the APIs. The registration campaign that it shows is disabled (OC56). */
export function toVerdict(
  { deadlineAtMs, edition, ...verdict }: OwnVerdict,
  { campaign, own }: Pick<SandboxState, 'campaign' | 'own'>,
): OwnVerdictView {
  const hasEditions = own !== null && own.ruleset.editions.length > 0;
  return {
    ...verdict,
    ...(hasEditions ? { edition } : {}),
    deadlineAt: toInstantOrNull(deadlineAtMs),
    warnings: [],
    campaign,
  };
}

/**
 * Rejects a ruleset that cannot evaluate a sign-in on the state of a sandbox: the ledgers of an own campaign have the keys
 * and answers of its ruleset, and a registration campaign has none.
 *
 * @param state - state of the sandbox
 * @param ruleset - id of the ruleset to evaluate by; `undefined` for that of the sandbox
 * @throws NudgeLabError `rulesets-not-comparable`
 */
export function refuseOtherBase(
  { own, model }: Pick<SandboxState, 'own' | 'model'>,
  ruleset: string | undefined,
): void {
  if (ruleset === undefined || ruleset === own?.ruleset.id) return;
  const isOwn = model.ownRulesets.has(ruleset) || findLoadedOwn(ruleset) !== undefined;
  if (own === null && !isOwn) return;
  const message =
    own === null
      ? `The ruleset ${ruleset} has the base own, and the sandbox has a registration campaign.`
      : `The sandbox has the campaign of the ruleset ${own.ruleset.id}, whose ledgers only this ruleset reads; compare rulesets on its journal instead.`;
  throw new NudgeLabError('rulesets-not-comparable', { message });
}

/** Hypothetical sign-in of a user at a time. */
interface HypotheticalSignIn {
  readonly userId: string;
  readonly attempt: AttemptInput;
  readonly nowMs: number;
}

/**
 * Returns a hypothetical sign-in by the own campaign of a sandbox, which does not change. Throws `user-not-found`, or
 * `bad-request` if the ruleset has a registration campaign or does not declare a fact.
 */
export function askOwn(state: SandboxState, { userId, attempt: given, nowMs }: HypotheticalSignIn): OwnQuestion {
  const { own } = state;
  if (own === null)
    throw new NudgeLabError('bad-request', { message: 'The ruleset of this sandbox is no own campaign.' });
  const user = state.users.get(userId);
  if (user === undefined) throw unknownUser(userId, state.users);
  refuseAttempt(state, given);
  const { session, kind, browserId, ...rest } = given;
  const attempt = completeAttempt({ ...contextFor(state, userId, rest), nowMs }, user.facts, nowMs);
  const parts = { id: 'explained', number: own.signIns + 1, session, kind, browserId };
  return createQuestion(own, user.facts, createOwnAttempt(own, { attempt, user: user.facts }, parts));
}

/** Evaluates a hypothetical sign-in, after the prompts that the user has closed are settled. */
export function explainOwn(question: OwnQuestion): OwnVerdict {
  const { ruleset, attempt } = question;
  return evaluateOwn(ruleset, settleQuestion(question, { ...question, nowMs: attempt.nowMs }));
}

/**
 * Evaluates the sign-in that an event is about to evaluate, if the own campaign has gate modules. A module that fails then
 * rejects the request before anything has changed (OC32). Throws `gate-failed` or `gate-read-undeclared`.
 */
export function tryGateModules(state: SandboxState, event: JournalEvent, nowMs: number): void {
  const { own } = state;
  if (own === null || !('signInId' in event) || !hasModules(own.ruleset, nowMs)) return;
  const signIn = state.signIns.get(event.signInId);
  const userId = event.type === 'signIn.started' ? event.userId : signIn?.userId;
  const patch = event.type === 'signIn.started' ? event.attempt : signIn?.patch;
  const user = userId === undefined ? undefined : state.users.get(userId);
  if (userId === undefined || user === undefined || patch === undefined || !isEvaluated(event, patch)) return;
  const attempt = completeAttempt({ ...patch, nowMs }, user.facts, nowMs);
  const parts = { id: event.signInId, number: own.signIns + 1, ...signIn?.session };
  own.campaign.explain(userId, createOwnAttempt(own, { attempt, user: user.facts }, parts));
}

function hasModules(ruleset: OwnRuleset, nowMs: number): boolean {
  return rulesAt(ruleset, nowMs).gates.some((gate) => typeof gate === 'object' && !isDataGate(gate));
}

/** Returns true if an event ends with the evaluation of its sign-in. */
function isEvaluated({ type }: JournalEvent, { ssoSession, mfa }: AttemptPatch): boolean {
  if (type === 'signIn.started') return ssoSession === true;
  return type === 'mfa.completed' || (type === 'password.accepted' && mfa?.completed === false);
}

/** Evaluates a sign-in again on its stored facts. Returns `null` if no own campaign evaluated it. */
export function evaluateAgain(own: OwnCampaignState | null, evaluation: Evaluation | null): OwnVerdict | null {
  if (own === null || evaluation?.own === undefined) return null;
  const { attempt, kept, entries } = evaluation.own;
  const tenant: OwnTenant = toOwnTenant(evaluation.facts.tenant, own.ruleset);
  const user = toOwnUser(evaluation.facts.user, own.ruleset);
  return evaluateOwn(own.ruleset, { facts: { tenant, user, attempt, kept }, entries });
}
