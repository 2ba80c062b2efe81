import type { RunReport, ScenarioResult } from '../contract/result.ts';
import type { StepOf } from '../contract/scenario.schema.ts';
import type { StepKind } from '../contract/step-names.ts';
import { stopwatch } from '../core/clock.ts';
import type { ValidationProblem } from '../core/errors.ts';
import { CoverageRecorder } from './coverage.ts';
import type { Driver } from './driver.ts';
import { refusedResult, runScenario } from './run-scenario.ts';
import { runSequentially } from './run-sequentially.ts';
import type { Scenario } from './scenario.ts';

/** Options of a test run. */
export interface RunOptions {
  /** Scenarios in progress at once on a driver that waits for something; the model needs one. */
  readonly workers: number;
  /** Whether the first failure ends the run. */
  readonly bail: boolean;
  /** How often each scenario is run. */
  readonly repeat: number;
  /** Whether rule coverage is measured, and claims that the run does not confirm fail. */
  readonly coverage: boolean;
  /** Hears of each result as it comes; the next scenario waits for what it returns. */
  readonly onResult?: (result: ScenarioResult, done: number, total: number) => void | Promise<void>;
  /** Whether someone wants the run to end: no further scenario is begun then. */
  readonly isCancelled?: () => boolean;
}

/** Which scenarios to run; every part that is given must hold. */
export interface Selection {
  /** Text that id or name contains, whatever its case. */
  readonly filter?: string;
  readonly tags?: readonly string[];
  readonly covers?: readonly string[];
  /** Part `index` of `count`, from 1: every scenario is in exactly one part. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** Ids to run and no others. */
  readonly only?: readonly string[];
}

/** The scenarios that a selection leaves, in their order. */
export function selectScenarios(scenarios: readonly Scenario[], selection: Selection): readonly Scenario[] {
  const { filter, tags, covers, shard, only } = selection;
  const text = filter?.toLowerCase();
  return scenarios
    .filter(
      ({ id, name }) => text === undefined || id.toLowerCase().includes(text) || name.toLowerCase().includes(text),
    )
    .filter((scenario) => tags === undefined || tags.some((tag) => scenario.tags.includes(tag)))
    .filter((scenario) => covers === undefined || covers.some((id) => scenario.covers.includes(id)))
    .filter(({ id }) => only === undefined || only.includes(id))
    .filter((_scenario, index) => shard === undefined || index % shard.count === shard.index - 1);
}

/** Anyone who runs the scenarios of a suite on one driver. */
export interface SuiteRunner {
  /** Name of the driver. */
  readonly name: string;
  /**
   * Runs scenarios. Takes where coverage is noted, `null` for nowhere, whether the first failure ends it, and who is told of each
   * result. Returns the results in the order of the scenarios.
   */
  run(
    scenarios: readonly Scenario[],
    coverage: CoverageRecorder | null,
    asked: SuiteRequest,
  ): Promise<readonly ScenarioResult[]>;
}

/** What a runner is asked besides. */
export interface SuiteRequest {
  readonly bail: boolean;
  /** Hears of each result as it comes; the next one waits for what it returns. */
  readonly onResult: (result: ScenarioResult) => void | Promise<void>;
  /** Whether someone wants the run to end: nothing further is begun then. */
  readonly isCancelled: () => boolean;
}

/** Runs scenarios on drivers, each driver in turn. Returns results in the order of the scenarios, whatever ended first. */
export async function runSuite(
  scenarios: readonly Scenario[],
  drivers: readonly Driver[],
  options: RunOptions,
): Promise<RunReport> {
  return runSuiteBy(
    scenarios,
    drivers.map((driver) => createLocalRunner(driver, options.workers)),
    options,
  );
}

/** Runs scenarios by runners, each in turn: what `runSuite` does, wherever the scenarios are run. */
export async function runSuiteBy(
  scenarios: readonly Scenario[],
  runners: readonly SuiteRunner[],
  { repeat, bail, coverage: measured, onResult, isCancelled = () => false }: Omit<RunOptions, 'workers'>,
): Promise<RunReport> {
  const elapsedMs = stopwatch();
  const coverage = new CoverageRecorder();
  const repeated = scenarios.flatMap((scenario) => Array.from({ length: repeat }, () => scenario));
  const total = repeated.length * runners.length;
  const results: ScenarioResult[] = [];
  let done = 0;
  for (const runner of runners) {
    const ofDriver = await runner.run(repeated, measured ? coverage : null, {
      bail,
      isCancelled,
      onResult: (result) => {
        done += 1;
        return onResult?.(result, done, total);
      },
    });
    results.push(...(measured ? holdToClaims(ofDriver, scenarios, coverage) : ofDriver));
    coverage.nextDriver();
    if (isCancelled()) break;
    if (bail && ofDriver.some(({ status }) => status === 'failed')) break;
  }
  return {
    summary: {
      passed: count(results, 'passed'),
      failed: count(results, 'failed'),
      skipped: count(results, 'skipped'),
      durationMs: Math.round(elapsedMs()),
    },
    results,
    coverage: coverage.report(),
  };
}

