import type { Verdict } from '../../../machines/vocabulary.ts';
import type { ControlClient } from '../../client/control-client.ts';
import type { Step } from '../../contract/scenario.schema.ts';
import { type StepKind, stepKinds } from '../../contract/step-names.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { noApplication, type SignInParts, signInParts } from '../application-session.ts';
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
import { BrowserProcess } from './browser/browser-process.ts';
import { BrowserTab, type TabDevice } from './browser/browser-tab.ts';
import { formatPlainMessage, type KeptState } from './browser/device-context.ts';
import { deviceProfile } from './browser/device-profiles.ts';
import { EvidenceCollector, type EvidencePlace } from './browser/evidence.ts';
import type { FoundBrowser } from './browser/find-browser.ts';
import { createPasskey, pickPasskey, rejectPasskey, upgradePasskey, usePasskey } from './browser/passkey-actions.ts';
import { UnloadBeacons } from './browser/unload-beacons.ts';
import { ApplicationFlow } from './http/application-flow.ts';
import { authenticatorName, KeyRing, type ListedPasskey } from './http/authenticators.ts';
import { observedSignals } from './http/ceremonies.ts';
import { driverClient, serverAt } from './http/control-client.ts';
import { HttpClient } from './http/http-client.ts';
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

export interface BrowserDriverOptions {
  /** URL of the control API, without a trailing slash. */
  readonly controlUrl: string;
  /** Control key of the server, if it requires one. */
  readonly controlKey?: string | undefined;
  readonly browser: FoundBrowser;
  /**
   * Location for the trace, screenshot, journal and verdicts of failed scenarios, or `null` to store none and record
   * no trace.
   */
  readonly evidence: EvidencePlace | null;
  /** Preferred language of the browser as a BCP 47 tag. The default is English. */
  readonly language?: string | undefined;
  /** True if the program listens for interrupts, which then leave the browser running. */
  readonly handlesInterrupts?: boolean | undefined;
}

type PageStepKind = Exclude<StepKind, ControlStepKind>;
type SignInStep = SignInParts['attempt'];

/** Open tab of the scenario. */
interface OpenTab {
  readonly name: string;
  readonly user: string;
  readonly browser: BrowserTab;
  /** Application at which the sign-in started, or `null` if there is none. */
  readonly application: ApplicationFlow | null;
}

/**
 * Runs scenarios in a real browser. The driver performs the actions of a user on the pages, and reads the page, the
 * skip button and errors from their content. Each scenario has its own sandbox, and each of its tabs its own
 * device. The browser process is shared.
 */
export class BrowserDriver implements Driver {
  readonly name = 'browser';
  /** Timeout factor of 4, because a page takes tens of milliseconds here, and longer on a busy machine. */
  readonly timeoutFactor = 4;
  readonly can: ReadonlySet<StepKind> = new Set(stepKinds);
  readonly hasApplications = true;
  readonly hasCeremonies = true;
  readonly #client = new HttpClient();
  readonly #control: ControlClient;
  readonly #process: BrowserProcess;
  readonly #evidence: EvidencePlace | null;
  readonly #language: string | undefined;

  constructor({ controlUrl, controlKey, browser, evidence, language, handlesInterrupts }: BrowserDriverOptions) {
    this.#language = language;
    this.#control = driverClient(this.#client, controlUrl, controlKey);
    this.#process = new BrowserProcess(browser, handlesInterrupts);
    this.#evidence = evidence;
  }

  /** Creates a driver for the server at a URL. Throws `server-unreachable` if no server responds. */
  static async reach(url: string, options: Omit<BrowserDriverOptions, 'controlUrl'>): Promise<BrowserDriver> {
    return new BrowserDriver({ ...options, controlUrl: await serverAt(url) });
  }

  async open(scenario: Scenario): Promise<DriverSession> {
    return (await this.#begin(scenario)).session;
  }

  async openOwn(scenario: Scenario, own: OwnScenarioPlan): Promise<OwnRun> {
    const { session, sandbox } = await this.#begin(scenario);
    return new OwnPagesRun(session, sandbox, own);
  }

  async #begin(scenario: Scenario): Promise<{ readonly session: BrowserSession; readonly sandbox: SandboxControl }> {
    const browser = await this.#process.running();
    const sandbox = await SandboxControl.create(this.#client, this.#control, scenario.plan);
    const evidence = this.#evidence === null ? null : new EvidenceCollector(this.#evidence, scenario.id, sandbox);
    const language = this.#language;
    const openTab = (device: TabDevice): BrowserTab => new BrowserTab(browser, { ...device, language }, evidence);
    const parts = { sandbox, evidence, openTab, chromiumVersion: browser.version(), scenario };
    return { session: new BrowserSession(parts), sandbox };
  }

  async close(): Promise<void> {
    await this.#process.close();
    await this.#client.close();
  }
}

interface SessionParts {
  readonly sandbox: SandboxControl;
  readonly evidence: EvidenceCollector | null;
  readonly openTab: (device: TabDevice) => BrowserTab;
  readonly chromiumVersion: string;
  readonly scenario: Scenario;
}

class BrowserSession implements DriverSession {
  readonly #sandbox: SandboxControl;
  readonly #evidence: EvidenceCollector | null;
  readonly #openTab: SessionParts['openTab'];
  readonly #chromiumVersion: string;
  readonly #marks: UnloadBeacons;
  readonly #tabs = new Tabs<OpenTab>();
  readonly #browsers = new Browsers<KeptState | null>({ make: () => null, restart: lastingCookies });
  readonly #all: BrowserTab[] = [];
  readonly #keys = new KeyRing();
  /** True if the tenant restricts passkey models or requires attestation. */
  #restricted: boolean;
  /** True if the scenario checks passkey ceremonies. */
  readonly #watched: boolean;

