import type { TargetedMethod, Verdict } from '../../machines/vocabulary.ts';
import type { CountedTransition } from '../contract/coverage-evidence.ts';
import type { Mismatch, ScenarioResult, StepResult } from '../contract/result.schema.ts';
import type { Expectation, Step } from '../contract/scenario.schema.ts';
import { nudgeStatusKeys, type PageName } from '../contract/step-names.ts';
import { afterDelay, stopwatch } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { shellLine } from '../core/shell-line.ts';
import { getTelemetry } from '../core/telemetry.ts';
import type { CoverageEvidenceSink } from './coverage.ts';
import type {
  Driver,
  DriverSession,
  Observation,
  ObservationRequest,
  Observations,
  ObservedNudgeStatus,
} from './driver.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { listMismatches } from './expect.ts';
import { withScenario } from './gate-failure.ts';
import { explainMismatches } from './mismatch-sentences.ts';
import type { OwnRun } from './own/own-run.ts';
import type { OwnScenarioPlan } from './own/own-scenario.ts';
import { runOwnScenario } from './own/run-own-scenario.ts';
import type { Scenario } from './scenario.ts';
import { StepUsers } from './step-users.ts';

/**
 * Runs one scenario on one driver. `coverage` is `null` if coverage is not measured. A failing scenario never
 * throws. If traces are exported, the result on a driver with a server names the trace of its requests.
 */
export async function runScenario(
  scenario: Scenario,
  driver: Driver,
  coverage: CoverageEvidenceSink | null,
): Promise<ScenarioResult> {
  const telemetry = driver.name === 'model' ? null : getTelemetry();
  if (telemetry === null) return runUntraced(scenario, driver, coverage);
  const attributes = { 'nudgelab.scenario': scenario.id, 'nudgelab.driver': driver.name };
  const span = telemetry.start(`scenario ${scenario.id}`, { attributes });
  try {
    const ran = await telemetry.within(span, () => runUntraced(scenario, driver, coverage));
    if (ran.status === 'failed') span.fail('scenario-failed');
    return { ...ran, traceId: span.traceId };
  } finally {
    span.end();
  }
}

async function runUntraced(
  scenario: Scenario,
  driver: Driver,
  coverage: CoverageEvidenceSink | null,
): Promise<ScenarioResult> {
  const elapsedMs = stopwatch();
  const message = whatCannotBe(scenario, driver);
  if (message !== null) {
    return result(scenario, driver.name, { status: 'skipped', durationMs: 0, steps: [], message });
  }
  if (scenario.own !== undefined) return runOwn(scenario, scenario.own, { driver, coverage, elapsedMs });
  const run = new ScenarioRun(scenario, driver, coverage);
  const timeoutMs = scenario.timeoutMs * (driver.timeoutFactor ?? 1);
  const outcome = await withTimeOut(timeoutMs, driver.name !== 'model', () => run.run());
  const steps = run.steps();
  const evidence = outcome === 'timed-out' ? await run.abandon() : run.evidence;
  const failure =
    outcome === 'timed-out' ? `The scenario took longer than ${timeoutMs} ms.` : (run.failure ?? undefined);
  const failed = failure !== undefined || steps.some(({ status }) => status !== 'passed');
  return result(scenario, driver.name, {
    status: failed ? 'failed' : 'passed',
    durationMs: elapsedMs(),
    steps,
    message: failure,
    evidence,
  });
}

/** Runs a scenario of a ruleset file with the base `own`: the model on a sandbox in this process, others on pages. */
async function runOwn(
  scenario: Scenario,
  plan: OwnScenarioPlan,
  {
    driver,
    coverage,
    elapsedMs,
  }: { readonly driver: Driver; readonly coverage: CoverageEvidenceSink | null; readonly elapsedMs: () => number },
): Promise<ScenarioResult> {
  const timeoutMs = scenario.timeoutMs * (driver.timeoutFactor ?? 1);
  const end = { durationMs: 0, steps: [], message: undefined };
  let ending: Ending = { ...end, status: 'failed' };
  const work = async (): Promise<void> => {
    const run = await openOwn(scenario, plan, driver);
    try {
      const steps = await runOwnScenario(run, plan, coverage?.beginRuleset?.(plan.ruleset) ?? null);
      const passed = steps.every((step) => step.status === 'passed');
      const evidence = passed ? [] : ((await run.keepEvidence?.().catch(() => [])) ?? []);
      ending = { ...end, status: passed ? 'passed' : 'failed', steps, evidence };
    } finally {
      await run.close?.();
    }
  };
  const isRemote = driver.name !== 'model';
  const outcome = await withTimeOut(timeoutMs, isRemote, work).catch((error: unknown) => {
    // A gate module that fails in this process is a fault of the ruleset, not of a driver (OC32).
    if (!isRemote) throw withScenario(error, scenario);
    return `The ${driver.name} driver failed: ${formatMessage(error)}`;
  });
  if (outcome === 'timed-out') {
    ending = { ...end, status: 'failed', message: `The scenario took longer than ${timeoutMs} ms.` };
  } else if (outcome !== 'done') ending = { ...end, status: 'failed', message: outcome };
  return result(scenario, driver.name, { ...ending, durationMs: elapsedMs() });
}

