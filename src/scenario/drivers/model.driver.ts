import { interstitialScreens, type Screen, setupScreens } from '../../../machines/sign-in.machine.ts';
import type { MfaMethod, Verdict } from '../../../machines/vocabulary.ts';
import type { Fault } from '../../contract/fault.schema.ts';
import type { Step, StepOf } from '../../contract/scenario.schema.ts';
import { type FactorScreen, type StepKind, stepKinds } from '../../contract/step-names.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import {
  inMemory,
  type JournalEntry,
  Sandbox,
  type SandboxModel,
  type SignInView,
  type UserState,
} from '../../sandbox/sandbox.ts';
import { toApiCall } from '../api-call.ts';
import {
  type ApplicationOptions,
  ApplicationSession,
  noApplication,
  type SignInParts,
  signInParts,
} from '../application-session.ts';
import type { Driver, DriverSession, Observation, ObservedNudgeStatus, ReplayObserver } from '../driver.ts';
import { toLookupCall } from '../lookup-request.ts';
import { nothingToChoose, refuseMethodNotHeld, wayNotOffered } from '../method-switching.ts';
import { getFactorScreen, getPageName, refusePasskeyForApp } from '../pages.ts';
import type { Scenario } from '../scenario.ts';
import { findPromptName } from '../step-check.ts';
import { Tabs } from '../tabs.ts';
import { toTenantPatch } from '../tenant-patch.ts';
import { ModelApplications, type WaitingVisit } from './model-applications.ts';
import { callApi, readPolicy, updatePolicy } from './model-directory.ts';
import { performOnDocuments } from './model-documents.ts';
import { createPasskey, giveFirstFactor, outcomeSeen, unknownPasskey, upgradePasskey } from './model-passkeys.ts';

/** Faults of tokens and of the connection between client and server. */
const faultsOfLines: readonly Fault['kind'][] = [
  'token',
  'delay',
  'server-error',
  'too-many-requests',
  'connection-reset',
  'lookup-delay',
  'lookup-timeout',
  'lookup-connection-reset',
];

interface Tab {
  /** Id of the sign-in, or `null` if the user rejected the application's request before it started. */
  readonly signInId: string | null;
  /** Application at which the sign-in started, or `null` if there is none. */
  readonly waiting: WaitingVisit | null;
  readonly os: string | undefined;
  readonly deviceId: string | undefined;
}

type Handlers = { readonly [K in StepKind]: (step: StepOf<K>) => Promise<Observation> };

/** Runs scenarios on the model in this process, without a server or pages, with the same sandboxes and journal. */
export class ModelDriver implements Driver {
  readonly name = 'model';
  readonly can: ReadonlySet<StepKind> = new Set(stepKinds);
  readonly hasApplications = true;
  readonly #model: SandboxModel | undefined;

  /** Creates a driver. The default rules and state machines are those of the specification. */
  constructor(model?: SandboxModel) {
    this.#model = model;
  }

  /** Returns false for faults of messages: the model sends no tokens, requests or responses. */
  canFail({ kind }: Fault): boolean {
    return !faultsOfLines.includes(kind);
  }

