import type { Page } from '@playwright/test';
import type { OperatingSystem, PasskeyType } from '../../machines/vocabulary.ts';
import type { Misbehavior } from '../authenticators/misbehavior.ts';
import type { StepOf } from '../contract/scenario.schema.ts';
import type { PageName, StepKind } from '../contract/step-names.ts';
import { NudgeLabError } from '../core/errors.ts';
import { noApplication, signInParts } from '../scenario/application-session.ts';
import { parseStep } from '../scenario/build-scenario.ts';
import type { Observation } from '../scenario/driver.ts';
import { createPasskey, rejectPasskey, usePasskey } from '../scenario/drivers/browser/passkey-actions.ts';
import { UnloadBeacons } from '../scenario/drivers/browser/unload-beacons.ts';
import { ApplicationFlow } from '../scenario/drivers/http/application-flow.ts';
import type { SandboxControl } from '../scenario/drivers/http/sandbox-control.ts';
import {
  type PromptStep,
  performPromptStep,
  toObservation,
  type WantedPasskey,
} from '../scenario/drivers/pages/prompt-steps.ts';
import { DataSource } from '../scenario/scenario-source.ts';
import { PageTab } from './page-tab.ts';
import { type Attempt, type PlannedTestSandbox, type Say, TestSandbox } from './test-sandbox.ts';

/** Result of a user action on a page. */
export interface AnsweredPage {
  readonly page: PageName;
  readonly status: number;
}

/** Result of a sign-in on a page. */
export interface SignedInPage {
  readonly page: PageName;
  /** Earlier pages of the sign-in in order, such as terms of use. */
  readonly visitedPages: readonly PageName[];
}

/** Options of a sign-out. By default the user signs out of everything and is not redirected. */
export type SignOutChoice = Omit<Say<'signOut'>, 'as'>;

/** Actions on the page of a prompt. */
export interface Prompt {
  /** Selects "Next" on the prompt, or "Try again" on the error screen. */
  next(): Promise<AnsweredPage>;
  /** Selects "Skip for now". If the page has no such button, the form is sent anyway. */
  skip(): Promise<AnsweredPage>;
  /** Selects "Skip" on the error screen. */
  skipError(): Promise<AnsweredPage>;
  /** Registers the method of the prompt. A passkey can have another type or device. */
  register(how?: Omit<Say<'register'>, 'prompt'>): Promise<AnsweredPage>;
  /** Starts a registration that fails. */
  failRegistration(): Promise<AnsweredPage>;
  /** Leaves the page as if the browser was closed. The next action returns to it. */
  closeBrowser(): Promise<AnsweredPage>;
  /** Reloads the page, even if it was left. */
  reload(): Promise<AnsweredPage>;
}

/** Options for the passkeys that a page creates. */
export interface AuthenticatorChoice {
  /** Passkey type. The default is that of the operating system. */
  readonly type?: PasskeyType;
  /** Id of the device. The default is the device of the sign-in. */
  readonly deviceId?: string;
  /** Behavior of the authenticator and its user. The default is `approves`. */
  readonly misbehavior?: Misbehavior;
}

/** Simulated tenant on a server, with sign-ins in the pages of a test. */
export class BrowserSandbox extends TestSandbox {
  readonly #control: SandboxControl;
  readonly #plan: PlannedTestSandbox['plan'];
  readonly #marks: UnloadBeacons;
  readonly #tabs = new WeakMap<object, PageTab>();
  /** True if the tenant restricts passkey models or requires attestation. */
  #restricted: boolean;

  /** Creates a test sandbox for a sandbox on a server and its plan. */
  constructor(control: SandboxControl, planned: PlannedTestSandbox) {
    super(
      {
        perform: (step) => {
          const handlers: Readonly<Record<string, unknown>> = control.handlers;
          const handler = handlers[step.kind] as
            | ((given: typeof step) => ReturnType<BrowserSandbox['perform']>)
            | undefined;
          if (handler !== undefined) return handler(step);
          throw new NudgeLabError('bad-request', {
            message: `${step.kind} is performed on a page: use signIn or prompt.`,
          });
        },
        verdict: (signInId) => control.verdict(signInId),
        nudgeStatus: (userId) => control.nudgeStatus(userId),
        journal: () => control.journal(),
      },
      planned,
    );
    this.#control = control;
    this.#plan = planned.plan;
    this.#marks = new UnloadBeacons(control);
    const { keyRestrictions, profiles } = planned.plan.tenant.methodsPolicy.fido2;
    this.#restricted = keyRestrictions !== null || profiles.length > 0;
  }

