import type { OperatingSystem, Verdict } from '../../../machines/vocabulary.ts';
import type { Step, StepOf } from '../../contract/scenario.schema.ts';
import { defaultPasskeyType, type PageName, pageNames, type StepKind, stepKinds } from '../../contract/step-words.ts';
import { noApplication, signInParts } from '../application-visit.ts';
import { Browsers } from '../browsers.ts';
import type {
  Driver,
  DriverSession,
  Findings,
  JournalEntry,
  Observation,
  ObservedLedger,
  Question,
} from '../driver.ts';
import { noPageOfSteps, refusePasskeyForApp } from '../pages.ts';
import type { Scenario } from '../scenario.ts';
import { promptNameOf } from '../step-check.ts';
import { Tabs } from '../tabs.ts';
import { ApplicationWalk } from './http/application-walk.ts';
import { holdingAuthenticator, KeyRing, newAuthenticator } from './http/authenticators.ts';
import { BrowserSession, type Shown } from './http/browser-client.ts';
import { ControlClient, serverAt } from './http/control-client.ts';
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
  readonly browser: BrowserSession;
  /** The application at which the sign-in began; `null` without one. */
  readonly application: ApplicationWalk | null;
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
  readonly #client: HttpClient;
  readonly #control: ControlClient;

  /** Takes where the server is, and connections that it takes over. */
  constructor({ controlUrl, controlKey }: HttpDriverOptions, client = new HttpClient()) {
    this.#client = client;
    this.#control = new ControlClient(this.#client, controlUrl, controlKey);
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

  perform(step: Step): Promise<Observation> {
    const handler = { ...this.#handlers, ...this.#sandbox.handlers }[step.kind];
    return (handler as (step: Step) => Promise<Observation>)(step);
  }

  verdict(signInId: string): Promise<Verdict | null> {
    return this.#sandbox.verdict(signInId);
  }

  ledger(userId: string): Promise<ObservedLedger> {
    return this.#sandbox.ledger(userId);
  }

  journal(): Promise<readonly JournalEntry[]> {
    return this.#sandbox.journal();
  }

  findings(question: Question): Promise<Findings> {
    return this.#sandbox.findings(question);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }

  readonly #handlers: StepHandlers<PageStepKind> = {
    signIn: async ({ say }) => {
      const { user, tab: name, otherWay, attempt, application: wish } = signInParts(say);
      await this.#sandbox.nextSignIn(user, attempt);
      const application = wish === null ? null : await ApplicationWalk.begin(this.#sandbox, user, wish);
      const jar = wish === null ? this.#jar : this.#browsers.open(wish.browser, name);
      const browser = new BrowserSession({ client: this.#client, baseUrl: this.#sandbox.baseUrl, jar });
      const { os, deviceId } = attempt;
      this.#tabs.open(name, { name, browser, application, os, deviceId });
      const { userPrincipalName, password, code } = this.#sandbox.profile(user);
      const authenticator = async () => holdingAuthenticator(this.#keys.unlock(await this.#sandbox.passkeys(user)));
      const checkFactor = () => this.#sandbox.refuseMethodNotHeld(user, attempt.mfa?.method);
      const credentials = { name: userPrincipalName, password, code, authenticator, checkFactor, otherWay };
      if (application === null) await browser.signIn(credentials);
      else await application.signIn(browser, () => browser.goOn(credentials), otherWay);
      const shown = browser.page();
      // What was settled for this sign-in is not for the next one, when the user refused before it began.
      const neverBegan = application?.visit.end === 'application-refused' && shown.signInId === null;
      if (neverBegan) await this.#sandbox.dropNextSignIn(user, attempt);
      return { ...(await seenAt(application, shown)), factors: browser.factors, outcome: outcomeSeen(shown) };
    },
    signOut: async (step) => {
      const { name, browser, application } = this.#tabs.get(promptNameOf(step));
      if (application === null) throw noApplication();
      this.#browsers.comeBack(application.visit.browser, name);
      const passed = await application.signOut(browser, step.say);
      const shown = browser.page();
      return { page: pageName(shown), passed, status: shown.status };
    },
    next: (step) => this.#answer(step, ({ browser }) => browser.next()),
    skip: (step) => this.#answer(step, ({ browser }) => browser.skip()),
    skipError: (step) => this.#answer(step, ({ browser }) => browser.skipError()),
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
    const tab = this.#tabs.get(promptNameOf(step));
    const { name, application } = tab;
    if (application !== null) this.#browsers.close(application.visit.browser, name);
    return tab;
  }

  async #answer(step: Step, act: (tab: Tab) => Promise<Shown>): Promise<Observation> {
    const tab = this.#tabs.get(promptNameOf(step));
    const { name, application, browser } = tab;
    if (application === null) return seen(await act(tab));
    application.visit.refuseAnswer();
    this.#browsers.comeBack(application.visit.browser, name);
    await act(tab);
    await application.goOn(browser);
    return seenAt(application, browser.page());
  }
}

async function register(step: StepOf<'register'>, { browser, os, deviceId }: Tab, keys: KeyRing): Promise<Shown> {
  if (browser.page().page !== 'setup') await browser.next();
  const asksForPasskey = browser.offers('Create passkey');
  if (browser.page().page !== 'setup') return browser.page();
  refusePasskeyForApp(step, asksForPasskey ? 'fido2' : 'vendorAuthenticator');
  if (!asksForPasskey) return browser.register(null);
  const { passkey } = step.say;
  const device = passkey?.deviceId ?? deviceId ?? 'device-1';
  const authenticator = await newAuthenticator(passkey?.type ?? defaultPasskeyType(os), os, device);
  const shown = await browser.register({ authenticator, deviceId: device });
  keys.keep(authenticator.held());
  return shown;
}

function seen(shown: Shown): Observation {
  return { page: pageName(shown), passed: shown.interstitials.map(asPage), ...idOf(shown), status: shown.status };
}

async function seenAt(application: ApplicationWalk | null, shown: Shown): Promise<Observation> {
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
