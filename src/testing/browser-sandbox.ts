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

/** What an answer at a page led to. */
export interface AnsweredPage {
  readonly page: PageName;
  readonly status: number;
}

/** Where a sign-in at a page came to. */
export interface SignedInPage {
  readonly page: PageName;
  /** All pages that it went through before, such as terms of use, in order. */
  readonly visitedPages: readonly PageName[];
}

/** What an application signs its user out of, and where that leads; everything, and nowhere, where it is left out. */
export type SignOutChoice = Omit<Say<'signOut'>, 'as'>;

/** What can be done about a nudge at the page that shows it. */
export interface Prompt {
  /** Next on the prompt, or "Try again" on the error screen. */
  next(): Promise<AnsweredPage>;
  /** "Skip for now"; where the page has no such button, it is sent all the same. */
  skip(): Promise<AnsweredPage>;
  /** "Skip" on the error screen. */
  skipError(): Promise<AnsweredPage>;
  /** Registers what the page asks for; a passkey may be of another kind or made on another device. */
  register(how?: Omit<Say<'register'>, 'prompt'>): Promise<AnsweredPage>;
  /** Tries to register, and fails. */
  failRegistration(): Promise<AnsweredPage>;
  /** Goes away from the page as a closed browser does; whatever is done next comes back to it. */
  closeBrowser(): Promise<AnsweredPage>;
  /** Loads the page again, also one that was gone away from. */
  reload(): Promise<AnsweredPage>;
}

/** The passkeys that a page makes from now on. */
export interface AuthenticatorChoice {
  /** The kind; what the system has of itself where it is left out. */
  readonly type?: PasskeyType;
  /** The device that it is; that of the sign-in where it is left out. */
  readonly deviceId?: string;
  /** How it and its user behave; `approves` where it is left out. */
  readonly misbehavior?: Misbehavior;
}

/** One simulated tenant on a server, which people sign in to at pages of the test. */
export class BrowserSandbox extends TestSandbox {
  readonly #control: SandboxControl;
  readonly #plan: PlannedTestSandbox['plan'];
  readonly #marks: UnloadBeacons;
  readonly #tabs = new WeakMap<object, PageTab>();
  /** Whether the tenant asks for makes of passkeys or attestation. */
  #restricted: boolean;

  /** Takes the sandbox on its server, and what it was planned by. */
  constructor(control: SandboxControl, planned: PlannedTestSandbox) {
    super(
      {
        perform: (step) => {
          const handlers: Readonly<Record<string, unknown>> = control.handlers;
          const handler = handlers[step.kind] as
            | ((given: typeof step) => ReturnType<BrowserSandbox['perform']>)
            | undefined;
          if (handler !== undefined) return handler(step);
          throw new NudgeLabError('bad-request', { message: `${step.kind} is done at a page: use signIn or prompt.` });
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

  /** Address of the sandbox's pages and APIs, without a slash at the end: what an application takes as its provider. */
  get baseUrl(): string {
    return this.#control.baseUrl;
  }

  /** Where a sign-in begins. */
  get signInUrl(): string {
    return `${this.baseUrl}/sign-in`;
  }

  override async setTenant(patch: Say<'setTenant'>): Promise<void> {
    if ('methodsPolicy' in patch) this.#restricted = true;
    await super.setTenant(patch);
  }

  /** Every sign-in so far, with its verdict. */
  async explained(): Promise<readonly unknown[]> {
    return this.#control.explained();
  }

  /**
   * Signs in at a page, and goes on to the first page that asks for an answer, or to the end. Takes the page, the user, and
   * what else is true of the sign-in: without system and browser it is Chrome on Windows, unless the page says itself what
   * it is by a user agent of its own.
   */
  async signInAt(page: Page, user: string, attempt: Attempt, saysItself: boolean): Promise<SignedInPage> {
    const { userPrincipalName: name, password, code } = this.persona(user);
    const { otherWay, attempt: said, application: wish } = signInParts(this.#step('signIn', { ...attempt, user }).say);
    const device = saysItself ? {} : { os: 'windows' as const, browser: 'chrome' as const };
    const facts = { ...device, ...said };
    await this.#control.nextSignIn(user, facts);
    const tab = await this.#tabAt(page, { os: said.os ?? 'windows', deviceId: said.deviceId ?? 'device-1' });
    const application = wish === null ? null : await ApplicationFlow.begin(this.#control, user, wish);
    tab.application = application;
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
   * The application of a page signs its user out: of everything, unless it says otherwise. Throws `driver-failed` where the sign-in
   * began at no application or goes on.
   */
  async signOutAt(page: Page, how: SignOutChoice): Promise<SignedInPage> {
    const tab = this.#known(page);
    if (tab.application === null) throw noApplication();
    const visitedPages = await tab.application.signOut(tab, this.#step('signOut', how).say);
    const { page: reached } = told(toObservation(await tab.flow.display()));
    await tab.stopStandingIn();
    return { page: reached, visitedPages };
  }

  /** What can be done about the nudge that a page shows. Throws `prompt-not-open` where no one signed in. */
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
        return answered(told(toObservation(displayed)));
      },
    };
  }

  /** Has a page make passkeys of a kind from now on, by a software authenticator in place of the browser's own. */
  async useAuthenticator(page: Page, { type, deviceId, misbehavior = 'approves' }: AuthenticatorChoice): Promise<void> {
    const tab = await this.#tabAt(page, deviceId === undefined ? {} : { deviceId });
    await tab.useAuthenticator(type, misbehavior);
  }

  /** The verdict of the sign-in that a page shows; `null` where it shows none. */
  async verdictAt(page: Page): Promise<Awaited<ReturnType<TestSandbox['verdict']>>> {
    const signInId = await page.locator('main[data-sign-in]').getAttribute('data-sign-in');
    return signInId === null ? null : this.verdict(signInId);
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
      createPasskey: (wanted: WantedPasskey) =>
        usesChosen ? flow.press('make-passkey') : createPasskey(tab, wanted, conditions),
      rejectPasskey: (wanted: WantedPasskey) => rejectPasskey(tab, wanted),
    };
    await performPromptStep(prompt, step);
    await tab.application?.continue(tab);
    return answered(await this.#seenIn(tab));
  }

  /** What a tab shows, with what belongs to its application. Anyone who is back there may go to the application itself. */
  async #seenIn(tab: PageTab): Promise<Seen> {
    const shown = toObservation(await tab.flow.display());
    const { application } = tab;
    if (application === null) return told(shown);
    if (application.visit.end !== null) await tab.stopStandingIn();
    return told(await application.seen(shown));
  }

  /** A step of a scenario. Takes its kind, and what it says. Throws `scenario-invalid`. */
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
    throw new NudgeLabError('prompt-not-open', { message: `No one has signed in at this page; there are ${users}.` });
  }
}

/** What was seen at a page, with what is always told there. */
type Seen = Observation & Required<Pick<Observation, 'page' | 'visitedPages' | 'status'>>;

function told({ page = 'closed', visitedPages = [], status = okStatus, ...rest }: Observation): Seen {
  return { ...rest, page, visitedPages, status };
}

function answered({ page, status }: Seen): AnsweredPage {
  return { page, status };
}

const okStatus = 200;
