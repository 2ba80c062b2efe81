import type { OperatingSystem, Verdict } from '../../../machines/vocabulary.ts';
import type { ControlClient } from '../../client/control-client.ts';
import type { Step, StepOf } from '../../contract/scenario.schema.ts';
import { defaultPasskeyType, type PageName, pageNames, type StepKind, stepKinds } from '../../contract/step-names.ts';
import { noApplication, signInParts } from '../application-session.ts';
import { Browsers } from '../browsers.ts';
import type {
  Driver,
  DriverSession,
  JournalEntry,
  Observation,
  ObservationRequest,
  ObservedNudgeStatus,
  Question,
} from '../driver.ts';
import { noPageOfSteps, refusePasskeyForApp } from '../pages.ts';
import type { Scenario } from '../scenario.ts';
import { findPromptName } from '../step-check.ts';
import { Tabs } from '../tabs.ts';
import { ApplicationJourney } from './http/application-journey.ts';
import {
  authenticatorName,
  holdingAuthenticator,
  KeyRing,
  newAuthenticator,
  offeringAuthenticator,
} from './http/authenticators.ts';
import { BrowserSession } from './http/browser-client.ts';
import type { Shown } from './http/browser-parts.ts';
import { observedSignals } from './http/ceremonies.ts';
import { driverClient, serverAt } from './http/control-client.ts';
import { CookieJar } from './http/cookie-jar.ts';
import { HttpClient } from './http/http-client.ts';
import { type ControlStepKind, SandboxControl, type StepHandlers } from './http/sandbox-control.ts';

/** Where the server is; both without a slash at the end. */
export interface HttpDriverOptions {
  readonly controlUrl: string;
  /** The access key of the server, where it asks for one. */
  readonly controlKey?: string | undefined;
}

interface Tab {
  readonly name: string;
  readonly user: string;
  readonly browser: BrowserSession;
  /** The application at which the sign-in began; `null` without one. */
  readonly application: ApplicationJourney | null;
  readonly os: OperatingSystem | undefined;
  readonly deviceId: string | undefined;
}

type PageStepKind = Exclude<StepKind, ControlStepKind>;

/**
 * Runs scenarios against a server over HTTP: it walks the pages as a browser would, and reads page, skippability, error and
 * result from the HTML alone. Each scenario has a sandbox of its own.
 */
export class HttpDriver implements Driver {
  readonly name = 'http';
  readonly can: ReadonlySet<StepKind> = new Set(stepKinds);
  readonly hasApplications = true;
  readonly hasCeremonies = true;
  readonly hasRelatedOrigins = true;
  readonly #client: HttpClient;
  readonly #control: ControlClient;

  /** Takes where the server is, and connections that it takes over. */
  constructor({ controlUrl, controlKey }: HttpDriverOptions, client = new HttpClient()) {
    this.#client = client;
    this.#control = driverClient(this.#client, controlUrl, controlKey);
  }

  /** A driver for the server at an address, with its access key. Throws `server-unreachable` when none answers there. */
  static async reach(url: string, controlKey?: string): Promise<HttpDriver> {
    const client = new HttpClient();
    return new HttpDriver({ controlUrl: await serverAt(url, client), controlKey }, client);
  }

