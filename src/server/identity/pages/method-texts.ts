import type { PasskeyType, TargetedMethod } from '../../../../machines/vocabulary.ts';

/** How the pages speak of a method that a campaign targets. */
export interface MethodTexts {
  readonly heading: string;
  /** What it is, in the middle of a sentence. */
  readonly noun: string;
  readonly why: string;
}

const methodTexts: Readonly<Record<TargetedMethod, MethodTexts>> = {
  vendorAuthenticator: {
    heading: 'Set up the authenticator app',
    noun: 'the authenticator app',
    why: 'Approving a request on your phone is safer than a text message, and quicker.',
  },
  fido2: {
    heading: 'Set up a passkey',
    noun: 'a passkey',
    why: 'A passkey lets you sign in with your face, fingerprint or PIN. It cannot be phished.',
  },
};

/** The texts of the method that a sign-in is asked for. Takes what the view says; `null` stands for no prompt. */
export function getMethodTexts(method: TargetedMethod | null): MethodTexts {
  return methodTexts[method ?? 'vendorAuthenticator'];
}

/** What people call the rows of the passkey matrix (R12). */
export const passkeyTypeLabels: Readonly<Record<PasskeyType, string>> = {
  'windows-hello-for-business': 'Windows Hello for Business',
  'windows-bound': 'Bound to this Windows device',
  'password-manager': 'Password manager',
  keychain: 'Keychain of phone or Mac',
  'mac-platform-sso': 'Platform single sign-on of the Mac',
  'handset-vendor': 'Account of the phone maker',
  'authenticator-app': 'Authenticator app',
  'security-key': 'Security key',
};
