import type { StepOf } from '../contract/scenario.schema.ts';
import type { applicationKeys, PageName, passkeyKeys } from '../contract/step-names.ts';
import { NudgeLabError } from '../core/errors.ts';

type SignInSay = StepOf<'signIn'>['say'];

/** Step options for the application at which a sign-in starts. */
export interface ApplicationOptions {
  readonly clientId: string;
  /** Key of the device and browser. Sign-ins with the same key share a session, like the tabs of a browser. */
  readonly browser: string;
  readonly account: SignInSay['account'];
  readonly staySignedIn: SignInSay['staySignedIn'];
  readonly consent: SignInSay['consent'];
  readonly request: ApplicationRequest;
}

/** Options of an application's authorization request in addition to the sign-in. */
export interface ApplicationRequest {
  readonly prompt: SignInSay['prompt'];
  /** Maximum authentication age, in seconds. */
  readonly maxAge: SignInSay['maxAge'];
  readonly acrValues: SignInSay['acrValues'];
  /** Id of the user to suggest. */
  readonly loginHint: SignInSay['loginHint'];
}

/** Options of a `signIn` step, grouped by purpose. */
export interface SignInParts {
  readonly user: string;
  /** Name of the tab. */
  readonly tab: string;
  readonly otherWay: SignInSay['otherWay'];
  /** True if the user picks a passkey on the first page. */
  readonly usernameless: boolean;
  /** Origin of the page that uses passkeys, or `null` for the origin of the server. */
  readonly origin: string | null;
  readonly attempt: Omit<
    SignInSay,
    'user' | 'as' | 'otherWay' | (typeof applicationKeys)[number] | (typeof passkeyKeys)[number]
  >;
  /** Application options, or `null` if the sign-in starts at the sign-in URL itself. */
  readonly application: ApplicationOptions | null;
}

/** Splits the options of a `signIn` step into user, tab, facts and application. */
export function signInParts(say: SignInSay): SignInParts {
  const { user, as, otherWay, usernameless = false, origin = null, ...of } = say;
  const { client, account, staySignedIn, consent, prompt, maxAge, acrValues, loginHint, ...attempt } = of;
  const request = { prompt: account === undefined ? prompt : 'select_account', maxAge, acrValues, loginHint } as const;
  const browser = toBrowserKey(attempt);
  const application =
    client === undefined ? null : { clientId: client, browser, account, staySignedIn, consent, request };
  return { user, tab: as ?? user, otherWay, usernameless, origin, attempt, application };
}

/** Returns the key of a browser, which consists of the device and the program that shows the sign-in. */
function toBrowserKey({
  deviceId = 'device-1',
  os = 'windows',
  browser,
  surface = 'browser',
}: SignInParts['attempt']): string {
  // Facts without a browser use the default one, and `null` means that there is no browser.
  return JSON.stringify([deviceId, os, browser === undefined ? 'chrome' : browser, surface]);
}

/** User action on a page between an application and the end of its sign-in, by the stable name of its button. */
export type ApplicationAction = 'keep' | 'other' | 'stay' | 'go' | 'grant' | 'refuse';

/** Pages between an application and the end of its sign-in. */
export type ApplicationPage = 'account-picker' | 'stay-signed-in' | 'consent';

/** Result of a sign-in for the application: a code, an error, or a sign-out. */
export type ApplicationEnd = 'application' | 'application-refused' | 'signed-out';

/**
 * Sign-in of an application: the user's actions on its pages, the pages that were shown, and the result. All
 * drivers use this class, so they act identically.
 */
export class ApplicationSession {
  readonly clientId: string;
  readonly userId: string;
  readonly browser: string;
  /** Options of the application's request in addition to the sign-in. */
  readonly request: ApplicationRequest;
  readonly #options: ApplicationOptions;
  readonly #before: ApplicationPage[] = [];
  readonly #after: ApplicationPage[] = [];
  #end: ApplicationEnd | null = null;

  /** Creates a sign-in of a user with the options of the step. */
  constructor(userId: string, options: ApplicationOptions) {
    this.userId = userId;
    this.clientId = options.clientId;
    this.browser = options.browser;
    this.request = options.request;
    this.#options = options;
  }

  /** Returns true if the step selects an account, which requires a signed-in user. */
  get choosesAccount(): boolean {
    return this.#options.account !== undefined;
  }