/** Runs scenarios on a driver of this process, some scenarios at once where it waits for something. */
export function createLocalRunner(driver: Driver, workers: number): SuiteRunner {
  return {
    name: driver.name,
    run: (scenarios, coverage, { bail, onResult, isCancelled }) =>
      runSequentially(scenarios, driver.name === 'model' ? 1 : workers, async (scenario) => {
        const result = await runScenario(scenario, driver, coverage);
        await onResult(result);
        return { value: result, stop: isCancelled() || (bail && result.status === 'failed') };
      }),
  };
}

/** A step that cannot be done, with the scenario that it makes impossible. */
export interface UnsupportedStep extends ValidationProblem {
  readonly scenarioId: string;
}

/**
 * Steps that cannot be done, found by walking each scenario on the model: an answer where the rules show no prompt, for
 * example. A scenario whose expectations fail before such a step is left to the run, which says what is wrong.
 */
export async function unsupportedSteps(scenarios: readonly Scenario[]): Promise<readonly UnsupportedStep[]> {
  const walked = scenarios.filter(requiresCapabilityCheck);
  if (walked.length === 0) return [];
  const driver = new (await import('./drivers/model.driver.ts')).ModelDriver();
  const problems: UnsupportedStep[] = [];
  for (const scenario of walked) {
    const { steps } = await runScenario(scenario, driver, null);
    for (const [index, { line, mismatches }] of steps.entries()) {
      const place = `${scenario.file}:${line}:${scenario.steps[index]?.column ?? 1}`;
      for (const { key, message = 'impossible' } of mismatches) {
        if (key === 'step') problems.push({ location: place, message, scenarioId: scenario.id });
      }
    }
  }
  return problems;
}

/** A report with the scenarios that were refused before anything ran: each has failed on each driver, without a step. */
export function withRefused(
  report: RunReport,
  scenarios: readonly Scenario[],
  impossible: readonly UnsupportedStep[],
  driverNames: readonly string[],
): RunReport {
  const reasons = new Map(
    impossible.map(({ scenarioId, location: place, message }) => [scenarioId, `${place}: ${message}`]),
  );
  const refused = scenarios.flatMap((scenario) => {
    const message = reasons.get(scenario.id);
    return message === undefined ? [] : driverNames.map((name) => refusedResult(scenario, name, message));
  });
  const { summary, results } = report;
  return {
    ...report,
    summary: { ...summary, failed: summary.failed + refused.length },
    results: [...refused, ...results],
  };
}

/** Steps that any state allows, but for a sign-in that names an application, or a method which the user may not have; a scenario of these alone needs no walk. */
const alwaysSupported: readonly StepKind[] = [
  'signIn',
  'explain',
  'advance',
  'setClock',
  'getPolicy',
  'patchPolicy',
  'lookup',
  'document',
];

/** Whether a scenario has steps that could turn out to be impossible, so that it has to be walked. */
export function requiresCapabilityCheck({ steps }: Scenario): boolean {
  return steps.some(
    (step) => !alwaysSupported.includes(step.kind) || (step.kind === 'signIn' && mayBeRefused(step.say)),
  );
}

function mayBeRefused({ mfa, otherWay, client }: StepOf<'signIn'>['say']): boolean {
  return client !== undefined || otherWay !== undefined || (mfa?.method !== undefined && mfa.method !== null);
}

/**
 * Fails the last scenario of each file whose claims the run did not confirm. Only files that ran whole and passed are held to
 * theirs: a single row, or a scenario that ended early, need not show what the file covers.
 */
function holdToClaims(
  results: readonly ScenarioResult[],
  scenarios: readonly Scenario[],
  coverage: CoverageRecorder,
): readonly ScenarioResult[] {
  const byFile = Map.groupBy(scenarios, ({ file }) => file);
  const resultsByFile = Map.groupBy(results, ({ file }) => file);
  const held = new Map<string, readonly string[]>();
  for (const [file, [scenario, ...others]] of byFile) {
    const ofFile = resultsByFile.get(file) ?? [];
    const whole = scenario !== undefined && others.length + 1 === scenario.rows;
    if (!whole || ofFile.length < scenario.rows || ofFile.some(({ status }) => status !== 'passed')) continue;
    const unconfirmedClaims = coverage.unconfirmedClaims(scenario);
    const last = ofFile.at(-1);
    if (unconfirmedClaims.length > 0 && last !== undefined) held.set(last.id, unconfirmedClaims);
  }
  return results.map((result) => {
    const unconfirmedClaims = held.get(result.id);
    return unconfirmedClaims === undefined ? result : { ...result, status: 'failed', unconfirmedClaims };
  });
}

function count(results: readonly ScenarioResult[], status: ScenarioResult['status']): number {
  return results.filter((result) => result.status === status).length;
}
