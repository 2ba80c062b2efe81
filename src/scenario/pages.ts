import type { Screen } from '../../machines/sign-in.machine.ts';
import type { MfaMethod, TargetedMethod } from '../../machines/vocabulary.ts';
import type { StepOf } from '../contract/scenario.schema.ts';
import type { FactorScreen, PageName } from '../contract/step-names.ts';
import { NudgeLabError } from '../core/errors.ts';

/** The pages that scenarios know, by screen; a sign-in never rests at the others. */
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

/** The page of a screen. Throws a `RangeError` for a screen at which no step can end. */
export function getPageName(screen: Screen): PageName {
  const page = pageByScreen[screen];
  if (page === undefined) throw new RangeError(`No step ends at the screen ${screen}.`);
  return page;
}

/** What the screen of a second factor asks for: a code where no method is named. */
export function getFactorScreen(method: MfaMethod | null): FactorScreen {
  if (method === 'passkey') return 'passkey';
  return method === 'authenticator-push' ? 'number' : 'code';
}

/** The failure of a step that ended at a page which scenarios do not know. Takes its name, and what it says was wrong. */
export function noPageOfSteps(page: string, error: string | null): NudgeLabError {
  const end = error === null ? '.' : `, which says: ${error}`;
  return new NudgeLabError('driver-failed', { message: `The step ended at the page "${page}"${end}` });
}

/** A step that brings a passkey where the campaign asks for the app contradicts itself. Throws `driver-failed`. */
export function refusePasskeyForApp(step: StepOf<'register'>, method: TargetedMethod | null): void {
  if (method === 'fido2' || step.say.passkey === undefined) return;
  throw new NudgeLabError('driver-failed', {
    message: 'The step registers a passkey, and this campaign asks for the authenticator app.',
  });
}
