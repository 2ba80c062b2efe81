import { listReasons } from '../../machines/ruleset-gates.ts';
import { type Ruleset, reasonCodes } from '../../machines/vocabulary.ts';
import type { Fault } from '../contract/fault.schema.ts';
import type { ExpectationKey, Step } from '../contract/scenario.schema.ts';
import { observableKeys, pageSteps } from '../contract/step-expectations.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { describeUnknownName, suggestName } from '../core/nearest-name.ts';
import type { ScenarioSource } from './scenario-source.ts';

/** Checks that a scenario contains at least one expectation. Throws `scenario-invalid`. */
export function checkExpectations(steps: readonly Step[], source: ScenarioSource): void {
  if (steps.some((step) => step.expect !== null)) return;
  const problems = [{ location: source.place(['steps']), message: 'a scenario must have at least one expect' }];
  throw new NudgeLabError('scenario-invalid', { problems });
}

/**
 * Validates what is known before the scenario runs: users must exist, tabs must be open, and each step must support
 * its expectations. Tabs are checked only if `whole` is true, because no step is missing then. Throws
 * `scenario-invalid` with every problem.
 */
export function checkSteps(
  steps: readonly Step[],
  {
    userIds,
    whole,
    source,
  }: { readonly userIds: readonly string[]; readonly whole: boolean; readonly source: ScenarioSource },
): void {
  const problems: ValidationProblem[] = [];
  const opened: OpenedTabs = { names: new Set(), any: false };
  for (const step of steps) {
    const faults = [...userFaults(step, userIds), ...(whole ? promptFaults(step, opened) : []), ...expectFaults(step)];
    problems.push(...faults.map((message) => ({ location: source.place(['steps', step.index]), message })));
    if (step.kind !== 'signIn') continue;
    opened.any = true;
    opened.names.add(step.say.as ?? step.say.user);
  }
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
}

/**
 * Checks that each expected reason is one that a verdict can have: a built-in one, or one of the ruleset. Throws
 * `scenario-invalid` with every problem.
 */
export function checkReasons(steps: readonly Step[], ruleset: Ruleset, source: ScenarioSource): void {
  const known = [...new Set<string>([...reasonCodes, ...listReasons(ruleset)])];
  const problems = steps.flatMap(({ index, expect }): readonly ValidationProblem[] => {
    const reason = expect?.reason;
    if (reason === undefined || reason === null || known.includes(reason)) return [];
    const location = source.place(['steps', index, 'expect', 'reason']);
    return [{ location, message: `steps.${index}.expect.reason: ${describeUnknownName(reason, known)}` }];
  });
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
}

/** Checks that the initial faults name existing users. Throws `scenario-invalid`. */
export function checkFaults(faults: readonly Fault[], userIds: readonly string[], source: ScenarioSource): void {
  const unknown = listUsers(faults).filter((userId) => !userIds.includes(userId));
  if (unknown.length === 0) return;
  const place = source.place(['given', 'faults']);
  throw new NudgeLabError('scenario-invalid', {
    problems: unknown.map((userId) => ({ location: place, message: notGiven(userId, userIds) })),
  });
}

/** Tabs opened by the steps so far. */
interface OpenedTabs {
  readonly names: Set<string>;
  any: boolean;
}

function userFaults(step: Step, userIds: readonly string[]): readonly string[] {
  const named = step.kind === 'setFaults' ? listUsers(step.say) : [findUser(step), findHint(step), findTokenUser(step)];
  return named.flatMap((userId) =>
    userId === undefined || userIds.includes(userId) ? [] : [notGiven(userId, userIds)],
  );
}

/** Returns the user that the application of a sign-in suggests. */
function findHint(step: Step): string | undefined {
  return step.kind === 'signIn' ? step.say.loginHint : undefined;
}

/** Returns the user for whom the token of an API request acts. */
function findTokenUser(step: Step): string | undefined {
  return step.kind === 'callApi' && typeof step.say.as === 'object' ? step.say.as.user : undefined;
}

function listUsers(faults: readonly Fault[]): readonly string[] {
  return faults.flatMap((fault) => ('user' in fault && fault.user !== undefined ? [fault.user] : []));
}

function notGiven(userId: string, userIds: readonly string[]): string {
  return `user "${userId}" is not in this scenario; given.users has ${userIds.join(', ') || 'none'}${suggestName(userId, userIds)}`;
}

function promptFaults(step: Step, { names, any }: OpenedTabs): readonly string[] {
  if (!answersPrompt(step)) return [];
  if (!any) return [`${step.kind} requires a prompt, and no earlier step can have shown one`];
  const prompt = findPromptName(step);
  if (prompt === undefined || names.has(prompt)) return [];
  return [
    `"${prompt}" is not an earlier sign-in; earlier sign-ins are ${[...names].join(', ') || 'none'}${suggestName(prompt, [...names])}`,
  ];
}

function expectFaults(step: Step): readonly string[] {
  const keys = Object.keys(step.expect ?? {}) as ExpectationKey[];
  return keys
    .filter((key) => observableKeys[key]?.includes(step.kind) === false)
    .map((key) => `${step.kind} does not return ${key}`);
}

/** Returns true if a step is an action on a prompt or leaves it. */
export function answersPrompt({ kind }: Step): boolean {
  return kind !== 'signIn' && pageSteps.includes(kind);
}

/** Returns the user that a step names. */
export function findUser(step: Step): string | undefined {
  return findText(step, 'user');
}

/** Returns the name of the tab in which a step is performed, or `undefined` for the latest tab. */
export function findPromptName(step: Step): string | undefined {
  return findText(step, step.kind === 'signOut' ? 'as' : 'prompt');
}

function findText(step: Step, key: string): string | undefined {
  const said: unknown = step.say;
  const value = isPlainObject(said) ? said[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
