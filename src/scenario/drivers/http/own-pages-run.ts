import type { OwnVerdict } from '../../../../machines/own/evaluate-own.ts';
import type { ControlReply } from '../../../client/control-client.ts';
import type { Step } from '../../../contract/scenario.schema.ts';
import type { PageName } from '../../../contract/step-names.ts';
import { parseInstant, toInstant } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { DriverSession, Observation } from '../../driver.ts';
import type { OwnObservation, OwnRun, OwnUserStatus } from '../../own/own-run.ts';
import type { OwnScenarioPlan, OwnStep, OwnStepOf } from '../../own/own-scenario.ts';
import { Tabs } from '../../tabs.ts';
import type { SandboxControl } from './sandbox-control.ts';

/** Session of a driver that performs the steps of a user on pages. */
type PageSession = Pick<DriverSession, 'perform' | 'close' | 'keepEvidence'>;

type Handlers = { readonly [K in OwnStep['kind']]: (step: OwnStepOf<K>) => Promise<OwnObservation> };

/** Outcomes that a page after a sign-in shows. Every other page shows no prompt. */
const outcomes: Readonly<Partial<Record<PageName, OwnVerdict['outcome']>>> = {
  prompt: 'skippable',
  required: 'required',
  blocked: 'blocked',
};

/** Scenario of a ruleset file in progress on the pages of a server, by HTTP or in a browser (OC46). */
export class OwnPagesRun implements OwnRun {
  readonly #session: PageSession;
  readonly #sandbox: SandboxControl;
  readonly #tabs = new Tabs<{ readonly userId: string }>();
  #nowMs: number;
  userId: string | null = null;

  /** Creates a run on a sandbox that the plan has prepared. The run owns the session. */
  constructor(session: PageSession, sandbox: SandboxControl, { nowMs }: OwnScenarioPlan) {
    this.#session = session;
    this.#sandbox = sandbox;
    this.#nowMs = nowMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  async perform(step: OwnStep): Promise<OwnObservation> {
    const { say } = step;
    if (typeof say === 'object' && 'user' in say && typeof say.user === 'string') this.userId = say.user;
    return (this.#handlers[step.kind] as (step: OwnStep) => Promise<OwnObservation>)(step);
  }

  status(userId: string): Promise<OwnUserStatus> {
    return this.#sandbox.nudgeStatus(userId);
  }

  async keepEvidence(): Promise<readonly string[]> {
    return (await this.#session.keepEvidence?.()) ?? [];
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  readonly #handlers: Handlers = {
    signIn: async (step) => {
      this.#tabs.open(step.say.as ?? step.say.user, { userId: step.say.user });
      const observation = await this.#onPage(step);
      const { signInId } = observation;
      if (signInId === undefined) return toObserved(observation);
      const { verdict } = await this.#sandbox.api.getSignIn({ sandbox: this.#sandbox.sandbox, signIn: signInId });
      if (verdict === null) return toObserved(observation);
      const seen = toOwnVerdict(verdict);
      refuseDisagreement(observation, seen);
      return { ...toObserved(observation), verdict: seen };
    },
    explain: async ({ say: { user, ...attempt } }) => {
      const explained = await this.#sandbox.api.explain({ sandbox: this.#sandbox.sandbox, body: { user, attempt } });
      return { verdict: toOwnVerdict(explained) };
    },
    next: (step) => this.#inTab(step),
    skip: (step) => this.#inTab(step, step.say.answer),
    closeBrowser: (step) => this.#inTab(step),
    abandon: (step) => this.#inTab(step),
    reload: (step) => this.#inTab(step),
    register: (step) => this.#inTab(step),
    failRegistration: (step) => this.#inTab(step),
    skipError: (step) => this.#inTab(step),
    advance: async ({ say }) => {
      const { days = 0, hours = 0, minutes = 0, ms = 0 } = say;
      await this.#sandbox.api.advanceClock({ sandbox: this.#sandbox.sandbox, body: say });
      this.#nowMs += days * 86_400_000 + hours * 3_600_000 + minutes * 60_000 + ms;
      return {};
    },
    setClock: async ({ say }) => {
      this.#nowMs = parseInstant(say) ?? 0;
      await this.#sandbox.api.putClock({ sandbox: this.#sandbox.sandbox, body: { now: toInstant(this.#nowMs) } });
      return {};
    },
    setTenant: async ({ say }) => {
      await this.#sandbox.api.patchTenant({ sandbox: this.#sandbox.sandbox, body: say });
      return {};
    },
    setUser: async ({ say: { user, ...patch } }) => {
      await this.#sandbox.api.patchUser({ sandbox: this.#sandbox.sandbox, user, body: patch });
      return {};
    },
    removeMethod: async ({ say: { user, method } }) => {
      await this.#sandbox.api.removeMethod({ sandbox: this.#sandbox.sandbox, user, method });
      return {};
    },
    clearBrowser: async ({ say: { user } }) => {
      await this.#sandbox.api.clearBrowser({ sandbox: this.#sandbox.sandbox, user, body: {} });
      return {};
    },
    resetLedger: async ({ say: { user } }) => {
      await this.#sandbox.api.resetLedger({ sandbox: this.#sandbox.sandbox, user, body: {} });
      return {};
    },
  };

  async #inTab(
    step: Extract<OwnStep, { readonly say: { readonly prompt?: string | undefined } }>,
    answer?: string,
  ): Promise<OwnObservation> {
    this.userId = this.#tabs.get(step.say.prompt).userId;
    return toObserved(await this.#onPage(step, answer));
  }

  /** Performs a step of a user on the pages, which other scenarios have too. */
  #onPage({ kind, say, line }: OwnStep, answer?: string): Promise<Observation> {
    const given = answer === undefined ? {} : { answer };
    return this.#session.perform({ kind, say, line, column: 1, index: 0, expect: null, ...given } as unknown as Step);
  }
}

function toObserved({ page, status }: Observation): OwnObservation {
  return { ...(page === undefined ? {} : { page }), ...(status === undefined ? {} : { status }) };
}

type WireVerdict = NonNullable<ControlReply<'getSignIn'>['verdict']>;

/** Returns the verdict that the control API shows, as the campaign returns it. */
function toOwnVerdict({
  ruleset,
  edition,
  outcome,
  reason,
  rules,
  method,
  answers,
  deadlineAt,
  variant,
}: Omit<WireVerdict, 'warnings' | 'campaign'>): OwnVerdict {
  return {
    ruleset,
    edition: edition ?? null,
    outcome,
    reason,
    rules: rules as OwnVerdict['rules'],
    method: method ?? '',
    answers: answers ?? [],
    deadlineAtMs: parseInstant(deadlineAt ?? ''),
    variant: variant ?? null,
  };
}

/** Rejects a page that shows another outcome, or other answers, than the verdict of its sign-in. */
function refuseDisagreement({ page, answers = [] }: Observation, verdict: OwnVerdict): void {
  if (page === undefined) return;
  const outcome = outcomes[page] ?? 'none';
  const agrees = outcome === verdict.outcome && answers.join(' ') === verdict.answers.join(' ');
  if (agrees) return;
  throw new NudgeLabError('driver-failed', {
    message: `The page ${page} with the answers [${answers.join(', ')}] does not match the verdict ${verdict.outcome} with [${verdict.answers.join(', ')}].`,
  });
}
