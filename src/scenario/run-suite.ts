import type { RunReport, ScenarioResult } from '../contract/result.schema.ts';
import type { StepOf } from '../contract/scenario.schema.ts';
import type { StepKind } from '../contract/step-names.ts';
import { stopwatch } from '../core/clock.ts';
import type { ValidationProblem } from '../core/errors.ts';
import { CoverageRecorder } from './coverage.ts';
import type { Driver } from './driver.ts';
import { refusedResult, runScenario } from './run-scenario.ts';
import { runSequentially } from './run-sequentially.ts';
import type { Scenario } from './scenario.ts';
import { listUsedRulesets } from './used-rulesets.ts';

/** Options of a test run. */
export interface RunOptions {
  /** Number of concurrent scenarios on a driver that waits for responses. The model needs only one. */
  readonly workers: number;
  /** True to end the run after the first failure. */
  readonly bail: boolean;
  /** Number of times each scenario is run. */
  readonly repeat: number;
  /** True to measure rule coverage and to fail claims that the run does not confirm. */
  readonly coverage: boolean;
  /** Called with each result. The next scenario waits for the returned promise. */
  readonly onResult?: (result: ScenarioResult, done: number, total: number) => void | Promise<void>;
  /** Returns true if the run should end. No further scenario is then started. */
  readonly isCancelled?: () => boolean;
}

/** Filter for scenarios to run. All given criteria must match. */
export interface Selection {
  /** Text contained in the id or name, matched without regard to case. */
  readonly filter?: string;
  readonly tags?: readonly string[];
  readonly covers?: readonly string[];
  /** Part `index` of `count`, starting at 1. Every scenario is in exactly one part. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** Ids of the only scenarios to run. */
  readonly only?: readonly string[];
}

/** Returns the selected scenarios in their original order. */
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

/** Runs the scenarios of a suite on one driver. */
export interface SuiteRunner {
  /** Name of the driver. */
  readonly name: string;
  /**
   * Runs scenarios and returns the results in their order. The request contains the stop condition and the callback
   * for results. Coverage is `null` if it is not measured.
   */
  run(
    scenarios: readonly Scenario[],
    coverage: CoverageRecorder | null,
    request: SuiteRequest,
  ): Promise<readonly ScenarioResult[]>;
}

/** Options for a suite runner. */
export interface SuiteRequest {
  readonly bail: boolean;
  /** Called with each result. The next one waits for the returned promise. */
  readonly onResult: (result: ScenarioResult) => void | Promise<void>;
  /** Returns true if the run should end. No other scenarios are started after that. */
  readonly isCancelled: () => boolean;
}

/**
 * Runs scenarios on one driver after another. Returns the results in the order of the scenarios, regardless of
 * which ended first.
 */
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

/** Runs scenarios with one runner after another, like `runSuite`, regardless of where the scenarios run. */
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
    // A canceled run has not come to all that its scenarios claim.
    results.push(...(measured && !isCancelled() ? holdToClaims(ofDriver, scenarios, coverage) : ofDriver));
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
    rulesets: listUsedRulesets(scenarios),
  };
}

/** Creates a runner for a driver in this process. Scenarios run concurrently if the driver waits for responses. */
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

/** Step that cannot be performed, with its scenario. */
export interface UnsupportedStep extends ValidationProblem {
  readonly scenarioId: string;
}

/**
 * Returns the steps that cannot be performed, such as an action on a prompt that the rules do not show. Every
 * scenario is run on the model to find these steps. If an expectation fails before such a step, the actual run
 * reports the failure instead.
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

/** Adds rejected scenarios to a report. A rejected scenario counts as failed on every driver, without any step. */
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

/**
 * Steps that are possible in every state. Exceptions are sign-ins with an application or with a method that the
 * user may not have.
 */
const alwaysSupported: readonly StepKind[] = [
  'signIn',
  'explain',
  'advance',
  'setClock',
  'getPolicy',
  'patchPolicy',
  'callApi',
  'lookup',
  'document',
];

/** Returns true if a scenario contains steps that could be impossible, so it must be checked on the model. */
export function requiresCapabilityCheck({ steps }: Scenario): boolean {
  return steps.some(
    (step) => !alwaysSupported.includes(step.kind) || (step.kind === 'signIn' && mayBeRefused(step.say)),
  );
}

function mayBeRefused({ mfa, otherWay, client }: StepOf<'signIn'>['say']): boolean {
  return client !== undefined || otherWay !== undefined || (mfa?.method !== undefined && mfa.method !== null);
}

/**
 * Fails the last scenario of each file whose claims the run did not confirm. Only files that ran completely and
 * passed are checked, because a single row or an interrupted scenario need not cover the whole file.
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
