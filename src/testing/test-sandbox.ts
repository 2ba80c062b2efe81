import type { ReasonCode, Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import type { WrittenStep } from '../contract/scenario.schema.ts';
import type { StepKind } from '../contract/step-names.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { SandboxPlan } from '../sandbox/sandbox.ts';
import { parseStep } from '../scenario/build-scenario.ts';
import type { DriverSession, JournalEntry, Observation, ObservedNudgeStatus } from '../scenario/driver.ts';
import type { FixtureLibrary } from '../scenario/fixture-library.ts';
import { DataSource } from '../scenario/scenario-source.ts';

/** What a step of a kind says, as a scenario file says it. */
export type Say<K extends StepKind> = NonNullable<Extract<WrittenStep, { readonly [V in K]: unknown }>[K]>;

/**
 * What a sign-in may say of itself besides who signs in: device, browser, network, second factor; and the application at which it
 * begins, `client`, with what its user answers at the pages of that: `account`, `staySignedIn`, `consent`.
 */
export type Attempt = Omit<Say<'signIn'>, 'user' | 'as'>;

/** Nudge status of a user; `nextPromptAt` is an ISO 8601 instant, `null` if no snooze is running. */
export type NudgeStatus = ObservedNudgeStatus;

/** An answer of one of the APIs. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What the rules say of a sign-in that no one makes. */
export interface Explained {
  readonly outcome: VerdictOutcome;
  readonly reason: ReasonCode | null;
  readonly verdict: Verdict;
}

/** What does the steps of a test: the model in process, or a server. */
export type StepSession = Pick<DriverSession, 'perform' | 'verdict' | 'nudgeStatus' | 'journal'>;

type PlannedUser = SandboxPlan['users'][number];

/** What a test's tenant is planned by, and the fixtures that its steps may name. */
export interface PlannedTestSandbox {
  readonly plan: SandboxPlan;
  readonly fixtures: FixtureLibrary;
}

/** One simulated tenant in a test: its clock, its people, its policy, and what one can ask it. */
export class TestSandbox {
  readonly #session: StepSession;
  readonly #users: readonly PlannedUser[];
  #steps = 0;
  /** The fixtures that steps may name. */
  protected readonly fixtures: FixtureLibrary;

  /** Takes what does the steps, and what the tenant began with. */
  constructor(session: StepSession, { plan, fixtures }: PlannedTestSandbox) {
    this.#session = session;
    this.#users = plan.users;
    this.fixtures = fixtures;
  }

  /** The virtual clock, which stands unless it is moved. */
  readonly clock = {
    /** Moves on by a span, such as `{ days: 1 }`. */
    advance: async (span: Say<'advance'>): Promise<void> => void (await this.perform({ advance: span })),
    /** Moves to an instant in ISO 8601. */
    set: async (instant: Say<'setClock'>): Promise<void> => void (await this.perform({ setClock: instant })),
  };

  /** One of the users that the test gave. Throws `user-not-found`. */
  readonly persona = (id: string): TestUser => {
    const user = this.#users.find((planned) => planned.id === id);
    if (user !== undefined) return new TestUser(this, this.#session, user);
    const known = this.#users.map((planned) => planned.id).join(', ') || 'none';
    throw new NudgeLabError('user-not-found', { message: `given.users has no "${id}"; it has ${known}.` });
  };

  /** Changes facts or settings of the tenant, as a merge patch. */
  async setTenant(patch: Say<'setTenant'>): Promise<void> {
    await this.perform({ setTenant: patch });
  }

  /** Sets the faults from now on, in place of those before. */
  async setFaults(faults: Say<'setFaults'>): Promise<void> {
    await this.perform({ setFaults: faults });
  }

  /** Reads the policy of authentication methods over the API. */
  getPolicy(request: Say<'getPolicy'> = {}): Promise<ApiAnswer> {
    return this.#ask({ getPolicy: request });
  }

  /** Patches the policy of authentication methods over the API. */
  patchPolicy(request: Say<'patchPolicy'>): Promise<ApiAnswer> {
    return this.#ask({ patchPolicy: request });
  }

  /** Asks the lookup API. */
  lookup(question: Say<'lookup'>): Promise<ApiAnswer> {
    return this.#ask({ lookup: question });
  }

  /** Asks the API of document records, or acts on its records. */
  document(request: Say<'document'>): Promise<ApiAnswer> {
    return this.#ask({ document: request });
  }

  /** What the rules would say of a sign-in now. */
  async explain(user: string, attempt: Omit<Say<'explain'>, 'user'> = {}): Promise<Explained> {
    const { explained } = await this.perform({ explain: { user, ...attempt } });
    if (explained === undefined) throw new TypeError('The step explain has explained nothing.');
    return { outcome: explained.outcome, reason: explained.reason, verdict: explained };
  }

  /** The verdict of a sign-in that was made; `null` before it was evaluated. */
  verdict(signInId: string): Promise<Verdict | null> {
    return this.#session.verdict(signInId);
  }

  /** All inputs so far. */
  async journal(): Promise<readonly JournalEntry[]> {
    return (await this.#session.journal()) ?? [];
  }

  /** Does any step of a scenario. Throws `scenario-invalid` for a wrong word, and what the step throws. */
  perform(step: WrittenStep): Promise<Observation> {
    this.#steps += 1;
    return this.#session.perform(parseStep(step, 0, new DataSource(`call ${this.#steps}`, step), this.fixtures));
  }

  async #ask(step: WrittenStep): Promise<ApiAnswer> {
    const { status = 0, headers = {}, body } = await this.perform(step);
    return { status, headers, body };
  }
}

/** One user of a test. */
export class TestUser {
  readonly id: string;
  readonly userPrincipalName: string;
  readonly password: string;
  /** The one-time code that the user always gives. */
  readonly code: string;
  readonly #bench: TestSandbox;
  readonly #session: StepSession;

  /** Takes the tenant, what does its steps, and the user. */
  constructor(bench: TestSandbox, session: StepSession, user: PlannedUser) {
    this.#bench = bench;
    this.#session = session;
    this.id = user.id;
    this.userPrincipalName = user.userPrincipalName;
    this.password = user.password;
    this.code = user.code;
  }

  /** Snoozes, the next prompt, and the state of the nudge. */
  async nudgeStatus(): Promise<NudgeStatus> {
    const nudgeStatus = await this.#session.nudgeStatus(this.id);
    if (nudgeStatus === null) throw new TypeError('The system under test tells no nudge status.');
    return nudgeStatus;
  }

  /** Changes facts of the user, as a merge patch. */
  async update(facts: Omit<Say<'setUser'>, 'user'>): Promise<void> {
    await this.#bench.perform({ setUser: { ...facts, user: this.id } });
  }

  /** Takes a method away from the user; `fido2` stands for all passkeys. */
  async removeMethod(method: Say<'removeMethod'>['method']): Promise<void> {
    await this.#bench.perform({ removeMethod: { user: this.id, method } });
  }
}
