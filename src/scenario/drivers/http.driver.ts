import type { OperatingSystem, Verdict } from '../../../machines/vocabulary.ts';
import type { ControlClient } from '../../client/control-client.ts';
import type { Step } from '../../contract/scenario.schema.ts';
import { type StepKind, stepKinds } from '../../contract/step-names.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { noApplication, signInParts } from '../application-session.ts';
import { Browsers } from '../browsers.ts';
import type {
  Driver,
  DriverSession,
  JournalEntry,
  Observation,
  ObservationRequest,
  Observations,
  ObservedNudgeStatus,
} from '../driver.ts';
import type { OwnRun } from '../own/own-run.ts';
import type { OwnScenarioPlan } from '../own/own-scenario.ts';
import type { Scenario } from '../scenario.ts';
import { findPromptName } from '../step-check.ts';
import { Tabs } from '../tabs.ts';
import { ApplicationFlow } from './http/application-flow.ts';
import {
  authenticatorName,
  holdingAuthenticator,
  KeyRing,
  type ListedPasskey,
  newAuthenticator,
  offeringAuthenticator,
} from './http/authenticators.ts';
import { observedSignals } from './http/ceremonies.ts';
import { driverClient, serverAt } from './http/control-client.ts';
import { CookieJar } from './http/cookie-jar.ts';
import { HttpClient } from './http/http-client.ts';
import { HttpPages, type PasskeySource } from './http/http-pages.ts';
import { OwnPagesRun } from './http/own-pages-run.ts';
import { type ControlStepKind, SandboxControl, type StepHandlers } from './http/sandbox-control.ts';
import {
  displayedOutcome,
  idPart,
  type PromptStep,
  performPromptStep,
  scenarioPageName,
  toObservation,
  type WantedPasskey,
  wantedPasskey,
} from './pages/prompt-steps.ts';
import type { DisplayedPage } from './pages/sign-in-flow.ts';

/** URLs of the server, both without a trailing slash. */
export interface HttpDriverOptions {
  readonly controlUrl: string;
  /** Control key of the server, if it requires one. */
  readonly controlKey?: string | undefined;
  /** Preferred language of the browser as a BCP 47 tag. The default is the language of the tenant. */
  readonly language?: string | undefined;
}

interface Tab {
  readonly name: string;
  readonly user: string;
  readonly pages: HttpPages;
  /** Application at which the sign-in started, or `null` if there is none. */
  readonly application: ApplicationFlow | null;
  readonly os: OperatingSystem;
  readonly deviceId: string;
}

type PageStepKind = Exclude<StepKind, ControlStepKind>;

/**
 * Runs scenarios against a server over HTTP. The driver uses the pages as a browser would, and reads page, skip
 * button, error and result only from the HTML. Each scenario has its own sandbox.
 */
export class HttpDriver implements Driver {
  readonly name = 'http';
  readonly can: ReadonlySet<StepKind> = new Set(stepKinds);
  readonly hasApplications = true;
  readonly hasCeremonies = true;
  readonly hasRelatedOrigins = true;
  readonly #client: HttpClient;
  readonly #control: ControlClient;
  readonly #language: string | undefined;

  /** Creates a driver for a server. The driver takes ownership of `client`. */
  constructor({ controlUrl, controlKey, language }: HttpDriverOptions, client = new HttpClient()) {
    this.#client = client;
    this.#language = language;
    this.#control = driverClient(this.#client, controlUrl, controlKey);
  }

  /**
   * Creates a driver for the server at a URL, with its control key. Throws `server-unreachable` if no server
   * responds.
   */
  static async reach(url: string, options: Omit<HttpDriverOptions, 'controlUrl'> = {}): Promise<HttpDriver> {
    const client = new HttpClient();
    return new HttpDriver({ ...options, controlUrl: await serverAt(url, client) }, client);
  }