  async open({ plan }: Pick<Scenario, 'plan'>): Promise<ModelSession> {
    return new ModelSession(await Sandbox.create('scenario', plan, inMemory(), this.#model));
  }

  async close(): Promise<void> {
    // In-memory sandboxes are released with their sessions.
  }
}

/** Scenario in progress on the model. Unlike other sessions, it can be forked. */
export class ModelSession implements DriverSession {
  readonly #sandbox: Sandbox;
  readonly #tabs: Tabs<Tab>;
  readonly #applications: ModelApplications;

  constructor(sandbox: Sandbox, tabs = new Tabs<Tab>(), applications = new ModelApplications(sandbox)) {
    this.#sandbox = sandbox;
    this.#tabs = tabs;
    this.#applications = applications;
  }

  /** Returns an independent session that continues from here with a model. The journal of the copy is not stored. */
  fork(model?: SandboxModel): ModelSession {
    const sandbox = this.#sandbox.fork(model);
    return new ModelSession(sandbox, this.#tabs.copy(copyTab), this.#applications.fork(sandbox));
  }

  /** Returns the state of a user with the sign-ins of the tabs by name. */
  situation(userId: string): UserState & { readonly tabs: Readonly<Record<string, SignInView>> } {
    const tabs = this.#tabs
      .entries()
      .flatMap(([name, { signInId }]) =>
        signInId === null ? [] : [[name, this.#sandbox.signIns.view(signInId)] as const],
      );
    return { ...this.#sandbox.situation(userId), tabs: Object.fromEntries(tabs) };
  }

  perform(step: Step): Promise<Observation> {
    const handler = this.#handlers[step.kind] as (step: Step) => Promise<Observation>;
    return handler(step);
  }

  async verdict(signInId: string): Promise<Verdict | null> {
    return this.#sandbox.signIns.verdict(signInId);
  }

  async nudgeStatus(userId: string): Promise<ObservedNudgeStatus> {
    return this.#sandbox.directory.nudgeStatus(userId);
  }

  watch(watcher: ReplayObserver): void {
    this.#sandbox.watch(watcher);
  }

  async journal(): Promise<readonly JournalEntry[]> {
    return this.#sandbox.journal({ after: 0, limit: Number.MAX_SAFE_INTEGER });
  }

  async close(): Promise<void> {
    // Nothing has to be released.
  }

  readonly #handlers: Handlers = {
    signIn: async ({ say }) => {
      const parts = signInParts(say);
      const { user, tab, attempt, otherWay, usernameless, application } = parts;
      const { signIns } = this.#sandbox;
      const unknown = usernameless ? unknownPasskey(this.#sandbox, user) : null;
      if (unknown !== null) return unknown;
      const waiting = application === null ? null : this.#waitingFor(parts, application);
      const bySession = waiting === null ? null : await this.#applications.ask(waiting, attempt);
      if (bySession !== null && otherWay !== undefined) throw nothingToChoose(otherWay);
      const begun = bySession ?? (await signIns.start(user, attempt));
      const signInId = begun === 'refused' ? null : begun.id;
      this.#tabs.open(tab, { signInId, waiting, os: attempt.os, deviceId: attempt.deviceId });
      if (begun === 'refused') return atApplication({ status: 200, outcome: 'none' }, waiting);
      const factors: FactorScreen[] = bySession === null ? ['name'] : [];
      const goOn = () =>
        bySession === null
          ? this.#goOn(begun, { named: attempt.mfa?.method, otherWay, usernameless, factors })
          : Promise.resolve(begun);
      const observed = await this.#attempt(begun.id, waiting, goOn);
      // A user with a session sees no page of the sign-in, regardless of the rules that evaluated it.
      const unseen = bySession === null ? {} : { passed: waiting?.visit.visitedPages([]) ?? [] };
      return { ...observed, ...unseen, signInScreens: factors, outcome: outcomeSeen(signIns.view(begun.id)) };
    },
    signOut: async (step) => {
      const { waiting } = this.#tabs.get(findPromptName(step));
      if (waiting === null) throw noApplication();
      this.#applications.signOut(waiting, step.say.from);
      const page = step.say.postLogoutRedirectUri === undefined ? 'signed-out' : 'application';
      return { page, visitedPages: ['sign-out'], status: 200 };
    },
    next: (step) => this.#answer(step, (id) => this.#sandbox.signIns.selectNext(id)),
    skip: (step) => this.#answer(step, (id) => this.#sandbox.signIns.skip(id)),
    skipError: (step) => this.#answer(step, (id) => this.#sandbox.signIns.skipError(id)),
    upgradePasskey: async (step) => {
      const tab = this.#tabs.get(findPromptName(step));
      if (tab.signInId === null) throw new NudgeLabError('prompt-not-open');
      const status = await upgradePasskey(this.#sandbox, tab.signInId, createPasskey(step, tab));
      return atApplication(seen(this.#sandbox.signIns.view(tab.signInId), status), tab.waiting);
    },
    failRegistration: (step) =>
      this.#answer(step, async (id) => {
        await this.#goToSetup(id);
        return this.#sandbox.signIns.failSetup(id);
      }),
    register: (step) =>
      this.#answer(step, async (id, tab) => {
        const { method } = await this.#goToSetup(id);
        refusePasskeyForApp(step, method);
        return this.#sandbox.signIns.completeSetup(id, method === 'fido2' ? createPasskey(step, tab) : null);
      }),
    closeBrowser: async (step) => {
      const { signInId, waiting } = this.#tabs.get(findPromptName(step));
      if (signInId !== null && (waiting?.visit.end ?? null) === null) await this.#sandbox.signIns.leave(signInId);
      return this.#closed(signInId, waiting);
    },
    abandon: async (step) => {
      const { signInId, waiting } = this.#tabs.get(findPromptName(step));
      return this.#closed(signInId, waiting);
    },
    reload: (step) => this.#answer(step, (id) => this.#sandbox.signIns.comeBack(id)),
    advance: async ({ say }) => {
      await this.#sandbox.clock.advance(say);
      return {};
    },
    setClock: async ({ say }) => {
      await this.#sandbox.clock.set({ nowMs: parseInstant(say) ?? 0 });
      return {};
    },
    setTenant: async ({ say }) => {
      const { facts, settings } = toTenantPatch(say);
      if (settings !== null) await this.#sandbox.directory.patchSettings(settings, 'scenario');
      if (facts !== null) await this.#sandbox.directory.patchTenant(facts, 'scenario');
      return {};
    },
    setFaults: async ({ say }) => {
      await this.#sandbox.faults.set(say);
      return {};
    },
    setUser: async ({ say: { user, ...patch } }) => {
      await this.#sandbox.directory.patchUser(user, patch);
      return {};
    },
    removeMethod: async ({ say: { user, method } }) => {
      await this.#sandbox.directory.removeMethod(user, method);
      return {};
    },
    lookup: async ({ say }) => {
      const { method, query, authorization, times } = toLookupCall(say);
      const ask = () => this.#sandbox.lookup.ask({ method, query, authorization });
      for (let index = 1; index < times; index += 1) await ask();
      const { status, headers, text, effect } = await ask();
      if (effect.end !== 'answer')
        throw new NudgeLabError('driver-failed', { message: 'The request received no response.' });
      return { status, headers, body: JSON.parse(text) as unknown };
    },
    document: ({ say }) => performOnDocuments(this.#sandbox, say),
    getPolicy: ({ say }) => readPolicy(this.#sandbox, say),
    patchPolicy: ({ say }) => updatePolicy(this.#sandbox, say),
    callApi: ({ say }) => callApi(this.#sandbox, toApiCall(say)),
    explain: async ({ say: { user, ...attempt } }) => {
      const explained = this.#sandbox.explain(user, attempt);
      return { explained, outcome: explained.outcome };
    },
  };

  /** Performs an action on a prompt. */
  async #answer(step: Step, act: (signInId: string, tab: Tab) => Promise<SignInView>): Promise<Observation> {
    const tab = this.#tabs.get(findPromptName(step));
    const { signInId, waiting } = tab;
    if (waiting !== null) this.#applications.comeBack(waiting);
    if (signInId === null) throw new NudgeLabError('prompt-not-open');
    return this.#attempt(signInId, waiting, () => act(signInId, tab));
  }

  /** Performs a user action. A rejection is an observation too, because scenarios can expect it. */
  async #attempt(signInId: string, waiting: WaitingVisit | null, act: () => Promise<SignInView>): Promise<Observation> {
    try {
      const view = await act();
      if (waiting !== null && waiting.visit.end === null) this.#applications.goOn(waiting, view);
      return atApplication(seen(view, 200), waiting);
    } catch (error) {
      if (!(error instanceof NudgeLabError) || !refusals.includes(error.code)) throw error;
      return atApplication(seen(this.#sandbox.signIns.view(signInId), error.status), waiting);
    }
  }

  #closed(signInId: string | null, waiting: WaitingVisit | null): Observation {
    if (waiting !== null) this.#applications.close(waiting);
    return { page: 'closed', ...(signInId === null ? {} : { signInId }) };
  }

  #waitingFor({ user, tab }: SignInParts, options: ApplicationOptions): WaitingVisit {
    const requestedAtSeconds = Math.floor(this.#sandbox.clock.nowMs() / 1_000);
    return { visit: new ApplicationSession(user, options), tab, requestedAtSeconds };
  }

  /** Completes both factors and the interstitial pages up to the first page that requires a decision. */
  async #goOn(begun: SignInView, { named, otherWay, usernameless, factors }: Way): Promise<SignInView> {
    const { signIns } = this.#sandbox;
    let view = begun;
    factors.push(...(usernameless ? (['passkey'] as const) : factorShown(view)));
    if (view.screen === 'password') view = await giveFirstFactor(this.#sandbox, view, usernameless);
    factors.push(...(view === begun ? [] : factorShown(view)));
    if (view.screen === 'mfa') refuseMethodNotHeld(named, view.mfaMethods);
    if (otherWay !== undefined) {
      view = await this.#goAnotherWay(view, otherWay);
      factors.push('choice', ...factorShown(view));
    }
    if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await signIns.completeMfa(view.id);
    for (let passed = 0; isInterstitial(view.screen) && view.outcome !== 'blocked'; passed += 1) {
      if (passed > interstitialScreens.length) {
        throw new NudgeLabError('driver-failed', { message: `The screen ${view.screen} repeats endlessly.` });
      }
      view = await signIns.passInterstitial(view.id);
    }
    return view;
  }

  /**
   * Selects another method under "Sign in another way", which is offered if the user has a method other than the
   * current one.
   */
  async #goAnotherWay({ id, screen, mfaMethod, mfaMethods }: SignInView, wanted: MfaMethod): Promise<SignInView> {
    if (screen !== 'mfa') throw nothingToChoose(wanted);
    const offered = mfaMethods.some((candidate) => candidate !== mfaMethod) ? mfaMethods : [];
    if (!offered.includes(wanted)) throw wayNotOffered(wanted, offered);
    await this.#sandbox.signIns.openMfaChoice(id);
    return this.#sandbox.signIns.chooseMfaMethod(id, wanted);
  }

  /** Selects "Next" or "try again" if the sign-in is not at the setup yet. */
  async #goToSetup(signInId: string): Promise<SignInView> {
    const view = this.#sandbox.signIns.view(signInId);
    return (setupScreens as readonly Screen[]).includes(view.screen)
      ? view
      : this.#sandbox.signIns.selectNext(signInId);
  }
}

/** Options for completing a sign-in up to the first page that requires a decision. */
interface Way {
  readonly named: MfaMethod | null | undefined;
  readonly otherWay: MfaMethod | undefined;
  readonly usernameless: boolean;
  readonly factors: FactorScreen[];
}

/** Returns the factors that a screen requests before the evaluation, or none for other screens. */
function factorShown({ screen, mfaMethod }: SignInView): readonly FactorScreen[] {
  if (screen === 'password') return ['password'];
  if (screen === 'externalMfa') return ['elsewhere'];
  return screen === 'mfa' ? [getFactorScreen(mfaMethod)] : [];
}

function isInterstitial(screen: Screen): boolean {
  return (interstitialScreens as readonly Screen[]).includes(screen);
}

/** Errors that a scenario can expect as the status of a step. */
const refusals: readonly string[] = [
  'skip-not-allowed',
  'prompt-expired',
  'second-factor-rejected',
  'second-factor-pending',
];

function seen(view: SignInView, status: number): Observation {
  return {
    page: getPageName(view.screen),
    visitedPages: view.interstitials.map(getPageName),
    signInId: view.id,
    status,
  };
}

/** Adds the pages of the application and its result to an observation. */
function atApplication(observed: Observation, waiting: WaitingVisit | null): Observation {
  if (waiting === null) return observed;
  const { visit } = waiting;
  return {
    ...observed,
    visitedPages: visit.visitedPages(observed.visitedPages ?? []),
    ...(visit.end === null ? {} : { page: visit.end }),
  };
}

/** Returns an independent copy of a tab. */
function copyTab(tab: Tab): Tab {
  return tab.waiting === null ? tab : { ...tab, waiting: { ...tab.waiting, visit: tab.waiting.visit.copy() } };
}
