import type { Reason, Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import type { WrittenStep } from '../contract/scenario.schema.ts';
import type { StepKind } from '../contract/step-names.ts';
import { NudgeLabError } from '../core/errors.ts';
import { endSentence, suggestName } from '../core/nearest-name.ts';
import { describeFailureContext } from '../report/failure-context.ts';
import type { SandboxPlan } from '../sandbox/sandbox.ts';
import { parseStep } from '../scenario/build-scenario.ts';
import type { DriverSession, JournalEntry, Observation, ObservedNudgeStatus } from '../scenario/driver.ts';
import type { FixtureLibrary } from '../scenario/fixture-library.ts';
import { DataSource } from '../scenario/scenario-source.ts';

/** Options of a step, in the format of a scenario file. */
export type Say<K extends StepKind> = NonNullable<Extract<WrittenStep, { readonly [V in K]: unknown }>[K]>;

/**
 * Options of a sign-in: device, browser, network and second factor. For a sign-in that starts at an application,
 * `client` names it, and `account`, `staySignedIn` and `consent` are the user's actions on its pages.
 */
export type Attempt = Omit<Say<'signIn'>, 'user' | 'as'>;

/** Nudge status of a user; `nextPromptAt` is an ISO 8601 instant, `null` if no snooze is running. */
export type NudgeStatus = ObservedNudgeStatus;

/** Response of one of the APIs. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Result of the rules for a hypothetical sign-in. */
export interface Explained {
  readonly outcome: VerdictOutcome;
  readonly reason: Reason | null;
  readonly verdict: Verdict;
}

/** Session that performs the steps of a test, either on the model in this process or on a server. */
export type StepSession = Pick<DriverSession, 'perform' | 'verdict' | 'nudgeStatus' | 'journal'>;

type PlannedUser = SandboxPlan['users'][number];

/** Plan of a test's tenant, with the fixtures that its steps can name. */
export interface PlannedTestSandbox {
  readonly plan: SandboxPlan;
  readonly fixtures: FixtureLibrary;
}

/** Simulated tenant of a test with its clock, users, policy and APIs. */
export class TestSandbox {
  readonly #session: StepSession;
  readonly #users: readonly PlannedUser[];
  #steps = 0;
  /** Fixtures that steps can name. */
  protected readonly fixtures: FixtureLibrary;

  /** Creates a test sandbox from a session and its plan. */
  constructor(session: StepSession, { plan, fixtures }: PlannedTestSandbox) {
    this.#session = session;
    this.#users = plan.users;
    this.fixtures = fixtures;
  }

  /** Virtual clock, which is frozen unless the test moves it. */
  readonly clock = {
    /** Advances the clock by a duration, such as `{ days: 1 }`. */
    advance: async (span: Say<'advance'>): Promise<void> => void (await this.perform({ advance: span })),
    /** Sets the clock to an instant in ISO 8601. */
    set: async (instant: Say<'setClock'>): Promise<void> => void (await this.perform({ setClock: instant })),
  };

  /** Returns one of the users of the test. Throws `user-not-found`. */
  readonly persona = (id: string): TestUser => {
    const user = this.#users.find((planned) => planned.id === id);
    if (user !== undefined) return new TestUser(this, this.#session, user);
    const known = this.#users.map((planned) => planned.id);
    const text = `given.users has no "${id}"; it has ${known.join(', ') || 'none'}${suggestName(id, known)}`;
    throw new NudgeLabError('user-not-found', { message: endSentence(text) });
  };

  /** Changes facts or settings of the tenant by a merge patch. */
  async setTenant(patch: Say<'setTenant'>): Promise<void> {
    await this.perform({ setTenant: patch });
  }

  /** Replaces the faults. */
  async setFaults(faults: Say<'setFaults'>): Promise<void> {
    await this.perform({ setFaults: faults });
  }

  /** Reads the authentication methods policy through the API. */
  getPolicy(request: Say<'getPolicy'> = {}): Promise<ApiAnswer> {
    return this.#ask({ getPolicy: request });
  }

  /** Updates the authentication methods policy through the API. */
  patchPolicy(request: Say<'patchPolicy'>): Promise<ApiAnswer> {
    return this.#ask({ patchPolicy: request });
  }

  /** Calls the policy API or the directory API. */
  callApi(request: Say<'callApi'>): Promise<ApiAnswer> {
    return this.#ask({ callApi: request });
  }

  /** Calls the lookup API. */
  lookup(question: Say<'lookup'>): Promise<ApiAnswer> {
    return this.#ask({ lookup: question });
  }

  /** Calls the document records API, or changes its records directly. */
  document(request: Say<'document'>): Promise<ApiAnswer> {
    return this.#ask({ document: request });
  }

  /** Evaluates a hypothetical sign-in at the current time. */
  async explain(user: string, attempt: Omit<Say<'explain'>, 'user'> = {}): Promise<Explained> {
    const { explained } = await this.perform({ explain: { user, ...attempt } });
    if (explained === undefined) throw new TypeError('The explain step returned no verdict.');
    return { outcome: explained.outcome, reason: explained.reason, verdict: explained };
  }

  /** Returns the verdict of a sign-in, or `null` if it was not evaluated yet. */
  verdict(signInId: string): Promise<Verdict | null> {
    return this.#session.verdict(signInId);
  }

  /** Returns all events so far. */
  async journal(): Promise<readonly JournalEntry[]> {
    return (await this.#session.journal()) ?? [];
  }

  /** Performs any step of a scenario. Throws `scenario-invalid` for an invalid step, and the errors of the step. */
  perform(step: WrittenStep): Promise<Observation> {
    this.#steps += 1;
    return this.#session.perform(parseStep(step, 0, new DataSource(`call ${this.#steps}`, step), this.fixtures));
  }

  async #ask(step: WrittenStep): Promise<ApiAnswer> {
    const { status = 0, headers = {}, body } = await this.perform(step);
    return { status, headers, body };
  }
}

/** User of a test. */
export class TestUser {
  readonly id: string;
  readonly userPrincipalName: string;
  readonly password: string;
  /** Fixed one-time code of the user, which is always valid. */
  readonly code: string;
  readonly #bench: TestSandbox;
  readonly #session: StepSession;

  /** Creates a user of a test sandbox. */
  constructor(bench: TestSandbox, session: StepSession, user: PlannedUser) {
    this.#bench = bench;
    this.#session = session;
    this.id = user.id;
    this.userPrincipalName = user.userPrincipalName;
    this.password = user.password;
    this.code = user.code;
  }

  /** Returns the nudge status: the state, the snoozes and the next prompt. */
  async nudgeStatus(): Promise<NudgeStatus> {
    const nudgeStatus = await this.#session.nudgeStatus(this.id);
    if (nudgeStatus === null) throw new TypeError('The system under test does not report a nudge status.');
    return nudgeStatus;
  }

  /**
   * Describes what led to a failed assertion: the verdict, the rule that decided it, and the journey so far.
   *
   * @param verdict - verdict of a sign-in of the user, or `null`
   */
  async describeFailure(verdict: Verdict | null): Promise<string> {
    const [snoozes, journal] = await Promise.all([this.#session.nudgeStatus(this.id), this.#bench.journal()]);
    return describeFailureContext({ userId: this.id, verdict, snoozes, journal });
  }

  /** Changes facts of the user by a merge patch. */
  async update(facts: Omit<Say<'setUser'>, 'user'>): Promise<void> {
    await this.#bench.perform({ setUser: { ...facts, user: this.id } });
  }

  /** Removes a method from the user. `fido2` removes all passkeys. */
  async removeMethod(method: Say<'removeMethod'>['method']): Promise<void> {
    await this.#bench.perform({ removeMethod: { user: this.id, method } });
  }
}
