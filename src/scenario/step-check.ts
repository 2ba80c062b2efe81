import type { Fault } from '../contract/fault.schema.ts';
import type { ExpectationKey, Step } from '../contract/scenario.schema.ts';
import { observableKeys, pageSteps } from '../contract/step-expectations.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import type { ScenarioSource } from './scenario-source.ts';

/** Checks that a scenario expects something somewhere. Throws `scenario-invalid`. */
export function checkExpectations(steps: readonly Step[], source: ScenarioSource): void {
  if (steps.some((step) => step.expect !== null)) return;
  const problems = [{ place: source.place(['steps']), message: 'a scenario needs at least one expect' }];
  throw new NudgeLabError('scenario-invalid', { problems });
}

/**
 * Checks what can be known before anything runs: users that exist, tabs that were opened, and expectations that the step can
 * show at all. Tabs are left alone unless `whole` says that no step is missing. Throws `scenario-invalid` with every fault.
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
    problems.push(...faults.map((message) => ({ place: source.place(['steps', step.index]), message })));
    if (step.kind !== 'signIn') continue;
    opened.any = true;
    opened.names.add(step.say.as ?? step.say.user);
  }
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
}

/** Checks that the faults that a scenario begins with meet users who exist. Throws `scenario-invalid`. */
export function checkFaults(faults: readonly Fault[], userIds: readonly string[], source: ScenarioSource): void {
  const unknown = usersOf(faults).filter((userId) => !userIds.includes(userId));
  if (unknown.length === 0) return;
  const place = source.place(['given', 'faults']);
  throw new NudgeLabError('scenario-invalid', {
    problems: unknown.map((userId) => ({ place, message: notGiven(userId, userIds) })),
  });
}

/** The sign-ins that the steps so far have begun. */
interface OpenedTabs {
  readonly names: Set<string>;
  any: boolean;
}

function userFaults(step: Step, userIds: readonly string[]): readonly string[] {
  const named = step.kind === 'setFaults' ? usersOf(step.say) : [findUser(step), hintOf(step)];
  return named.flatMap((userId) =>
    userId === undefined || userIds.includes(userId) ? [] : [notGiven(userId, userIds)],
  );
}

/** Whom the application of a sign-in suggests. */
function hintOf(step: Step): string | undefined {
  return step.kind === 'signIn' ? step.say.loginHint : undefined;
}

function usersOf(faults: readonly Fault[]): readonly string[] {
  return faults.flatMap((fault) => ('user' in fault && fault.user !== undefined ? [fault.user] : []));
}

function notGiven(userId: string, userIds: readonly string[]): string {
  return `user "${userId}" is in no tenant of this scenario; given.users has ${userIds.join(', ') || 'none'}`;
}

function promptFaults(step: Step, { names, any }: OpenedTabs): readonly string[] {
  if (!answersPrompt(step)) return [];
  if (!any) return [`${step.kind} answers a prompt, and no prompt can have been shown yet`];
  const prompt = findPromptName(step);
  if (prompt === undefined || names.has(prompt)) return [];
  return [`no sign-in before this step is called "${prompt}"; there are ${[...names].join(', ') || 'none'}`];
}

function expectFaults(step: Step): readonly string[] {
  const keys = Object.keys(step.expect ?? {}) as ExpectationKey[];
  return keys
    .filter((key) => observableKeys[key]?.includes(step.kind) === false)
    .map((key) => `${step.kind} shows no ${key}`);
}

/** Whether a step answers a prompt, or leaves it. */
export function answersPrompt({ kind }: Step): boolean {
  return kind !== 'signIn' && pageSteps.includes(kind);
}

/** The user that a step names. */
export function findUser(step: Step): string | undefined {
  return textOf(step, 'user');
}

/** The tab that a step is done in, by its name; `undefined` means the latest. */
export function findPromptName(step: Step): string | undefined {
  return textOf(step, step.kind === 'signOut' ? 'as' : 'prompt');
}

function textOf(step: Step, key: string): string | undefined {
  const said: unknown = step.say;
  const value = isPlainObject(said) ? said[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