  async open({ plan }: Scenario): Promise<DriverSession> {
    const sandbox = await SandboxControl.create(this.#client, this.#control, plan);
    return new HttpSession(this.#client, sandbox, this.#language);
  }

  async openOwn({ plan }: Scenario, own: OwnScenarioPlan): Promise<OwnRun> {
    const sandbox = await SandboxControl.create(this.#client, this.#control, plan);
    return new OwnPagesRun(new HttpSession(this.#client, sandbox, this.#language), sandbox, own);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

class HttpSession implements DriverSession {
  readonly #client: HttpClient;
  readonly #sandbox: SandboxControl;
  readonly #language: string | undefined;
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

  constructor(client: HttpClient, sandbox: SandboxControl, language: string | undefined) {
    this.#client = client;
    this.#sandbox = sandbox;
    this.#language = language;
  }

  async perform(step: Step): Promise<Observation> {
    const handler = { ...this.#handlers, ...this.#sandbox.handlers }[step.kind];
    return (handler as (step: Step) => Promise<Observation>)(step);
  }

  /**
   * Adds the passkey ceremony and the signals to an observation, and passes the signals of the page to all
   * authenticators.
   */
  #withPasskeys(observed: Observation, { ceremonies }: HttpPages, { signals }: DisplayedPage): Observation {
    this.#keys.signal(signals);
    return { ...observed, ceremony: ceremonies.take(), signals: observedSignals(signals) };
  }

  verdict(signInId: string): Promise<Verdict | null> {
    return this.#sandbox.verdict(signInId);
  }

  nudgeStatus(userId: string): Promise<ObservedNudgeStatus> {
    return this.#sandbox.nudgeStatus(userId);
  }

  journal(): Promise<readonly JournalEntry[]> {
    return this.#sandbox.journal();
  }

  observe(request: ObservationRequest): Promise<Observations> {
    return this.#sandbox.observe(request);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }

  readonly #handlers: StepHandlers<PageStepKind> = {
    signIn: async ({ say }) => {
      const { user, tab: name, otherWay, usernameless, origin, attempt, application: options } = signInParts(say);
      if (options !== null) await this.#sandbox.nextSignIn(user, attempt);
      const application = options === null ? null : await ApplicationFlow.begin(this.#sandbox, user, options);
      const jar = options === null ? this.#jar : this.#browsers.open(options.browser, name);
      const { baseUrl } = this.#sandbox;
      const pages = new HttpPages({ client: this.#client, baseUrl, jar, origin, acceptLanguage: this.#language });
      const { os = 'windows', deviceId = 'device-1' } = attempt;
      this.#tabs.open(name, { name, user, pages, application, os, deviceId });
      const { userPrincipalName, password, code } = this.#sandbox.profile(user);
      const credentials = {
        name: userPrincipalName,
        password,
        code,
        usePasskey: async () => {
          const authenticator = await holdingAuthenticator(await this.#unlocked(user));
          if (await pages.runCeremony('passkey', 'get', authenticator)) return;
          throw new NudgeLabError('driver-failed', {
            message: 'The authenticator has no passkey that the page requests.',
          });
        },
        checkFactor: () => this.#sandbox.refuseMethodNotHeld(user, attempt.mfa?.method),
        otherWay,
        pickPasskey: usernameless ? () => this.#pickPasskey(pages, user) : undefined,
      };
      const { flow } = pages;
      if (application === null) {
        // The first page does not depend on the preset.
        await Promise.all([this.#sandbox.nextSignIn(user, attempt), flow.visit(pages.signInUrl)]);
        await flow.continue(credentials);
      } else await application.signIn(pages, () => flow.continue(credentials), otherWay);
      const displayed = await flow.display();
      // If the user rejected the sign-in before it started, its preset must not apply to the next sign-in.
      const neverBegan = application?.visit.end === 'application-refused' && displayed.signInId === null;
      if (neverBegan) await this.#sandbox.dropNextSignIn(user, attempt);
      const observed = await observe(application, displayed);
      const outcome = displayedOutcome(displayed);
      return this.#withPasskeys({ ...observed, signInScreens: flow.factors, outcome }, pages, displayed);
    },
    signOut: async (step) => {
      const { name, pages, application } = this.#tabs.get(findPromptName(step));
      if (application === null) throw noApplication();
      this.#browsers.comeBack(application.visit.browser, name);
      const visitedPages = await application.signOut(pages, step.say);
      const displayed = await pages.flow.display();
      return { page: scenarioPageName(displayed), visitedPages, status: displayed.status };
    },
    next: (step) => this.#answer(step),
    skip: (step) => this.#answer(step),
    skipError: (step) => this.#answer(step),
    failRegistration: (step) => this.#answer(step),
    register: (step) => this.#answer(step),
    upgradePasskey: async (step) => {
      const tab = this.#tabs.get(findPromptName(step));
      const { pages, user, application } = tab;
      await this.#withNewPasskey(user, tab.os, wantedPasskey(tab, step.say.passkey), (source) => pages.upgrade(source));
      const displayed = await pages.flow.display();
      return this.#withPasskeys(await observe(application, displayed), pages, displayed);
    },
    closeBrowser: async (step) => {
      const { pages, application } = this.#closing(step);
      if (application === null || application.visit.end === null) await pages.leave();
      return { page: 'closed', ...idPart(pages.flow.signInId), status: pages.status };
    },
    abandon: async (step) => ({ page: 'closed', ...idPart(this.#closing(step).pages.flow.signInId) }),
    reload: (step) => this.#inTab(step, ({ pages }) => pages.flow.reload()),
  };

  async #unlocked(user: string): Promise<readonly ListedPasskey[]> {
    return this.#keys.unlock(await this.#sandbox.passkeys(user), user);
  }

  /** Picks a passkey on the first page. Returns true if the user has one and the page accepted it. */
  async #pickPasskey(pages: HttpPages, user: string): Promise<boolean> {
    await this.#unlocked(user);
    const authenticator = await offeringAuthenticator(this.#keys.offeredTo(user));
    return authenticator.listCredentials().length > 0 && pages.runCeremony('passkey', 'get', authenticator);
  }

  /** Creates an authenticator, uses it, and stores its passkeys afterward. */
  async #withNewPasskey<T>(
    user: string,
    os: OperatingSystem,
    { type, deviceId }: WantedPasskey,
    use: (source: PasskeySource) => Promise<T>,
  ): Promise<T> {
    const name = authenticatorName(type, deviceId);
    const authenticator = await newAuthenticator(type, os, deviceId, this.#keys.madeBy(name));
    const result = await use({ authenticator, deviceId });
    this.#keys.keep(authenticator.listCredentials(), user, name);
    return result;
  }

  /** Returns the tab that a step closes, and closes it in its browser. */
  #closing(step: Step): Tab {
    const tab = this.#tabs.get(findPromptName(step));
    const { name, application } = tab;
    if (application !== null) this.#browsers.close(application.visit.browser, name);
    return tab;
  }

  #answer(step: PromptStep): Promise<Observation> {
    return this.#inTab(step, ({ pages, user, os, deviceId }) => {
      const createPasskey = (wanted: WantedPasskey): Promise<void> =>
        this.#withNewPasskey(user, os, wanted, async ({ authenticator }) => {
          const fields = { deviceId: wanted.deviceId };
          const isCreated = await pages.runCeremony('make-passkey', 'create', authenticator, fields);
          if (!isCreated) await pages.press('fail');
        });
      const secrets = this.#sandbox.profile(user);
      return performPromptStep({ flow: pages.flow, os, deviceId, secrets, createPasskey }, step);
    });
  }

  async #inTab(step: Step, act: (tab: Tab) => Promise<DisplayedPage>): Promise<Observation> {
    const tab = this.#tabs.get(findPromptName(step));
    const { name, application, pages } = tab;
    if (application !== null) {
      application.visit.refuseAnswer();
      this.#browsers.comeBack(application.visit.browser, name);
    }
    let displayed = await act(tab);
    if (application !== null) {
      await application.continue(pages);
      displayed = await pages.flow.display();
    }
    return this.#withPasskeys(await observe(application, displayed), pages, displayed);
  }
}

async function observe(application: ApplicationFlow | null, displayed: DisplayedPage): Promise<Observation> {
  const observed = toObservation(displayed);
  return application === null ? observed : application.seen(observed);
}
