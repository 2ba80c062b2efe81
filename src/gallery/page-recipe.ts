import type { PageControl } from '../contract/page-controls.ts';
import type { SandboxInput } from '../sandbox/sandbox.ts';
import type { PageOfServer } from '../server/identity/pages/page-names.ts';

/** Action of a user, a browser, or a tester that leads to a page. */
export type PageStep =
  /** Opens a path of the sandbox. */
  | { readonly kind: 'open'; readonly path: string }
  /** Starts the sign-in of an application, with parameters in addition to those that every request has. */
  | { readonly kind: 'authorize'; readonly client: string; readonly parameters?: Readonly<Record<string, string>> }
  /** Lets a device of an application request a code. Its user enters the code as `deviceCode`. */
  | { readonly kind: 'startDevice'; readonly client: string }
  /** Presses a button, after entering texts into fields of its form. */
  | {
      readonly kind: 'press';
      /** Stable name of the button, or the value that it submits if it has no name. */
      readonly control: PageControl | (string & {});
      readonly texts?: Readonly<Record<string, string>>;
      /** Field that the form is sent without. Only a changed page can do this. */
      readonly omitted?: string;
    }
  /** Presses a button that uses a passkey, and responds as an authenticator that the server does not know. */
  | { readonly kind: 'useWrongPasskey'; readonly control: PageControl }
  /** Presses a button that creates a passkey, with an authenticator of unknown model. */
  | { readonly kind: 'createPasskey'; readonly control: PageControl }
  /** Loads the page of the sign-in again. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'advance'; readonly minutes: number }
  /** Changes the user of the sandbox, as an administrator or another window does. */
  | { readonly kind: 'changeUser'; readonly user: Readonly<Record<string, unknown>> };

/** Text that is replaced by the code of the device that requested one last. */
export const deviceCode = '(the code of the device)';

/** A state of a page, with everything that leads to it. */
export interface PageRecipe {
  /** Unique name of the state. */
  readonly state: string;
  /** Page that the steps end on. */
  readonly page: PageOfServer;
  /** Sandbox in which the steps begin. It has one user, Ada. */
  readonly sandbox: Omit<SandboxInput, 'users'> & { readonly user?: Readonly<Record<string, unknown>> };
  readonly steps: readonly PageStep[];
}

/** Username, password and code of the user of every recipe: the defaults of a sandbox. */
const userName = 'ada@example.test';
const password = 'correct horse';
const code = '123456';

/** Path where a sign-in starts, with facts of the attempt. Without facts, it is on Windows with Chrome. */
export function startPath(facts: Readonly<Record<string, string>> = {}): string {
  return `/sign-in?${new URLSearchParams({ os: 'windows', browser: 'chrome', ...facts })}`;
}

/** Opens a path of the sandbox. */
export function open(path: string): PageStep {
  return { kind: 'open', path };
}

/** Presses a button, after entering texts by the stable names of their fields. */
export function press(control: PageControl | (string & {}), texts: Readonly<Record<string, string>> = {}): PageStep {
  return { kind: 'press', control, texts };
}

/** Steps from a start page to the end of each factor. */
export const enterName = press('next', { username: userName });
export const enterPassword = press('submit-password', { password });
export const enterCode = press('verify-code', { code });

/** Steps of a whole sign-in with a code. */
export const wholeSignIn: readonly PageStep[] = [enterName, enterPassword, enterCode];

/** Steps to the password page. */
export function toPassword(facts?: Readonly<Record<string, string>>): readonly PageStep[] {
  return [open(startPath(facts)), enterName];
}

/** Steps to the page of the second factor. */
export function toSecondFactor(facts?: Readonly<Record<string, string>>): readonly PageStep[] {
  return [...toPassword(facts), enterPassword];
}

/** Steps through a whole sign-in. */
export function throughSignIn(facts?: Readonly<Record<string, string>>): readonly PageStep[] {
  return [open(startPath(facts)), ...wholeSignIn];
}

/** Campaign that prompts all users for a method. */
export function campaignFor(method: 'vendorAuthenticator' | 'fido2', settings: object = {}): object {
  const allUsers = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method };
  return { campaign: { state: 'enabled', includeTargets: [allUsers], ...settings } };
}

/** Campaign that prompts no one. */
export const noCampaign = { campaign: { state: 'disabled' } };

/** Creates a recipe. The default sandbox prompts all users for the authenticator app. */
export function recipe(
  state: string,
  page: PageOfServer | (string & {}),
  sandbox: PageRecipe['sandbox'],
  steps: readonly PageStep[],
): PageRecipe {
  return {
    state,
    page: page as PageOfServer,
    sandbox: { tenant: campaignFor('vendorAuthenticator'), ...sandbox },
    steps,
  };
}