  constructor({ sandbox, evidence, openTab, chromiumVersion, scenario }: SessionParts) {
    this.#sandbox = sandbox;
    this.#evidence = evidence;
    this.#openTab = openTab;
    this.#chromiumVersion = chromiumVersion;
    this.#marks = new UnloadBeacons(sandbox);
    const { keyRestrictions, profiles } = scenario.plan.tenant.methodsPolicy.fido2;
    this.#watched = scenario.steps.some(looksAtPasskeys);
    const trustsMetadata = scenario.plan.settings.passkeys?.metadata !== undefined;
    this.#restricted = keyRestrictions !== null || profiles.length > 0 || trustsMetadata;
  }

  async perform(step: Step): Promise<Observation> {
    const handler = { ...this.#sandbox.handlers, ...this.#handlers }[step.kind];
    try {
      return await (handler as (step: Step) => Promise<Observation>)(step);
    } catch (error) {
      if (error instanceof NudgeLabError || !(error instanceof Error)) throw error;
      throw new NudgeLabError('driver-failed', { message: formatPlainMessage(error), cause: error });
    }
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
    // The sandbox must remain available after the last step, because that step can fail.
    return this.#sandbox.observe({ ...request, last: false });
  }

  async keepEvidence(): Promise<readonly string[]> {
    return this.#evidence === null ? [] : this.#evidence.keep(this.#all);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((tab) => tab.end()));
    await this.#sandbox.close();
  }

  readonly #handlers: StepHandlers<PageStepKind | 'setTenant'> = {
    signIn: async ({ say }) => {
      const { user, tab: name, otherWay, usernameless, attempt, application: options } = signInParts(say);
      const device = this.#createDevice(attempt);
      const facts = device.profile === null ? attempt : withoutDevice(attempt);
      await this.#sandbox.nextSignIn(user, facts);
      const application = options === null ? null : await ApplicationFlow.begin(this.#sandbox, user, options);
      const browser = this.#openTab(device);
      this.#all.push(browser);
      const tab = { name, user, browser, application };
      this.#tabs.open(name, tab);
      if (options !== null) await browser.takeCookies(this.#browsers.open(options.browser, name));
      const { userPrincipalName, password, code } = this.#sandbox.profile(user);
      const credentials = {
        name: userPrincipalName,
        password,
        code,
        usePasskey: async () => usePasskey(browser, await this.#unlocked(user)),
        pickPasskey: usernameless ? () => this.#pickPasskey(browser, user) : undefined,
        checkFactor: () => this.#sandbox.refuseMethodNotHeld(user, attempt.mfa?.method),
        otherWay,
      };
      const { flow } = browser;
      if (application === null) await flow.signIn(`${this.#sandbox.baseUrl}/sign-in`, credentials);
      else await application.signIn(browser, () => flow.continue(credentials), otherWay);
      const displayed = await flow.display();
      const neverBegan = application?.visit.end === 'application-refused' && displayed.signInId === null;
      if (neverBegan) await this.#sandbox.dropNextSignIn(user, facts);
      const observed = await this.#observe(tab, displayed);
      return { ...observed, signInScreens: flow.factors, outcome: displayedOutcome(displayed) };
    },
    signOut: async (step) => {
      const tab = this.#tabs.get(findPromptName(step));
      const { browser, application } = tab;
      if (application === null) throw noApplication();
      await this.#comeBack(tab);
      const visitedPages = await application.signOut(browser, step.say);
      const displayed = await browser.flow.display();
      await this.#keepCookies(tab);
      return { page: scenarioPageName(displayed), visitedPages, status: displayed.status };
    },
    next: (step) => this.#answer(step),
    skip: (step) => this.#answer(step),
    skipError: (step) => this.#answer(step),
    failRegistration: (step) => this.#answer(step),
    upgradePasskey: async (step) => {
      const tab = this.#tabs.get(findPromptName(step));
      const wanted = wantedPasskey(tab.browser, step.say.passkey);
      const maker = authenticatorName(wanted.type, wanted.deviceId);
      const conditions = { restricted: true, has: this.#keys.madeBy(maker) };
      const displayed = await upgradePasskey(tab.browser, wanted, conditions);
      this.#keys.keep(await tab.browser.madePasskeys(), tab.user, maker);
      return this.#observe(tab, displayed, true);
    },
    register: (step) => this.#answer(step),
    closeBrowser: async (step) => {
      const tab = this.#tabs.get(findPromptName(step));
      const { browser } = tab;
      await this.#marks.awaitMark(browser.flow.beaconUrl, () => browser.close());
      await this.#closed(tab);
      return { page: 'closed', ...idPart(browser.flow.signInId) };
    },
    // A reload also sends the unload beacon, which must not be mistaken for the beacon of a later close.
    reload: (step) => this.#inTab(step, ({ flow }) => this.#marks.awaitMark(flow.beaconUrl, () => flow.reload())),
    abandon: async (step) => {
      const tab = this.#tabs.get(findPromptName(step));
      const { browser } = tab;
      await browser.vanish();
      await this.#closed(tab);
      return { page: 'closed', ...idPart(browser.flow.signInId) };
    },
    setTenant: (step) => {
      if ('methodsPolicy' in step.say || 'settings' in step.say) this.#restricted = true;
      return this.#sandbox.handlers.setTenant(step);
    },
  };

  async #unlocked(user: string): Promise<readonly ListedPasskey[]> {
    return this.#keys.unlock(await this.#sandbox.passkeys(user), user);
  }

  async #pickPasskey(browser: BrowserTab, user: string): Promise<boolean> {
    await this.#unlocked(user);
    return pickPasskey(browser, this.#keys.offeredTo(user));
  }

  #answer(step: PromptStep): Promise<Observation> {
    return this.#inTab(step, async (browser, user) => {
      const { flow, os, deviceId } = browser;
      const tab = {
        flow,
        os,
        deviceId,
        secrets: this.#sandbox.profile(user),
        createPasskey: (wanted: WantedPasskey) => createPasskey(browser, wanted, { restricted: this.#restricted }),
        rejectPasskey: (wanted: WantedPasskey) => rejectPasskey(browser, wanted),
      };
      const displayed = await performPromptStep(tab, step);
      if (step.kind === 'register') this.#keys.keep(await browser.madePasskeys(), user);
      return displayed;
    });
  }

  /** Performs an action in a tab with a sign-in, and continues to its application if the sign-in is complete. */
  async #inTab(step: Step, act: (browser: BrowserTab, user: string) => Promise<DisplayedPage>): Promise<Observation> {
    const tab = this.#tabs.get(findPromptName(step));
    const { browser, application } = tab;
    if (application === null) return this.#observe(tab, await act(browser, tab.user));
    application.visit.refuseAnswer();
    await this.#comeBack(tab);
    await act(browser, tab.user);
    await application.continue(browser);
    return this.#observe(tab, await browser.flow.display());
  }

  /** Returns the content of a tab with the pages of its application. The browser stores the cookies. */
  async #observe(tab: OpenTab, displayed: DisplayedPage, isUpgrade = false): Promise<Observation> {
    await this.#keepCookies(tab);
    const { signals } = displayed;
    this.#keys.signal(signals);
    const observed = toObservation(displayed);
    const whole = tab.application === null ? observed : await tab.application.seen(observed);
    return { ...whole, ceremony: tab.browser.takeCeremony(isUpgrade), signals: observedSignals(signals) };
  }

