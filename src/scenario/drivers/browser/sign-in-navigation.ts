import type { MfaMethod, OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { CredentialDescriptor } from '../../../authenticators/stored-credential.ts';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { FactorScreen } from '../../../contract/step-names.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { methodsLabelled, nothingToChoose, wayLabels, wayNotOffered } from '../../method-switching.ts';
import type { ListedPasskey } from '../http/authenticators.ts';
import type { ReadPage, Way } from './page-functions.ts';
import type { SignInPages } from './sign-in-pages.ts';
import type { TabAuthenticator, WantedPasskey } from './tab-authenticator.ts';

/** What a tab shows after something was done in it. */
export interface DisplayedPage {
  /** Status of the latest document. */
  readonly status: number;
  readonly page: string;
  /** Whether a prompt has a button to put it off; `null` on pages that are no prompt. */
  readonly skippable: boolean | null;
  /** Pages gone through between second factor and the first page that asks for an answer. */
  readonly interstitials: readonly string[];
  readonly error: string | null;
  readonly signInId: string | null;
  /** What the page tells authenticators; `null` where it tells them nothing. */
  readonly signals: SignalsJson | null;
}

/** Who signs in, and with what. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code: string;
  /** The passkeys that the user holds; asked for when a page wants one. */
  readonly passkeys?: () => Promise<readonly ListedPasskey[]>;
  /** Refuses what the step says of the second factor, where it cannot be asked for; called when its page is first shown. */
  readonly checkFactor?: () => Promise<void>;
  /** What is chosen at "Sign in another way" for the second factor. */
  readonly otherWay?: MfaMethod | undefined;
  /** What the user picks from on the first page; without it the user enters a name and a password. */
  readonly offering?: (() => Promise<readonly CredentialDescriptor[]>) | undefined;
}

/** The passkey that a step asks for. */
export interface AskedPasskey {
  readonly type: PasskeyType;
  readonly deviceId: string;
  readonly restricted: boolean;
  /** What its authenticator has already. */
  readonly has?: readonly CredentialDescriptor[];
}

/** The status with which the server rejects a passkey that the browser created by itself. */
const rejectedStatus = 401;

/** No sign-in has more pages than this before it asks for an answer. */
const pagesMax = 12;

const promptPages: readonly string[] = ['prompt', 'required'];
const interstitialPages: readonly string[] = ['security-info', 'terms-of-use', 'custom-controls', 'blocked'];
const setupPages: readonly string[] = ['setup', 'setup-test', 'setup-name'];

/** Types whose passkeys stay on the device that made them and count there alone under `strictDevice` (A32). */
const deviceBoundTypes: readonly PasskeyType[] = ['windows-hello-for-business', 'windows-bound', 'mac-platform-sso'];

/** Where somebody signs in: a page that is open, and the authenticator of its browser. */
export interface OpenPlace {
  readonly pages: SignInPages;
  readonly authenticator: TabAuthenticator;
}

/** The page that a walk goes on in, opened when it is first needed and after it was closed. */
export interface WalkPlace {
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /** Whether a page is open. */
  readonly isOpen: boolean;
  open(): Promise<OpenPlace>;
}

/**
 * One sign-in after the other in one tab: does at the pages what a person does, and tells what they show. Where its page was
 * closed, it is loaded again at the address where it was, as a browser does that restores its tabs.
 */
export class SignInNavigation {
  readonly #place: WalkPlace;
  readonly #interstitials: string[] = [];
  readonly #factors: FactorScreen[] = [];
  #way: Way | null = null;
  #last: ReadPage | null = null;
  #signInId: string | null = null;

  constructor(place: WalkPlace) {
    this.#place = place;
  }

  /** The id of the sign-in that the tab showed last; `null` before there was one. */
  get signInId(): string | null {
    return this.#signInId;
  }