async function openOwn(scenario: Scenario, plan: OwnScenarioPlan, driver: Driver): Promise<OwnRun> {
  if (driver.openOwn !== undefined) {
    const { planOwnSandbox } = await import('./own/plan-own-sandbox.ts');
    return driver.openOwn({ ...scenario, plan: planOwnSandbox(plan) }, plan);
  }
  // Loaded when the first such scenario runs, because a run against a server needs no sandbox in this process.
  const { OwnSandboxSession } = await import('./own/own-sandbox-session.ts');
  return OwnSandboxSession.open(plan);
}

/**
 * Returns the reason why a driver cannot run a scenario, or `null` if it can: an unsupported step, application or
 * fault.
 */
function whatCannotBe({ steps, plan, own }: Scenario, driver: Driver): string | null {
  if (own !== undefined && driver.name !== 'model' && driver.openOwn === undefined) {
    return `The ${driver.name} driver does not support ruleset files with the base own; the model, http and browser drivers do.`;
  }
  const step = steps.find(({ kind }) => !driver.can.has(kind));
  if (step !== undefined) return `The ${driver.name} driver does not support ${step.kind}.`;
  if (driver.hasApplications !== true && steps.some((one) => one.kind === 'signIn' && one.say.client !== undefined)) {
    return `The ${driver.name} driver does not support applications, which a signIn with a client requires.`;
  }
  if (driver.hasCeremonies !== true && steps.some(({ expect }) => looksAtCeremony(expect))) {
    return `The ${driver.name} driver does not support passkey ceremonies, which this scenario expects.`;
  }
  if (driver.hasRelatedOrigins !== true && steps.some((one) => one.kind === 'signIn' && one.say.origin !== undefined)) {
    return `The ${driver.name} driver does not support pages of related origins, which a signIn with an origin requires.`;
  }
  const later = steps.flatMap((one) => (one.kind === 'setFaults' ? one.say : []));
  const fault = [...(plan.faults ?? []), ...later].find((one) => driver.canFail?.(one) === false);
  if (fault === undefined) return null;
  const where = 'endpoint' in fault ? ` at ${fault.endpoint}` : '';
  return `The ${driver.name} driver does not support the fault ${fault.kind}${where}.`;
}

function looksAtCeremony(expected: Expectation | null): boolean {
  return expected?.ceremony !== undefined || expected?.signals !== undefined;
}

/** Creates the result of a scenario that was rejected before it ran. */
export function refusedResult(scenario: Scenario, driverName: string, message: string): ScenarioResult {
  const steps = scenario.steps.map((step): StepResult => ({ ...blank(step), status: 'not-run' }));
  return result(scenario, driverName, { status: 'failed', durationMs: 0, steps, message });
}

class ScenarioRun {
  readonly #scenario: Scenario;
  readonly #driver: Driver;
  readonly #coverage: CoverageEvidenceSink | null;
  readonly #done: StepResult[] = [];
  #abandoned = false;
  readonly #users = new StepUsers();
  #signInId: string | null = null;
  /** Method of each sign-in's prompt. */
  readonly #methods = new Map<string, TargetedMethod | null>();
  /** Transitions of the system, if the last observation included them. */
  #transitions: readonly CountedTransition[] | null = null;
  #session: DriverSession | null = null;
  failure: string | null = null;
  /** Evidence files of the failure. */
  evidence: readonly string[] = [];

  constructor(scenario: Scenario, driver: Driver, coverage: CoverageEvidenceSink | null) {
    this.#scenario = scenario;
    this.#driver = driver;
    this.#coverage = coverage;
  }

