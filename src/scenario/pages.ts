import type { Screen } from '../../machines/sign-in.machine.ts';
import type { MfaMethod, TargetedMethod } from '../../machines/vocabulary.ts';
import type { StepOf } from '../contract/scenario.schema.ts';
import type { FactorScreen, PageName } from '../contract/step-names.ts';
import { NudgeLabError } from '../core/errors.ts';

/** Page names of scenarios by screen. A sign-in never stops at any other screen. */
const pageByScreen: Readonly<Partial<Record<Screen, PageName>>> = {
  mfa: 'mfa',
  termsOfUse: 'terms-of-use',
  securityInfo: 'security-info',
  customControls: 'custom-controls',
  blocked: 'blocked',
  prompt: 'prompt',
  required: 'required',
  setup: 'setup',
  setupTest: 'setup',
  setupName: 'setup',
  errorScreen: 'error-screen',
  expired: 'closed',
  resolved: 'signed-in',
  signedIn: 'signed-in',
  notNudged: 'not-nudged',
};

/** Returns the page name of a screen. Throws a `RangeError` for a screen at which no step can end. */
export function getPageName(screen: Screen): PageName {
  const page = pageByScreen[screen];
  if (page === undefined) throw new RangeError(`No step ends at the screen ${screen}.`);
  return page;
}

/** Returns what the second-factor screen requests, which is a code if no method is named. */
export function getFactorScreen(method: MfaMethod | null): FactorScreen {
  if (method === 'passkey') return 'passkey';
  return method === 'authenticator-push' ? 'number' : 'code';
}

/**
 * Creates the error for a step that ended at a page without a name in scenarios. `error` is the error message on
 * that page.
 */
export function noPageOfSteps(page: string, error: string | null): NudgeLabError {
  const end = error === null ? '.' : `, which shows the error: ${error}`;
  return new NudgeLabError('driver-failed', { message: `The step ended at the page "${page}"${end}` });
}

/** Rejects a step with a passkey if the campaign targets the app. Throws `driver-failed`. */
export function refusePasskeyForApp(step: StepOf<'register'>, method: TargetedMethod | null): void {
  if (method === 'fido2' || step.say.passkey === undefined) return;
  throw new NudgeLabError('driver-failed', {
    message: 'The step registers a passkey, but this campaign prompts for the authenticator app.',
  });
}
