import type { StepOf } from '../contract/scenario.schema.ts';
import type { applicationKeys, PageName, passkeyKeys } from '../contract/step-names.ts';
import { NudgeLabError } from '../core/errors.ts';

type SignInSay = StepOf<'signIn'>['say'];

/** What a step says of the application at which its sign-in begins. */
export interface ApplicationOptions {
  readonly clientId: string;
  /** Whose device and browser it is: sign-ins of the same ones share their session, as tabs of a browser do. */
  readonly browser: string;
  readonly account: SignInSay['account'];
  readonly staySignedIn: SignInSay['staySignedIn'];
  readonly consent: SignInSay['consent'];
  readonly request: ApplicationRequest;
}

/** What the authorization request of an application asks for besides a sign-in. */
export interface ApplicationRequest {
  readonly prompt: SignInSay['prompt'];
  /** In seconds. */
  readonly maxAge: SignInSay['maxAge'];
  readonly acrValues: SignInSay['acrValues'];
  /** Id of a user. */
  readonly loginHint: SignInSay['loginHint'];
}

/** What a `signIn` says, by what it is for. */
export interface SignInParts {
  readonly user: string;
  /** Name of its tab. */
  readonly tab: string;
  readonly otherWay: SignInSay['otherWay'];
  /** The facts of the attempt. */
  /** Whether the user picks a passkey on the first page. */
  readonly usernameless: boolean;
  /** The origin of the page that uses passkeys; `null` for that of the server. */
  readonly origin: string | null;
  readonly attempt: Omit<
    SignInSay,
    'user' | 'as' | 'otherWay' | (typeof applicationKeys)[number] | (typeof passkeyKeys)[number]
  >;
  /** `null` for a sign-in that begins at the address of the sign-in itself. */
  readonly application: ApplicationOptions | null;
}

/** Takes a `signIn` apart: who, in which tab, which facts, and from which application. */
export function signInParts(say: SignInSay): SignInParts {
  const { user, as, otherWay, usernameless = false, origin = null, ...of } = say;
  const { client, account, staySignedIn, consent, prompt, maxAge, acrValues, loginHint, ...attempt } = of;
  const request = { prompt: account === undefined ? prompt : 'select_account', maxAge, acrValues, loginHint } as const;
  const browser = browserOf(attempt);
  const application =
    client === undefined ? null : { clientId: client, browser, account, staySignedIn, consent, request };
  return { user, tab: as ?? user, otherWay, usernameless, origin, attempt, application };
}

/** A browser by what makes it one: the device, and the program that the sign-in is in. */
function browserOf({
  deviceId = 'device-1',
  os = 'windows',
  browser,
  surface = 'browser',
}: SignInParts['attempt']): string {
  // Facts without a browser take the default one; `null` says that there is none.
  return JSON.stringify([deviceId, os, browser === undefined ? 'chrome' : browser, surface]);
}

/** What the user chooses on a page between an application and the end of its sign-in: the stable names of the buttons. */
export type ApplicationAction = 'keep' | 'other' | 'stay' | 'go' | 'grant' | 'refuse';

/** The pages between an application and the end of its sign-in. */
export type ApplicationPage = 'account-picker' | 'stay-signed-in' | 'consent';

/** The ways in which a sign-in is over for the application: with a code, with an error, or signed out again. */
export type ApplicationEnd = 'application' | 'application-refused' | 'signed-out';

/**
 * One sign-in of an application: what its user answers at the pages that belong to it, which of them were shown, and how it
 * ended. Whatever walks the pages asks here, so that all drivers answer alike.
 */
export class ApplicationSession {
  readonly clientId: string;
  readonly userId: string;
  readonly browser: string;
  /** What the application asks for besides a sign-in. */
  readonly request: ApplicationRequest;
  readonly #wish: ApplicationOptions;
  readonly #before: ApplicationPage[] = [];
  readonly #after: ApplicationPage[] = [];
  #end: ApplicationEnd | null = null;

  /** Takes who signs in, and what the step says. */
  constructor(userId: string, wish: ApplicationOptions) {
    this.userId = userId;
    this.clientId = wish.clientId;
    this.browser = wish.browser;
    this.request = wish.request;
    this.#wish = wish;
  }

