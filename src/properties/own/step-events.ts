import { rulesAt } from '../../../machines/own/own-ruleset.ts';
import { collectInput, getOwnUser, type OpenOwnPrompt } from '../../../machines/own/own-state.ts';
import { journeyUser } from '../../generate/own/own-journey.ts';
import type { OwnObservation } from '../../scenario/own/own-run.ts';
import type { OwnStep } from '../../scenario/own/own-scenario.ts';
import type { OwnSession } from '../../scenario/own/own-session.ts';
import type { FactScalar } from '../language/formula.ts';
import { readPaths } from './fact-paths.ts';
import type { FactReading } from './session-facts.ts';

/** Event of a step with its fields. */
export type StepEvent = { readonly type: string } & Readonly<Record<string, FactScalar>>;

/** Events of the steps of an own ruleset's model. */
export const ownEvents = [
  'journey.begins',
  'attempt.evaluated',
  'prompt.shown',
  'prompt.answered',
  'prompt.nextSelected',
  'setup.completed',
  'setup.failed',
  'errorScreen.skipped',
  'browser.closed',
  'method.removed',
  'ledger.reset',
  'browser.cleared',
  'tenant.changed',
  'user.changed',
  'time.passed',
] as const;

/** Names of the steps at a prompt or of an administrator, as events. */
const eventOfStep: Readonly<Partial<Record<OwnStep['kind'], (typeof ownEvents)[number]>>> = {
  next: 'prompt.nextSelected',
  register: 'setup.completed',
  failRegistration: 'setup.failed',
  skipError: 'errorScreen.skipped',
  closeBrowser: 'browser.closed',
  removeMethod: 'method.removed',
  resetLedger: 'ledger.reset',
  clearBrowser: 'browser.cleared',
  setTenant: 'tenant.changed',
  setUser: 'user.changed',
  advance: 'time.passed',
};

/**
 * Lists the events of a performed step. A sign-in is evaluated, and shows a prompt if its outcome is skippable or
 * required; both events have the outcome, the reason, the result of every gate by its id, the facts of the attempt and
 * the keys of the ledger. An answer has the keys of its prompt.
 *
 * @param before - session before the step
 * @param after - session after it
 */
export function listStepEvents(
  { ruleset, paths }: FactReading,
  step: OwnStep,
  { verdict, status, page }: OwnObservation,
  before: OwnSession,
  after: OwnSession,
): readonly StepEvent[] {
  if (step.kind === 'signIn' && verdict !== undefined) {
    const { state } = after.memory;
    const owner = getOwnUser(state, journeyUser);
    const { lastAttempt } = owner;
    if (lastAttempt === null) throw new RangeError('A sign-in leaves an attempt.');
    const { facts, keys } = collectInput(state, owner, lastAttempt);
    const { outcome, reason, rules, edition } = verdict;
    const fields = {
      outcome,
      reason,
      edition,
      session: step.say.session ?? 'new',
      browser: lastAttempt.browserId,
      ...Object.fromEntries(rules.map(({ id, outcome: result }) => [id, result])),
      ...readPaths(paths.ofAttempt, facts, rulesAt(ruleset, after.nowMs), after.nowMs),
      ...keyFields(keys),
    };
    const evaluated: StepEvent = { type: 'attempt.evaluated', ...fields };
    if (outcome !== 'skippable' && outcome !== 'required') return [evaluated];
    return [evaluated, { type: 'prompt.shown', ...fields, required: outcome === 'required' }];
  }
  const prompt = findPrompt(before);
  const accepted = status === undefined || status === 200;
  const fields = {
    accepted: step.kind === 'register' || step.kind === 'skip' ? accepted && page === 'signed-in' : accepted,
    required: prompt?.required ?? null,
    browser: prompt?.attempt.browserId ?? null,
    ...keyFields(prompt?.keys ?? []),
  };
  if (step.kind === 'skip') return [{ type: 'prompt.answered', answer: step.say.answer ?? null, ...fields }];
  const type = eventOfStep[step.kind];
  if (type === undefined) return [];
  return prompt === undefined ? [{ type }] : [{ type, ...fields }];
}

function findPrompt(session: OwnSession): OpenOwnPrompt | undefined {
  const { state, prompt } = session.memory;
  return getOwnUser(state, journeyUser).prompts.find(({ id }) => id === prompt);
}

/** Name of the field with the value of a key, such as `key user+browser`. */
export function keyField(parts: readonly string[]): string {
  return `key ${parts.join('+')}`;
}

function keyFields(
  keys: readonly { readonly key: string; readonly parts: readonly string[] }[],
): Readonly<Record<string, FactScalar>> {
  return Object.fromEntries(keys.map(({ key, parts }) => [keyField(parts), key]));
}