  /** Returns the result of the sign-in, or `null` while it is in progress. */
  get end(): ApplicationEnd | null {
    return this.#end;
  }

  /**
   * Returns the user action on a page and records that the page was shown. Returns `null` if the page has no such
   * action.
   */
  answerAt(page: string): ApplicationAction | null {
    const { account, staySignedIn, consent } = this.#options;
    switch (page) {
      case 'account-picker':
        this.#before.push(page);
        return account === 'another' ? 'other' : 'keep';
      case 'stay-signed-in':
        this.#after.push(page);
        return staySignedIn === true ? 'stay' : 'go';
      case 'consent':
        this.#after.push(page);
        return consent === 'refuse' ? 'refuse' : 'grant';
      default:
        return null;
    }
  }

  /** Returns all pages that were shown, in order. `ofSignIn` are the pages of the sign-in itself. */
  visitedPages(ofSignIn: readonly PageName[]): readonly PageName[] {
    return [...this.#before, ...ofSignIn, ...this.#after];
  }

  /**
   * Records the result for the application. Throws `driver-failed` if the step contains an action whose page was not
   * shown.
   */
  ended(end: ApplicationEnd): void {
    this.#end = end;
    if (end === 'signed-out') return;
    const { staySignedIn, consent } = this.#options;
    if (staySignedIn !== undefined && !this.#after.includes('stay-signed-in')) {
      throw neverRequested('staySignedIn', 'the tenant does not offer it, or this browser was already signed in');
    }
    if (consent !== undefined && !this.#after.includes('consent')) {
      throw neverRequested('consent', 'the user has already consented in this session');
    }
  }

  /** Rejects an action after the tab has left the sign-in pages. Throws `driver-failed`. */
  refuseAnswer(): void {
    if (this.#end === null) return;
    const where = this.#end === 'signed-out' ? 'has signed out' : `is back at its application "${this.clientId}"`;
    throw impossible(`The tab ${where}, so it has no open sign-in page.`);
  }

  /** Rejects a sign-out before the application has received its user. Throws `driver-failed`. */
  refuseEarlySignOut(): void {
    if (this.#end === null)
      throw impossible('The sign-in of this tab has not ended, so there is nothing to sign out of.');
  }

  /** Returns an independent copy of the sign-in. */
  copy(): ApplicationSession {
    const copy = new ApplicationSession(this.userId, this.#options);
    copy.#before.push(...this.#before);
    copy.#after.push(...this.#after);
    copy.#end = this.#end;
    return copy;
  }
}

/** Returns the button for a sign-out, depending on what the user signs out of. */
export function signOutControl(from: StepOf<'signOut'>['say']['from']): 'sign-out' | 'keep-session' {
  return from === 'everything' ? 'sign-out' : 'keep-session';
}

/** Creates the error for a step that selects an account while no user is signed in. */
export function noAccountToPick(): NudgeLabError {
  return impossible(
    'account: no one is signed in to this browser, so no account can be picked. Remove account, or sign in first.',
  );
}

/** Creates the error for a step whose user is not the one signed in in the browser. Both users are given by id. */
export function signedInAsAnother(userId: string, other: string): NudgeLabError {
  return impossible(
    `This browser is signed in as ${other} and continues as ${other}. To sign in as ${userId}, use account: another, or sign out first.`,
  );
}

/** Creates the error for a sign-out in a browser without a signed-in user. */
export function nobodySignedIn(): NudgeLabError {
  return impossible('No one is signed in to this browser, so there is nothing to sign out of.');
}

/** Creates the error for a sign-out that did not redirect to the application's URL. */
export function notLedBack(address: string): NudgeLabError {
  return impossible(`The sign-out did not redirect to ${address}.`);
}

/** Creates the error for an action after the application stopped waiting. */
export function applicationHasGivenUp(clientId: string): NudgeLabError {
  return impossible(`"${clientId}" waited for an hour and no longer accepts this sign-in. Start another one.`);
}

/** Creates the error for an application step in a tab whose sign-in started without an application. */
export function noApplication(): NudgeLabError {
  return impossible('The sign-in of this tab did not start at an application. Add a client to the sign-in.');
}

function neverRequested(key: string, reason: string): NudgeLabError {
  return impossible(`${key} was never requested: ${reason}. Remove it.`);
}

function impossible(message: string): NudgeLabError {
  return new NudgeLabError('driver-failed', { message });
}