  async open({ plan }: Scenario): Promise<DriverSession> {
    return new HttpSession(this.#client, await SandboxControl.create(this.#client, this.#control, plan));
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

class HttpSession implements DriverSession {
  readonly #client: HttpClient;
  readonly #sandbox: SandboxControl;
  readonly #tabs = new Tabs<Tab>();
  readonly #jar = new CookieJar();
  readonly #browsers = new Browsers<CookieJar>({
    make: () => new CookieJar(),
    restart: (jar) => {
      jar.restart();
      return jar;
    },
  });
  readonly #keys = new KeyRing();

  constructor(client: HttpClient, sandbox: SandboxControl) {
    this.#client = client;
    this.#sandbox = sandbox;
  }

  async perform(step: Step): Promise<Observation> {
    const handler = { ...this.#handlers, ...this.#sandbox.handlers }[step.kind];
    return (handler as (step: Step) => Promise<Observation>)(step);
  }

  /** What was seen, with what passkeys have to do with it; all authenticators hear what the page signals. */
  #withPasskeys(observed: Observation, { ceremonies, signals }: BrowserSession): Observation {
    this.#keys.signal(signals);
    return { ...observed, ceremony: ceremonies.take(), signals: observedSignals(signals) };
  }

  verdict(signInId: string): Promise<Verdict | null> {
    return this.#sandbox.verdict(signInId);
  }

  ledger(userId: string): Promise<ObservedNudgeStatus> {
    return this.#sandbox.ledger(userId);
  }

  journal(): Promise<readonly JournalEntry[]> {
    return this.#sandbox.journal();
  }

  observe(question: Question): Promise<ObservationRequest> {
    return this.#sandbox.observe(question);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }

  readonly #handlers: StepHandlers<PageStepKind> = {
    signIn: async ({ say }) => {
      const { user, tab: name, otherWay, usernameless, origin, attempt, application: wish } = signInParts(say);
      await this.#sandbox.nextSignIn(user, attempt);
      const application = wish === null ? null : await ApplicationJourney.begin(this.#sandbox, user, wish);
      const jar = wish === null ? this.#jar : this.#browsers.open(wish.browser, name);
      const browser = new BrowserSession({ client: this.#client, baseUrl: this.#sandbox.baseUrl, jar, origin });
      const { os, deviceId } = attempt;
      this.#tabs.open(name, { name, user, browser, application, os, deviceId });
      const { userPrincipalName, password, code } = this.#sandbox.profile(user);
      const listed = async () => this.#keys.unlock(await this.#sandbox.passkeys(user), user);
      const authenticator = async () => holdingAuthenticator(await listed());
      const offering = async () => {
        await listed();
        return offeringAuthenticator(this.#keys.offeredTo(user));
      };
      const checkFactor = () => this.#sandbox.refuseMethodNotHeld(user, attempt.mfa?.method);
      const credentials = {
        name: userPrincipalName,
        password,
        code,
        authenticator,
        checkFactor,
        otherWay,
        offering: usernameless ? offering : undefined,
      };
      if (application === null) await browser.signIn(credentials);
      else await application.signIn(browser, () => browser.goOn(credentials), otherWay);
      const shown = browser.page();
      // What was settled for this sign-in is not for the next one, when the user refused before it began.
      const neverBegan = application?.visit.end === 'application-refused' && shown.signInId === null;
      if (neverBegan) await this.#sandbox.dropNextSignIn(user, attempt);
      const observed = { ...(await seenAt(application, shown)), factors: browser.factors, outcome: outcomeSeen(shown) };
      return this.#withPasskeys(observed, browser);
    },
    signOut: async (step) => {
      const { name, browser, application } = this.#tabs.get(findPromptName(step));
      if (application === null) throw noApplication();
      this.#browsers.comeBack(application.visit.browser, name);
      const passed = await application.signOut(browser, step.say);
      const shown = browser.page();
      return { page: pageName(shown), passed, status: shown.status };
    },
    next: (step) => this.#answer(step, ({ browser }) => browser.next()),
    skip: (step) => this.#answer(step, ({ browser }) => browser.skip()),
    skipError: (step) => this.#answer(step, ({ browser }) => browser.skipError()),
    upgradePasskey: async (step) => {
      const tab = this.#tabs.get(findPromptName(step));
      const { browser, user, os } = tab;
      const { type, deviceId } = wantedIn(tab, step.say.passkey);
      const name = authenticatorName(type, deviceId);
      const authenticator = await newAuthenticator(type, os, deviceId, this.#keys.madeBy(name));
      const shown = await browser.upgrade({ authenticator, deviceId });
      this.#keys.keep(authenticator.held(), user, name);
      return this.#withPasskeys(await seenAt(tab.application, shown), browser);
    },
    failRegistration: (step) => this.#answer(step, ({ browser }) => browser.failRegistration()),
    register: (step) => this.#answer(step, (tab) => register(step, tab, this.#keys)),
    closeBrowser: async (step) => {
      const tab = this.#closing(step);
      const isAtSignIn = tab.application === null || tab.application.visit.end === null;
      const { status } = isAtSignIn ? await tab.browser.close() : tab.browser.page();
      return { page: 'closed', ...idOf(tab.browser.page()), status };
    },
    abandon: async (step) => ({ page: 'closed', ...idOf(this.#closing(step).browser.page()) }),
    reload: (step) => this.#answer(step, ({ browser }) => browser.reload()),
  };

  /** The tab of a step that closes it. */
  #closing(step: Step): Tab {
    const tab = this.#tabs.get(findPromptName(step));
    const { name, application } = tab;
    if (application !== null) this.#browsers.close(application.visit.browser, name);
    return tab;
  }

  async #answer(step: Step, act: (tab: Tab) => Promise<Shown>): Promise<Observation> {
    const tab = this.#tabs.get(findPromptName(step));
    const { name, application, browser } = tab;
    if (application === null) return this.#withPasskeys(seen(await act(tab)), browser);
    application.visit.refuseAnswer();
    this.#browsers.comeBack(application.visit.browser, name);
    await act(tab);
    await application.goOn(browser);
    return this.#withPasskeys(await seenAt(application, browser.page()), browser);
  }
}

async function register(step: StepOf<'register'>, tab: Tab, keys: KeyRing): Promise<Shown> {
  const { browser, user, os } = tab;
  if (browser.page().page !== 'setup') await browser.next();
  const asksForPasskey = browser.offers('Create passkey');
  if (browser.page().page !== 'setup') return browser.page();
  refusePasskeyForApp(step, asksForPasskey ? 'fido2' : 'vendorAuthenticator');
  if (!asksForPasskey) return browser.register(null);
  const { type, deviceId } = wantedIn(tab, step.say.passkey);
  const name = authenticatorName(type, deviceId);
  const authenticator = await newAuthenticator(type, os, deviceId, keys.madeBy(name));
  const shown = await browser.register({ authenticator, deviceId });
  keys.keep(authenticator.held(), user, name);
  return shown;
}

/** The passkey that a step names, or the one that the device of its tab creates. */
function wantedIn({ os, deviceId }: Tab, passkey: StepOf<'register'>['say']['passkey']) {
  return { type: passkey?.type ?? defaultPasskeyType(os), deviceId: passkey?.deviceId ?? deviceId ?? 'device-1' };
}

function seen(shown: Shown): Observation {
  return { page: pageName(shown), passed: shown.interstitials.map(asPage), ...idOf(shown), status: shown.status };
}

async function seenAt(application: ApplicationJourney | null, shown: Shown): Promise<Observation> {
  return application === null ? seen(shown) : application.seen(seen(shown));
}

function idOf({ signInId }: Shown): { readonly signInId?: string } {
  return signInId === null ? {} : { signInId };
}

/** What a sign-in ended at, read from the page: its name, and whether it has a way to put the prompt off. */
function outcomeSeen({ page, skippable }: Shown): 'none' | 'skippable' | 'required' {
  if (page !== 'prompt' && page !== 'required') return 'none';
  return skippable === true ? 'skippable' : 'required';
}

function pageName({ page, error }: Shown): PageName {
  if ((pageNames as readonly string[]).includes(page)) return page as PageName;
  throw noPageOfSteps(page, error);
}

function asPage(page: string): PageName {
  return pageName({ page, error: null } as Shown);
}
