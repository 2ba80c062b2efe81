import type { PasskeyType } from '../../machines/vocabulary.ts';

/**
 * The words of steps that anyone who runs scenarios needs without a schema: a run that reads nothing again then never loads the
 * schemas and what they are made with.
 */

/** What a step ends at, as a person sees it. */
export const pageNames = [
  'prompt',
  'required',
  'setup',
  'error-screen',
  'signed-in',
  'not-nudged',
  'blocked',
  'terms-of-use',
  'security-info',
  'custom-controls',
  'mfa',
  'name',
  'closed',
  'account-picker',
  'stay-signed-in',
  'consent',
  'application',
  'application-refused',
  'sign-out',
  'signed-out',
] as const;
/** The name of a page as scenarios and drivers use it. */
export type PageName = (typeof pageNames)[number];

/** Screens of name, password and second factor, told apart by what they ask for; a sign-in goes through them before it is evaluated. */
export const factorScreens = ['name', 'password', 'code', 'number', 'passkey', 'choice', 'elsewhere'] as const;
export type FactorScreen = (typeof factorScreens)[number];

/** The verbs of steps; every driver of this program does all of them. */
export const stepKinds = [
  'signIn',
  'signOut',
  'next',
  'skip',
  'closeBrowser',
  'abandon',
  'reload',
  'register',
  'upgradePasskey',
  'failRegistration',
  'skipError',
  'advance',
  'setClock',
  'setTenant',
  'setFaults',
  'setUser',
  'removeMethod',
  'getPolicy',
  'patchPolicy',
  'explain',
  'lookup',
  'document',
] as const;
/** The kind of a step: its key in a scenario file. */
export type StepKind = (typeof stepKinds)[number];

/** What a sign-in that begins at an application says besides the attempt. */
export const applicationKeys = [
  'client',
  'account',
  'staySignedIn',
  'consent',
  'prompt',
  'maxAge',
  'acrValues',
  'loginHint',
] as const;

/** What a sign-in says about passkeys besides the attempt. */
export const passkeyKeys = ['usernameless', 'origin'] as const;

/** Expectations about the snooze nudge status of the user that the step is about. */
export const nudgeStatusKeys = ['snoozes', 'snoozesLeft', 'nextPromptAt', 'state'] as const;

/** The passkey that a device makes when a step names none (the platform's own kind). */
export function defaultPasskeyType(os: string | undefined): PasskeyType {
  switch (os) {
    case undefined:
    case 'windows':
      return 'windows-bound';
    case 'macos':
    case 'ios':
      return 'keychain';
    case 'android':
      return 'handset-vendor';
    default:
      return 'security-key';
  }
}