  /** Whether the step chooses an account, so that someone has to be signed in. */
  get choosesAccount(): boolean {
    return this.#wish.account !== undefined;
  }

  /** How it ended; `null` while it goes on. */
  get end(): ApplicationEnd | null {
    return this.#end;
  }

  /** The answer at a page, which is noted as shown. Takes the name of the page; `null` for one that asks nothing of this kind. */
  answerAt(page: string): ApplicationAction | null {
    const { account, staySignedIn, consent } = this.#wish;
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

  /** All pages that it went through, in order. Takes those of the sign-in itself. */
  visitedPages(ofSignIn: readonly PageName[]): readonly PageName[] {
    return [...this.#before, ...ofSignIn, ...this.#after];
  }

  /** The application has heard. Throws `driver-failed` for an answer of the step that no page asked for. */
  ended(end: ApplicationEnd): void {
    this.#end = end;
    if (end === 'signed-out') return;
    const { staySignedIn, consent } = this.#wish;
    if (staySignedIn !== undefined && !this.#after.includes('stay-signed-in')) {
      throw neverAsked('staySignedIn', 'the tenant does not ask for it, or this browser was signed in already');
    }
    if (consent !== undefined && !this.#after.includes('consent')) {
      throw neverAsked('consent', 'the user has agreed already in this session');
    }
  }

  /** Refuses an answer once the tab has left the pages of the sign-in. Throws `driver-failed`. */
  refuseAnswer(): void {
    if (this.#end === null) return;
    const where = this.#end === 'signed-out' ? 'has signed out' : `is back at its application "${this.clientId}"`;
    throw impossible(`The tab ${where}: no page of the sign-in is left to answer.`);
  }

  /** Refuses a sign-out before the application has its user. Throws `driver-failed`. */
  refuseEarlySignOut(): void {
    if (this.#end === null) throw impossible('The sign-in of this tab has not ended: there is nothing to sign out of.');
  }

  /** The same visit, to go on with on its own. */
  copy(): ApplicationSession {
    const copy = new ApplicationSession(this.userId, this.#wish);
    copy.#before.push(...this.#before);
    copy.#after.push(...this.#after);
    copy.#end = this.#end;
    return copy;
  }
}

/** Returns the button of a sign-out, by what the user signs out of. */
export function signOutControl(from: StepOf<'signOut'>['say']['from']): 'sign-out' | 'keep-session' {
  return from === 'everything' ? 'sign-out' : 'keep-session';
}

/** The failure of a step that chooses an account where no one is signed in. */
export function noAccountToPick(): NudgeLabError {
  return impossible(
    'account: no one is signed in in this browser, so no account can be picked. Leave account out, or sign in before.',
  );
}

/** The failure of a step whose user is not the one that the browser knows. Takes both users by id. */
export function signedInAsAnother(userId: string, other: string): NudgeLabError {
  return impossible(
    `This browser is signed in as ${other}, and lets ${other} through. Say account: another for ${userId} to sign in, or sign out before.`,
  );
}

/** The failure of a sign-out in a browser in which no one is signed in. */
export function nobodySignedIn(): NudgeLabError {
  return impossible('No one is signed in in this browser: there is nothing to sign out of.');
}

/** The failure of a sign-out that did not lead to where the application wanted it. Takes that address. */
export function notLedBack(address: string): NudgeLabError {
  return impossible(`The sign-out did not lead to ${address}.`);
}

/** The failure of an answer for which the application has not waited. */
export function applicationHasGivenUp(clientId: string): NudgeLabError {
  return impossible(`"${clientId}" has waited for an hour, and the sign-in is over for it: begin another one.`);
}

/** The failure of a step about the application of a tab in which someone signed in at the sign-in itself. */
export function noApplication(): NudgeLabError {
  return impossible('The sign-in of this tab began at no application: give it a client.');
}

function neverAsked(key: string, reason: string): NudgeLabError {
  return impossible(`${key} was never asked for: ${reason}. Leave it out.`);
}

function impossible(message: string): NudgeLabError {
  return new NudgeLabError('driver-failed', { message });
}