  /** Activates a tab and applies changes from other tabs of the same browser. */
  async #comeBack({ name, browser, application }: OpenTab): Promise<void> {
    if (application === null) return;
    await browser.takeCookies(this.#browsers.comeBack(application.visit.browser, name));
  }

  async #keepCookies({ browser, application }: OpenTab): Promise<void> {
    if (application !== null) this.#browsers.keep(application.visit.browser, await browser.cookies());
  }

  async #closed(tab: OpenTab): Promise<void> {
    const { name, application } = tab;
    await this.#keepCookies(tab);
    if (application !== null) this.#browsers.close(application.visit.browser, name);
  }

  #createDevice({ os = 'windows', browser, deviceId = 'device-1' }: Partial<SignInStep>): TabDevice {
    // Facts without a browser use the default one. `null` means that there is no browser, which no profile can
    // represent.
    const named = browser === undefined ? 'chrome' : browser;
    const profile = named === null ? null : deviceProfile({ os, browser: named }, this.#chromiumVersion);
    return { profile, os, deviceId, watched: this.#watched };
  }
}

/** Returns true if a step checks passkey ceremonies, or if it requires an authenticator of its own. */
function looksAtPasskeys({ kind, say, expect }: Step): boolean {
  if (expect?.ceremony !== undefined || expect?.signals !== undefined) return true;
  return kind === 'upgradePasskey' || (kind === 'signIn' && say.usernameless === true);
}

/** Returns the cookies that remain after a browser was closed and started again: those with an expiry. */
function lastingCookies(kept: KeptState | null): KeptState | null {
  return kept === null
    ? null
    : { ...kept, cookies: kept.cookies.filter(({ expires }) => expires !== sessionCookieEnd) };
}

/** Expiry that Playwright reports for a session cookie. */
const sessionCookieEnd = -1;

/** Returns the facts of an attempt without the operating system and browser, which the device reports itself. */
function withoutDevice<T extends Partial<SignInStep>>({ os: _os, browser: _browser, ...rest }: T): Omit<T, 'os'> {
  return rest as Omit<T, 'os'>;
}
