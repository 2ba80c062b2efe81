import { rulesAt } from '../../../machines/own/own-ruleset.ts';
import { interstitialScreens, type Screen, setupScreens } from '../../../machines/sign-in.machine.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { inMemory, Sandbox, type SignInView } from '../../sandbox/sandbox.ts';
import { getPageName } from '../pages.ts';
import { Tabs } from '../tabs.ts';
import type { OwnObservation, OwnRun, OwnUserStatus } from './own-run.ts';
import type { OwnScenarioPlan, OwnStep, OwnStepOf } from './own-scenario.ts';
import { planOwnSandbox } from './plan-own-sandbox.ts';

type Handlers = { readonly [K in OwnStep['kind']]: (step: OwnStepOf<K>) => Promise<OwnObservation> };

/** Scenario of a ruleset file in progress on a sandbox in this process, without a server or pages. */
export class OwnSandboxSession implements OwnRun {
  readonly #ruleset: OwnScenarioPlan['ruleset'];
  /** Sandbox of the scenario. */
  readonly sandbox: Sandbox;
  readonly #tabs = new Tabs<{ readonly signInId: string; readonly userId: string }>();
  userId: string | null = null;

  private constructor(ruleset: OwnScenarioPlan['ruleset'], sandbox: Sandbox) {
    this.#ruleset = ruleset;
    this.sandbox = sandbox;
  }

  /** Creates the sandbox of a scenario. */
  static async open(plan: OwnScenarioPlan): Promise<OwnSandboxSession> {
    return new OwnSandboxSession(plan.ruleset, await Sandbox.create('scenario', planOwnSandbox(plan), inMemory()));
  }

  async perform(step: OwnStep): Promise<OwnObservation> {
    const { say } = step;
    if (typeof say === 'object' && 'user' in say && typeof say.user === 'string') this.userId = say.user;
    return (this.#handlers[step.kind] as (step: OwnStep) => Promise<OwnObservation>)(step);
  }

  get nowMs(): number {
    return this.sandbox.clock.nowMs();
  }

  async status(userId: string): Promise<OwnUserStatus> {
    return this.sandbox.directory.nudgeStatus(userId);
  }

  readonly #handlers: Handlers = {
    signIn: async ({ say }) => {
      const { user, as, ...attempt } = say;
      const begun = await this.sandbox.signIns.start(user, attempt);
      this.#tabs.open(as ?? user, { signInId: begun.id, userId: user });
      const view = await this.#goOn(begun);
      const verdict = this.sandbox.signIns.ownVerdict(view.id);
      return { page: getPageName(view.screen), status: 200, ...(verdict === null ? {} : { verdict }) };
    },
    explain: async ({ say: { user, ...attempt } }) => ({ verdict: this.sandbox.explainOwn(user, attempt) }),
    next: ({ say }) => this.#act(say.prompt, (id) => this.sandbox.signIns.selectNext(id)),
    skip: ({ say }) => this.#act(say.prompt, (id) => this.sandbox.signIns.skip(id, say.answer)),
    closeBrowser: async ({ say }) => {
      await this.sandbox.signIns.leave(this.#find(say.prompt));
      return { page: 'closed' };
    },
    abandon: async ({ say }) => {
      this.#find(say.prompt);
      return { page: 'closed' };
    },
    reload: ({ say }) => this.#act(say.prompt, (id) => this.sandbox.signIns.comeBack(id)),
    register: ({ say }) =>
      this.#act(say.prompt, async (id) => {
        const { methods, ask } = rulesAt(this.#ruleset, this.nowMs);
        const isPasskey = methods[ask]?.kind === 'passkey';
        if (say.passkey !== undefined && !isPasskey) {
          throw new NudgeLabError('driver-failed', { message: `The prompt asks for ${ask}, which is no passkey.` });
        }
        const view = await this.#goToSetup(id);
        if (view.screen === 'resolved' || view.finished) return view;
        const { type = defaultPasskeyType(view.os), deviceId = view.deviceId } = say.passkey ?? {};
        return this.sandbox.signIns.completeSetup(id, isPasskey ? { type, deviceId } : null);
      }),
    failRegistration: ({ say }) =>
      this.#act(say.prompt, async (id) => {
        const view = await this.#goToSetup(id);
        return view.screen === 'resolved' || view.finished ? view : this.sandbox.signIns.failSetup(id);
      }),
    skipError: ({ say }) => this.#act(say.prompt, (id) => this.sandbox.signIns.skipError(id)),
    advance: async ({ say }) => {
      await this.sandbox.clock.advance(say);
      return {};
    },
    setClock: async ({ say }) => {
      await this.sandbox.clock.set({ nowMs: parseInstant(say) ?? 0 });
      return {};
    },
    setTenant: async ({ say }) => {
      await this.sandbox.directory.patchTenant(say, 'scenario');
      return {};
    },
    setUser: async ({ say: { user, ...patch } }) => {
      await this.sandbox.directory.patchUser(user, patch);
      return {};
    },
    removeMethod: async ({ say: { user, method } }) => {
      const { methods, passkeys } = this.sandbox.directory.user(user);
      const known = [...methods, ...(passkeys.length > 0 ? (['fido2'] as const) : [])];
      const found = known.find((one) => one === method);
      if (found === undefined) {
        throw new NudgeLabError('driver-failed', { message: `The method ${describeUnknownName(method, known)}.` });
      }
      await this.sandbox.directory.removeMethod(user, found);
      return {};
    },
    clearBrowser: async ({ say: { user } }) => {
      await this.sandbox.directory.clearBrowser(user);
      return {};
    },
    resetLedger: async ({ say: { user } }) => {
      await this.sandbox.directory.resetLedger(user);
      return {};
    },
  };

  /** Completes the factors and the pages before the end, which the rules do not depend on. */
  async #goOn(begun: SignInView): Promise<SignInView> {
    const { signIns } = this.sandbox;
    let view = begun;
    if (view.screen === 'password') view = await signIns.acceptPassword(view.id);
    if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await signIns.completeMfa(view.id);
    while (isInterstitial(view.screen) && view.outcome !== 'blocked') view = await signIns.passInterstitial(view.id);
    return view;
  }

  async #goToSetup(signInId: string): Promise<SignInView> {
    const view = this.sandbox.signIns.view(signInId);
    return (setupScreens as readonly Screen[]).includes(view.screen) ? view : this.sandbox.signIns.selectNext(signInId);
  }

  #find(prompt: string | undefined): string {
    const { signInId, userId } = this.#tabs.get(prompt);
    this.userId = userId;
    return signInId;
  }

  /** Performs an action at a prompt. A rejection is an observation too, because scenarios can expect it. */
  async #act(prompt: string | undefined, action: (signInId: string) => Promise<SignInView>): Promise<OwnObservation> {
    const signInId = this.#find(prompt);
    try {
      const { screen } = await action(signInId);
      return { page: getPageName(screen), status: 200 };
    } catch (error) {
      if (!(error instanceof NudgeLabError) || (error.code !== 'skip-not-allowed' && error.code !== 'prompt-expired')) {
        throw error;
      }
      return { page: getPageName(this.sandbox.signIns.view(signInId).screen), status: error.status };
    }
  }
}

function isInterstitial(screen: Screen): boolean {
  return (interstitialScreens as readonly Screen[]).includes(screen);
}