  /** Screens of name, password and second factor that the sign-in went through. */
  get factors(): readonly FactorScreen[] {
    return [...this.#factors];
  }

  /** Whether the page that is open would tell the server that it was left; the address of the sign-in then. */
  get tellsLeavingAt(): string | null {
    return this.#place.isOpen && this.#last?.tellsLeaving === true ? (this.#way?.address ?? null) : null;
  }

  /**
   * Signs in and goes on to the first page that asks for an answer or ends the sign-in. What lies between is passed and told.
   * A refused name, password or code ends it on that page. Takes the address where sign-ins begin.
   */
  async signIn(address: string, credentials: Credentials): Promise<DisplayedPage> {
    await this.visit(address);
    return this.goOn(credentials);
  }

  /** Goes to an address, as a link to it does, for another sign-in. */
  async visit(address: string): Promise<void> {
    this.#interstitials.length = 0;
    this.#factors.length = 0;
    this.#way = null;
    this.#signInId = null;
    const { pages } = await this.#place.open();
    await pages.open(address);
  }

  /** The name of the page that the tab shows. */
  async pageName(): Promise<string> {
    const { pages } = await this.#place.open();
    return (await this.#read(pages)).name;
  }

  /** Presses a button of the page that the tab shows. */
  async press(label: string): Promise<void> {
    const { pages } = await this.#place.open();
    await pages.press(label);
  }

  /** Signs in from the page that the tab shows. Takes and returns what `signIn` does. */
  async goOn(credentials: Credentials): Promise<DisplayedPage> {
    const { pages } = await this.#place.open();
    let { otherWay: wanted, checkFactor: check } = credentials;
    for (let count = 0; count < pagesMax; count += 1) {
      const { name, error } = await this.#read(pages);
      if (name === 'mfa') {
        await check?.();
        check = undefined;
      }
      if (name === 'mfa' && wanted !== undefined) {
        this.#factors.push(await secondFactorOn(pages), 'choice');
        await chooseOtherWay(pages, wanted);
        wanted = undefined;
      }
      if (error !== null || !(await this.#passPage(pages, name, credentials))) break;
      if (interstitialPages.includes(name)) this.#interstitials.push(name);
    }
    if (wanted !== undefined) throw nothingToChoose(wanted);
    return this.shown();
  }

  /** Next on the prompt, or "Try again" on the error screen. */
  async next(): Promise<DisplayedPage> {
    const pages = await this.#atPage();
    if (await pages.errorScreen.isShown()) await pages.errorScreen.tryAgain();
    else await this.#pressOrSend(pages, 'Next', 'next');
    return this.shown();
  }

  /** "Skip for now". Where the page has no such button the skip is sent all the same (A1). */
  async skip(): Promise<DisplayedPage> {
    await this.#pressOrSend(await this.#atPage(), 'Skip for now', 'skip');
    return this.shown();
  }

  /** "Skip" on the error screen; where the page has no such button it is sent all the same. */
  async skipError(): Promise<DisplayedPage> {
    await this.#pressOrSend(await this.#atPage(), 'Skip', 'skip-error');
    return this.shown();
  }

  /** Goes to set-up from wherever the prompt is. Tells which method the page asks for; `null` when it is not reached. */
  async reachSetup(): Promise<'vendorAuthenticator' | 'fido2' | null> {
    const pages = await this.#atPage();
    if (!setupPages.includes((await this.#read(pages)).name)) await this.next();
    if (!setupPages.includes(this.#last?.name ?? '')) return null;
    const isApp = (await pages.appSetup.isShown()) || (await pages.appTest.isShown());
    return isApp ? 'vendorAuthenticator' : 'fido2';
  }

  /** Registers the app: scans the code, approves the test request on the phone. From set-up, which may have ended meanwhile. */
  async registerApp(): Promise<DisplayedPage> {
    const pages = await this.#atPage();
    if (await pages.appSetup.isShown()) await pages.appSetup.next();
    if (await pages.push.isShown()) await pages.push.approve();
    if (await pages.appTest.isShown()) await pages.appTest.finish();
    return this.shown();
  }

  /** Makes a passkey with the authenticator of its kind, and keeps the name that is proposed. From set-up. */
  async registerPasskey(asked: AskedPasskey): Promise<DisplayedPage> {
    const pages = await this.#atPage();
    if (await pages.passkeySetup.isShown()) await this.#makePasskey(pages, asked);
    if (await pages.passkeyName.isShown()) await pages.passkeyName.save('Test passkey');
    return this.shown();
  }

  /** Has the browser create a passkey by itself on the last page, which is loaded again for it. */
  async upgrade(asked: AskedPasskey): Promise<DisplayedPage> {
    const { pages, authenticator } = await this.#place.open();
    const way = this.#way;
    if (way === null) return this.shown();
    await authenticator.prepare(this.#wanted(asked), 'approves');
    await pages.open(way.address);
    const state = await pages.upgradeState();
    const shown = await this.shown();
    return state === 'rejected' ? { ...shown, status: rejectedStatus } : shown;
  }

  /** Makes a passkey with the authenticator that stands in the page, whatever it is. From set-up. */
  async createPasskey(): Promise<DisplayedPage> {
    const pages = await this.#atPage();
    if (await pages.passkeySetup.isShown()) await pages.passkeySetup.create();
    if (await pages.passkeyName.isShown()) await pages.passkeyName.save('Test passkey');
    return this.shown();
  }

  /** Lets set-up fail: the authenticator refuses a passkey; for the app somebody says that it did not work. From set-up. */
  async failSetup(method: 'vendorAuthenticator' | 'fido2', type: PasskeyType): Promise<DisplayedPage> {
    const pages = await this.#atPage();
    if (method === 'fido2' && (await pages.passkeySetup.isShown())) {
      await this.#prepare(pages, this.#wanted({ type, deviceId: this.#place.deviceId, restricted: true }), 'refuses');
      if (await pages.passkeySetup.isShown()) await pages.passkeySetup.create();
      else await pages.send(this.#wayOrFail(), 'fail');
    } else {
      await pages.setup.didNotWork();
    }
    return this.shown();
  }

  /** Loads the sign-in again, as a browser does that comes back. */
  async reload(): Promise<DisplayedPage> {
    const { pages } = await this.#place.open();
    await pages.open(this.#wayOrFail().address);
    return this.shown();
  }

  /** Does what leads on from a page before the nudge. Returns false for a page where the sign-in rests. */
  async #passPage(pages: SignInPages, name: string, credentials: Credentials): Promise<boolean> {
    const { name: userName, password, offering } = credentials;
    switch (name) {
      case 'name':
        this.#factors.push('name');
        if (offering !== undefined) return this.#pickPasskey(pages, await offering());
        await pages.name.enter(userName);
        return true;
      case 'password':
        this.#factors.push('password');
        await pages.password.enter(password);
        return true;
      case 'mfa':
        await this.#giveSecondFactor(pages, credentials);
        return true;
      case 'terms-of-use':
        await pages.between.accept();
        return true;
      case 'external-mfa':
        this.#factors.push('elsewhere');
        await pages.between.goOn();
        return true;
      case 'security-info':
      case 'custom-controls':
      case 'blocked':
        await pages.between.goOn();
        return true;
      default:
        return false;
    }
  }

  /** Picks a passkey on the first page. Returns false where none is offered. */
  async #pickPasskey(pages: SignInPages, offered: readonly CredentialDescriptor[]): Promise<boolean> {
    this.#factors.push('passkey');
    if (offered.length === 0) return false;
    const { authenticator } = await this.#place.open();
    await authenticator.offer(offered);
    await pages.name.usePasskey();
    return true;
  }

  async #giveSecondFactor(pages: SignInPages, { code, passkeys }: Credentials): Promise<void> {
    const factor = await secondFactorOn(pages);
    this.#factors.push(factor);
    if (factor === 'code') return pages.code.enter(code);
    if (factor === 'number') {
      await pages.push.approve();
      return pages.push.goOn();
    }
    const { authenticator } = await this.#place.open();
    const held = await authenticator.hold((await passkeys?.()) ?? []);
    return held ? pages.passkey.use() : pages.passkey.useTestPasskey();
  }

  async #makePasskey(pages: SignInPages, asked: AskedPasskey): Promise<void> {
    const elsewhere = asked.deviceId !== this.#place.deviceId && deviceBoundTypes.includes(asked.type);
    // A passkey that is bound to another device is none that this browser can make.
    if (elsewhere) return pages.passkeySetup.useTestAuthenticator(asked.type, asked.deviceId);
    await this.#prepare(pages, this.#wanted(asked), 'approves');
    // A set-up that has ended is not there any more when its page was loaded again.
    if (await pages.passkeySetup.isShown()) return pages.passkeySetup.create();
    return pages.send(this.#wayOrFail(), 'make-passkey');
  }

  async #prepare(pages: SignInPages, wanted: WantedPasskey, misbehavior: 'approves' | 'refuses'): Promise<void> {
    const { authenticator } = await this.#place.open();
    const readiness = await authenticator.prepare(wanted, misbehavior);
    if (readiness === 'after-reload') await pages.open(this.#wayOrFail().address);
  }

  #wanted(asked: AskedPasskey): WantedPasskey {
    return { ...asked, os: this.#place.os };
  }

  async #pressOrSend(pages: SignInPages, label: string, action: string): Promise<void> {
    if (await pages.hasButton(label)) await pages.press(label);
    else await pages.send(this.#wayOrFail(), action);
  }

  /** What the tab shows now. */
  async shown(): Promise<DisplayedPage> {
    const { pages } = await this.#place.open();
    const { name, error, signals } = await this.#read(pages);
    return {
      status: pages.status,
      page: name,
      skippable: promptPages.includes(name) ? await pages.prompt.isSkippable() : null,
      interstitials: [...this.#interstitials],
      error,
      signInId: this.#signInId,
      signals: signals === null ? null : (JSON.parse(signals) as SignalsJson),
    };
  }

  async #read(pages: SignInPages): Promise<ReadPage> {
    const read = pages.arrivedAt === null ? await pages.read() : applicationRead;
    this.#last = read;
    this.#signInId = read.signInId ?? this.#signInId;
    if (read.way !== null) this.#way = read.way;
    return read;
  }

  /** The page of the sign-in; where the tab was closed it is loaded again. */
  async #atPage(): Promise<SignInPages> {
    const wasOpen = this.#place.isOpen;
    const { pages } = await this.#place.open();
    if (!wasOpen) {
      await pages.open(this.#wayOrFail().address);
      await this.#read(pages);
    }
    return pages;
  }

  #wayOrFail(): Way {
    if (this.#way !== null) return this.#way;
    throw new NudgeLabError('driver-failed', { message: 'The tab has no sign-in running.' });
  }
}

/** What is read of the application, which is none of the server's pages. */
const applicationRead: ReadPage = {
  name: 'application',
  signInId: null,
  error: null,
  way: null,
  tellsLeaving: false,
  signals: null,
};

/** What the page of the second factor asks for. */
async function secondFactorOn({ code, push }: SignInPages): Promise<'code' | 'number' | 'passkey'> {
  if (await code.isShown()) return 'code';
  return (await push.isShown()) ? 'number' : 'passkey';
}

/** "Sign in another way": opens the list of methods, and chooses one of them. */
async function chooseOtherWay({ otherWays }: SignInPages, wanted: MfaMethod): Promise<void> {
  if (!(await otherWays.areOffered())) throw wayNotOffered(wanted, []);
  await otherWays.open();
  const labels = await otherWays.labels();
  if (!labels.includes(wayLabels[wanted])) throw wayNotOffered(wanted, methodsLabelled(labels));
  await otherWays.choose(wayLabels[wanted]);
}