  /**
   * Returns the URL of the sandbox's pages and APIs without a trailing slash, which an application uses as its
   * provider.
   */
  get baseUrl(): string {
    return this.#control.baseUrl;
  }

  /** Returns the URL where a sign-in starts. */
  get signInUrl(): string {
    return `${this.baseUrl}/sign-in`;
  }

  override async setTenant(patch: Say<'setTenant'>): Promise<void> {
    if ('methodsPolicy' in patch) this.#restricted = true;
    await super.setTenant(patch);
  }

  /** Returns all sign-ins so far with their verdicts. */
  async explained(): Promise<readonly unknown[]> {
    return this.#control.explained();
  }

  /**
   * Signs a user in on a page, up to the first page that requires a decision or to the end. By default the sign-in
   * context is Chrome on Windows.
   *
   * @param page - page of the test
   * @param user - id of the user
   * @param attempt - further facts of the sign-in
   * @param saysItself - true if the page has its own user agent, which then determines the system and browser
   */
  async signInAt(page: Page, user: string, attempt: Attempt, saysItself: boolean): Promise<SignedInPage> {
    const { userPrincipalName: name, password, code } = this.persona(user);
    const {
      otherWay,
      attempt: said,
      application: options,
    } = signInParts(this.#step('signIn', { ...attempt, user }).say);
    const device = saysItself ? {} : { os: 'windows' as const, browser: 'chrome' as const };
    const facts = { ...device, ...said };
    await this.#control.nextSignIn(user, facts);
    const tab = await this.#tabAt(page, { os: said.os ?? 'windows', deviceId: said.deviceId ?? 'device-1' });
    const application = options === null ? null : await ApplicationFlow.begin(this.#control, user, options);
    tab.application = application;
    tab.secrets = { code, password };
    const credentials = {
      name,
      password,
      code,
      usePasskey: async () => usePasskey(tab, await this.#control.passkeys(user)),
      otherWay,
    };
    if (application === null) {
      await tab.visit(this.signInUrl, null);
      await tab.flow.continue(credentials);
    } else {
      await application.signIn(tab, () => tab.flow.continue(credentials), otherWay);
    }
    const { page: reached, visitedPages, signInId } = await this.#seenIn(tab);
    if (application?.visit.end === 'application-refused' && signInId === undefined) {
      await this.#control.dropNextSignIn(user, facts);
    }
    return { page: reached, visitedPages };
  }

  /**
   * Signs the user of a page's application out, by default of everything. Throws `driver-failed` if the sign-in
   * started without an application or is still in progress.
   */
  async signOutAt(page: Page, how: SignOutChoice): Promise<SignedInPage> {
    const tab = this.#known(page);
    if (tab.application === null) throw noApplication();
    const visitedPages = await tab.application.signOut(tab, this.#step('signOut', how).say);
    const { page: reached } = toSeen(toObservation(await tab.flow.display()));
    await tab.stopStandingIn();
    return { page: reached, visitedPages };
  }

  /** Returns the actions on the prompt of a page. Throws `prompt-not-open` if no user signed in on the page. */
  promptAt(page: Page): Prompt {
    const answer = (kind: PromptStep['kind'], say: object = {}) => this.#answer(page, kind, say);
    return {
      next: () => answer('next'),
      skip: () => answer('skip'),
      skipError: () => answer('skipError'),
      register: (how = {}) => answer('register', how),
      failRegistration: () => answer('failRegistration'),
      closeBrowser: async () => {
        const tab = this.#known(page);
        await this.#marks.awaitMark(tab.flow.beaconUrl, () => tab.leave());
        return { page: 'closed', status: okStatus };
      },
      reload: async () => {
        const { flow } = this.#known(page);
        const displayed = await this.#marks.awaitMark(flow.beaconUrl, () => flow.reload());
        return answered(toSeen(toObservation(displayed)));
      },
    };
  }

  /**
   * Makes a page create passkeys of a type with a software authenticator instead of the browser's own authenticator.
   */
  async useAuthenticator(page: Page, { type, deviceId, misbehavior = 'approves' }: AuthenticatorChoice): Promise<void> {
    const tab = await this.#tabAt(page, deviceId === undefined ? {} : { deviceId });
    await tab.useAuthenticator(type, misbehavior);
  }

  /** Returns the verdict of the sign-in on a page, or `null` if the page shows none. */
  async verdictAt(page: Page): Promise<Awaited<ReturnType<TestSandbox['verdict']>>> {
    const signInId = await page.locator('main[data-sign-in]').getAttribute('data-sign-in');
    return signInId === null ? null : this.verdict(signInId);
  }

  /**
   * Describes what led to a failed assertion about a page: the verdict of its sign-in, the rule that decided it, and the
   * journey of its user so far. Empty if no one has signed in.
   */
  async describeFailureAt(page: Page): Promise<string> {
    const shown = page.locator('main[data-sign-in]');
    const shownId = (await shown.count()) === 0 ? null : await shown.first().getAttribute('data-sign-in');
    const started = (await this.journal()).flatMap(({ event }) => (event.type === 'signIn.started' ? [event] : []));
    const signIn = started.find(({ signInId }) => signInId === shownId) ?? started.at(-1);
    if (signIn === undefined) return '';
    return this.persona(signIn.userId).describeFailure(await this.verdict(signIn.signInId));
  }

  /** Removes the sandbox from its server. */
  close(): Promise<void> {
    return this.#control.close();
  }

  async #answer(page: Page, kind: PromptStep['kind'], say: object): Promise<AnsweredPage> {
    const tab = this.#known(page);
    tab.application?.visit.refuseAnswer();
    const step = this.#step(kind, say) as PromptStep;
    const { flow, os, deviceId } = tab;
    const usesChosen = step.kind === 'register' && step.say.passkey === undefined && tab.hasAuthenticator;
    const conditions = { restricted: this.#restricted };
    const prompt = {
      flow,
      os,
      deviceId,
      secrets: tab.secrets,
      createPasskey: (wanted: WantedPasskey) =>
        usesChosen ? flow.press('make-passkey') : createPasskey(tab, wanted, conditions),
      rejectPasskey: (wanted: WantedPasskey) => rejectPasskey(tab, wanted),
    };
    await performPromptStep(prompt, step);
    await tab.application?.continue(tab);
    return answered(await this.#seenIn(tab));
  }

  /**
   * Returns what a tab shows, including its application. After the sign-in, the test can open the application itself.
   */
  async #seenIn(tab: PageTab): Promise<Seen> {
    const observation = toObservation(await tab.flow.display());
    const { application } = tab;
    if (application === null) return toSeen(observation);
    if (application.visit.end !== null) await tab.stopStandingIn();
    return toSeen(await application.seen(observation));
  }

  /** Parses a step from its kind and options. Throws `scenario-invalid`. */
  #step<K extends StepKind>(kind: K, say: object): StepOf<K> {
    const written = { [kind]: say };
    return parseStep(written, 0, new DataSource(kind, written), this.fixtures) as StepOf<K>;
  }

  async #tabAt(page: Page, { os, deviceId }: { os?: OperatingSystem | undefined; deviceId?: string | undefined }) {
    const known = this.#tabs.get(page);
    const tab = known ?? (await PageTab.of(page));
    this.#tabs.set(page, tab);
    tab.become(os, deviceId);
    return tab;
  }

  #known(page: Page): PageTab {
    const tab = this.#tabs.get(page);
    if (tab !== undefined) return tab;
    const users = this.#plan.users.map(({ id }) => id).join(', ');
    throw new NudgeLabError('prompt-not-open', {
      message: `No one has signed in on this page. Sign in first, as one of ${users}.`,
    });
  }
}

/** Observation of a page with the values that are always available. */
type Seen = Observation & Required<Pick<Observation, 'page' | 'visitedPages' | 'status'>>;

function toSeen({ page = 'closed', visitedPages = [], status = okStatus, ...rest }: Observation): Seen {
  return { ...rest, page, visitedPages, status };
}

function answered({ page, status }: Seen): AnsweredPage {
  return { page, status };
}

const okStatus = 200;
