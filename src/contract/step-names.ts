import type { PasskeyType } from '../../machines/vocabulary.ts';

/**
 * Names of steps that scenario runs need without a schema. Keeping them separate means that a run without parsing never
 * loads the schemas and their dependencies.
 */

/** Possible final pages of a step. */
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
/** Name of a page in scenarios and drivers. */
export type PageName = (typeof pageNames)[number];

/** Screens for name, password, and second factor, named after the requested input. They precede the evaluation. */
export const factorScreens = ['name', 'password', 'code', 'number', 'passkey', 'choice', 'elsewhere'] as const;
export type FactorScreen = (typeof factorScreens)[number];

/** Kinds of steps. Every built-in driver supports all of them. */
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
  'callApi',
  'explain',
  'lookup',
  'document',
] as const;
/** Kind of a step: its key in a scenario file. */
export type StepKind = (typeof stepKinds)[number];

/** Kinds of steps that only scenarios with a ruleset file have. */
export const rulesetStepKinds = ['clearBrowser', 'resetLedger'] as const;

/** Keys of a sign-in that starts at an application, in addition to the attempt facts. */
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

/** Keys of a sign-in that control passkeys, in addition to the attempt facts. */
export const passkeyKeys = ['usernameless', 'origin'] as const;

/** Expectation keys for the nudge status of the step's user. */
export const nudgeStatusKeys = ['snoozes', 'snoozesLeft', 'nextPromptAt', 'state'] as const;

/** Returns the passkey type that a device creates by default, which is the usual type of its platform. */
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