  /** Returns the results of all steps, including those that were not reached. */
  steps(): readonly StepResult[] {
    const rest = this.#scenario.steps.slice(this.#done.length);
    return [...this.#done, ...rest.map((step): StepResult => ({ ...blank(step), status: 'not-run' }))];
  }

  /** Stops the run after a step that hangs, and stores the evidence. */
  async abandon(): Promise<readonly string[]> {
    this.#abandoned = true;
    return (await this.#session?.keepEvidence?.().catch(() => [])) ?? [];
  }

  async run(): Promise<void> {
    try {
      const session = await this.#driver.open(this.#scenario);
      this.#session = session;
      await this.#walk(session).finally(() => session.close());
    } catch (error) {
      this.failure = `The ${this.#driver.name} driver failed: ${formatMessage(error)}`;
    }
  }

  async #walk(session: DriverSession): Promise<void> {
    const evidence = this.#coverage?.begin() ?? null;
    if (evidence !== null) session.watch?.((await loadJournalEvidence()).observeTransitions(evidence));
    for (const step of this.#scenario.steps) {
      if (this.#abandoned) return;
      const done = await this.#step(session, step, evidence);
      this.#done.push(done);
      if (done.status === 'passed') continue;
      if (!this.#abandoned) this.evidence = (await session.keepEvidence?.().catch(() => [])) ?? [];
      return;
    }
    if (evidence === null) return;
    if (this.#transitions !== null) evidence.addTransitions(this.#transitions);
    else if (session.watch === undefined) (await loadJournalEvidence()).addJournal(evidence, await session.journal());
    this.#coverage?.note(this.#scenario, evidence);
  }

  async #step(session: DriverSession, step: Step, evidence: ScenarioEvidence | null): Promise<StepResult> {
    const observation = await session.perform(step).catch((error: unknown) => formatMessage(error));
    if (typeof observation === 'string') {
      return { ...blank(step), status: 'failed', mismatches: [impossible(step, observation)] };
    }
    this.#users.follow(step);
    // A sign-in that was rejected before it started has no id to request.
    if (step.kind === 'signIn' || observation.signInId !== undefined) this.#signInId = observation.signInId ?? null;
    const { nudgeStatus, ...found } = await this.#observe(
      session,
      this.#observationRequest(step, observation, evidence),
    );
    const verdict = observation.explained ?? found.verdict;
    this.#transitions = found.transitions;
    if (verdict !== null && (step.kind === 'signIn' || step.kind === 'explain')) evidence?.evaluated(verdict);
    const mismatches = [
      ...disagreements(step, observation, verdict),
      ...(step.expect === null ? [] : listMismatches(step.expect, { observation, verdict, nudgeStatus })),
    ];
    const done = {
      ...blank(step),
      ...shownBy(step, observation, { verdict, method: this.#findMethod(step, observation, verdict) }),
      checked: Object.keys(step.expect ?? {}).length,
    };
    if (mismatches.length === 0) return done;
    const trace = verdict === null ? {} : { reason: verdict.reason, rules: verdict.rules };
    const facts = { verdict, nudgeStatus: nudgeStatus ?? (await this.#findSnoozes(session)) };
    return { ...done, status: 'failed', mismatches: explainMismatches(mismatches, facts), ...trace };
  }

  /** Requests the nudge status that explains a failure, unless the last observation has deleted the sandbox. */
  async #findSnoozes(session: DriverSession): Promise<ObservedNudgeStatus | null> {
    const userId = this.#users.current;
    if (userId === null || session.observe !== undefined) return null;
    return session.nudgeStatus(userId).catch(() => null);
  }

  /** Returns the method of the sign-in's prompt from its verdict, or `null` if there is no verdict. */
  #findMethod({ kind }: Step, { signInId }: Observation, verdict: Verdict | null): TargetedMethod | null {
    if (signInId === undefined) return null;
    if (kind === 'signIn' && verdict !== null) this.#methods.set(signInId, verdict.campaign.method);
    return this.#methods.get(signInId) ?? null;
  }

  /**
   * Returns the observations to request after a step: the verdict of its sign-in, the nudge status of its user, and
   * finally the transitions.
   */
  #observationRequest(
    { kind, expect, index }: Step,
    { explained }: Observation,
    evidence: ScenarioEvidence | null,
  ): ObservationRequest {
    const last = index === this.#scenario.steps.length - 1;
    const expected = expect ?? {};
    // The snoozes explain a prompt that can be skipped against the expectation, or the reverse.
    const mayExplain =
      this.#session?.observe !== undefined && kind === 'signIn' && verdictKeys.some((key) => key in expected);
    const asksVerdict = kind === 'signIn' || 'outcome' in expected || 'reason' in expected || 'warnings' in expected;
    return {
      signInId: asksVerdict && explained === undefined ? this.#signInId : null,
      userId: nudgeStatusKeys.some((key) => key in expected) || mayExplain ? this.#users.current : null,
      transitions: last && evidence !== null,
      last,
    };
  }

  /** Requests all observations together if the session supports it, and otherwise one by one without transitions. */
  async #observe(session: DriverSession, request: ObservationRequest): Promise<Observations> {
    const { signInId, userId, last } = request;
    if (session.observe !== undefined && (last || signInId !== null || userId !== null)) {
      return session.observe(request);
    }
    return {
      verdict: signInId === null ? null : await session.verdict(signInId),
      nudgeStatus: userId === null ? null : await session.nudgeStatus(userId),
      transitions: null,
    };
  }
}

/** Loads the state machines on demand. Systems in other processes return the transitions themselves. */
const loadJournalEvidence = (): Promise<typeof import('./journal-evidence.ts')> => import('./journal-evidence.ts');

/** Expectations that the verdict of a sign-in decides. */
const verdictKeys: readonly (keyof Expectation)[] = ['page', 'outcome', 'reason'];

/** Compares the visible outcome with the verdict, which must agree regardless of the expectations. */
function disagreements(step: Step, { outcome }: Observation, verdict: Verdict | null): readonly Mismatch[] {
  if (step.kind !== 'signIn' || outcome === undefined || verdict === null || outcome === verdict.outcome) return [];
  return [
    {
      key: 'agreement',
      expected: verdict.outcome,
      actual: outcome,
      message: 'The page does not match the verdict.',
    },
  ];
}

function impossible(step: Step, message: string): Mismatch {
  return { key: 'step', expected: `${step.kind} is possible`, actual: message, message };
}

function blank(step: Step): StepResult {
  return { kind: step.kind, line: step.line, status: 'passed', checked: 0, mismatches: [] };
}

/** Pages that name a method to register. */
const askingPages: readonly PageName[] = ['prompt', 'required', 'setup', 'error-screen'];

/**
 * Returns the part of a step's result that a filmstrip shows: its final page, the pages before it, the method of
 * its prompt, and the reason if no prompt was shown.
 */
function shownBy(
  { kind }: Step,
  { page, visitedPages = [], signInScreens = [] }: Observation,
  { verdict, method }: { readonly verdict: Verdict | null; readonly method: TargetedMethod | null },
): Pick<StepResult, 'page' | 'signInScreens' | 'visitedPages' | 'method' | 'reason'> {
  const evaluated = verdict !== null && (kind === 'signIn' || kind === 'explain');
  return {
    ...(page === undefined ? {} : { page }),
    ...(signInScreens.length === 0 ? {} : { signInScreens }),
    ...(visitedPages.length === 0 ? {} : { visitedPages }),
    ...(page !== undefined && method !== null && askingPages.includes(page) ? { method } : {}),
    ...(evaluated ? { reason: verdict.reason } : {}),
  };
}

function formatMessage(error: unknown): string {
  if (error instanceof NudgeLabError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

async function withTimeOut(
  timeoutMs: number,
  mayHang: boolean,
  work: () => Promise<void>,
): Promise<'done' | 'timed-out'> {
  const done = work().then(() => 'done' as const);
  // The model never waits, so it needs no timer.
  if (!mayHang) return done;
  const { promise, resolve } = Promise.withResolvers<'timed-out'>();
  const cancel = afterDelay(timeoutMs, () => resolve('timed-out'));
  return Promise.race([done, promise]).finally(cancel);
}

interface Ending {
  readonly status: ScenarioResult['status'];
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
  readonly message: string | undefined;
  readonly evidence?: readonly string[];
}

function result(
  scenario: Scenario,
  driverName: string,
  { status, durationMs, steps, message, evidence = [] }: Ending,
): ScenarioResult {
  return {
    id: scenario.id,
    name: scenario.name,
    file: scenario.file,
    driver: driverName,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    steps,
    ...(message === undefined ? {} : { message }),
    unconfirmedClaims: [],
    tags: scenario.tags,
    ...(evidence.length === 0 ? {} : { evidence }),
    command: shellLine('nudgelab', ['run', scenario.id, '--driver', driverName]),
  };
}
