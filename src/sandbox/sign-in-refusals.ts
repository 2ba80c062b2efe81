import { rulesAt } from '../../machines/own/own-ruleset.ts';
import type { Screen } from '../../machines/sign-in.machine.ts';
import { resolveMfaMethod } from '../contract/attempt-facts.ts';
import { NudgeLabError } from '../core/errors.ts';
import { describeUnknownName } from '../core/nearest-name.ts';
import type { SandboxState, SignInRecord, UserRecord } from '../journal/state.ts';
import { reservedAnswers } from './own-prompt-view.ts';
import { pageNames } from './screen-names.ts';
import type { SignInView } from './sign-in-view.ts';

/** Returns the error that a fault causes for the requested second factor, or `null` if there is none. */
export function findObstacle(
  { patch, factors }: SignInRecord,
  { facts }: UserRecord,
): 'second-factor-rejected' | 'second-factor-pending' | null {
  const method = resolveMfaMethod(patch, facts);
  if (method === 'sms' || method === 'voice') return factors.codeLost === true ? 'second-factor-rejected' : null;
  if (method !== 'authenticator-push') return null;
  if (factors.push?.lost === true) return 'second-factor-pending';
  return factors.push?.answer === 'denied' ? 'second-factor-rejected' : null;
}

/** Returns the error of an action that the screen of a sign-in does not allow. */
export function createScreenRefusal(screen: Screen, allowed: readonly Screen[]): NudgeLabError {
  // A different screen with the same page name is omitted, because the message would contradict itself.
  const wanted = allowed.map((one) => pageNames[one]).filter((name) => name !== pageNames[screen]);
  const message = `The sign-in is on the page ${pageNames[screen]}; this action requires ${wanted.join(' or ')}.`;
  return new NudgeLabError('unexpected-screen', { message });
}

/** Rejects an answer that the own campaign of a sandbox does not have, and any answer without one. */
export function refuseUnknownAnswer({ own, lastAtMs }: SandboxState, answer: string | undefined): void {
  if (answer === undefined) return;
  const known =
    own === null ? [] : Object.keys(rulesAt(own.ruleset, lastAtMs).answers).filter((id) => !reservedAnswers.has(id));
  if (known.includes(answer)) return;
  const message = own === null ? 'only a ruleset with the base own has answers' : describeUnknownName(answer, known);
  throw new NudgeLabError('bad-request', { problems: [{ location: 'answer', message }] });
}

/** Returns the error of a skip that the verdict does not allow. */
export function createSkipRefusal(view: SignInView): NudgeLabError {
  if (view.own !== undefined) {
    return new NudgeLabError('skip-not-allowed', { message: `Setup is required: ${view.own.method.label}.` });
  }
  return new NudgeLabError('skip-not-allowed', {
    message: `Registering a ${view.method === 'fido2' ? 'passkey' : 'authenticator app'} is required: no snoozes are left.`,
  });
}

/** Creates the error for a sign-in that does not exist. */
export function createUnknownSignIn(signInId: string): NudgeLabError {
  return new NudgeLabError('sign-in-not-found', {
    message: `Sign-in "${signInId}" does not exist or is no longer stored.`,
  });
}
