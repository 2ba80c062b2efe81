import { resolve } from 'node:path';
import type { RunReport } from '../../contract/result.schema.ts';
import { errorTable, NudgeLabError } from '../../core/errors.ts';
import { Redactor } from '../../report/redact.ts';
import { changesSince } from '../../report/run-changes.ts';
import type { DriverTimes } from '../../report/summary-text.ts';
import { describeUnknownCoverage, isCoverable } from '../../scenario/coverage.ts';
import {
  requiresCapabilityCheck,
  runSuiteBy,
  selectScenarios,
  type UnsupportedStep,
  unsupportedSteps,
  withRefused,
} from '../../scenario/run-suite.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { type Config, loadConfig } from '../config.ts';
import { workersDefault } from '../config-values.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadControlKey } from '../control-key.ts';
import { openRulesets } from '../open-rulesets.ts';
import { print } from '../print.ts';
import { createQueuePlace } from '../queue/queue-place.ts';
import { problemLine } from '../show-error.ts';
import type { DriverParts } from './choose-drivers.ts';
import { DriverStopwatch } from './driver-times.ts';
import { readEarlier } from './earlier-run.ts';
import { lastFailed, noteLastRun } from './last-run.ts';
import { listedScenarios } from './listed-scenarios.ts';
import { createLocalRunners, type ReadyRunners } from './local-runners.ts';
import { locateSuite } from './locate-suite.ts';
import { printReport } from './print-report.ts';
import { progressFor } from './progress.ts';
import { type Suite, SuiteReader } from './read-suite.ts';
import { withRepeatCommands } from './repeat-command.ts';
import type { RunArguments } from './run-options.ts';
import { listSecrets } from './scenario-secrets.ts';
import { stopOnSignal } from './stop-signal.ts';
import { writeReports } from './write-reports.ts';

/**
 * Runs scenarios once, or after every change in watch mode. Returns the exit code. Throws an error that the caller
 * can correct.
 */
export async function runScenarios(args: RunArguments, context: CommandContext): Promise<ExitCode> {
  refuseUnknownCovers(args.covers);
  const config = await loadConfig(args.config, context.cwd);
  if (args.ui) return (await import('./run-in-console.ts')).runInConsole(args, config, context);
  if (args.queue !== null) await refuseUncovering(args, config);
  if (!args.watch) return runOnce(args, config, context);
  const { watchRuns, withEndKeys } = await import('./watch-runs.ts');
  const again = (): Promise<ExitCode> => runOnce(args, config, withEndKeys(context));
  return watchRuns(again, locateSuite(args.operands, config, context.cwd).sources, context);
}

/** Rejects settings that cannot be sent to workers. Throws `driver-not-found` and `usage-invalid`. */
async function refuseUncovering(args: RunArguments, config: Config): Promise<void> {
  const { refuseOwnDrivers, refuseTravelingKey, refuseTravelingProperties } = await import(
    '../queue/without-config.ts'
  );
  refuseOwnDrivers(driverNames(args), config);
  refuseTravelingKey(args.controlKey);
  refuseTravelingProperties(args.properties);
}

function refuseUnknownCovers(covers: readonly string[]): void {
  const problems = covers
    .filter((id) => !isCoverable(id))
    .map((id) => ({ location: '--covers', message: describeUnknownCoverage(id) }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}

async function runOnce(args: RunArguments, config: Config, context: CommandContext): Promise<ExitCode> {
  const rulesets = await openRulesets(args, config, context.cwd);
  const reader = new SuiteReader(locateSuite(args.operands, config, context.cwd), context, rulesets);
  const suite = await reader.read();
  if (suite.problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems: suite.problems });
  const scenarios = selected(suite, args, context).map((scenario) => adjusted(scenario, args));
  if (scenarios.length === 0) throw nothingToRun(suite, args);
  const impossible = await findUnsupportedSteps(
    scenarios.filter((scenario) => !suite.walked.has(scenario)),
    args,
    context,
  );
  const possible = without(scenarios, impossible);
  reader.keep(possible);
  // Invalid scenarios are reported before the others run.
  if (possible.length === 0) throw new NudgeLabError('scenario-invalid', { problems: impossible });
  if (!args.json) print(context.stderr, impossible, (problems) => problems.map(problemLine));
  const earlier = args.baseline === null ? null : await readEarlier(args.baseline, context.cwd);
  const key = loadControlKey(args, context, config);
  const redactor = new Redactor({
    keys: config.redaction.keys,
    values: [...config.redaction.values, ...listSecrets(scenarios), ...(key === undefined ? [] : [key])],
  });
  const folder = args.report === null ? config.reports.dir : resolve(context.cwd, args.report);
  const evidence = folder === undefined ? null : { folder, clean: (value: unknown) => redactor.value(value) };
  const language = args.language ?? undefined;
  const { url, controlKey } = args;
  const properties = { files: args.properties, cwd: context.cwd };
  const given = { config, url, controlKey, language, evidence, properties, env: context.env };
  const parts = { ...given, handlesInterrupts: true };
  const { report: ran, times, interrupted } = await runOnDrivers(possible, args, parts, context);
  if (interrupted) return reportStopped(ran, context);
  const report = withRefused(ran, scenarios, impossible, driverNames(args));
  noteLastRun(report, context.cwd);
  const clean = redactor.report(withRepeatCommands(report, args, context.program));
  const changes = earlier === null ? null : changesSince(earlier, clean);
  const run = { report: clean, changes, endedAtMs: context.clock.nowMs(), scenarios: possible };
  const written = folder === undefined ? [] : await writeReports(run, folder, config.reports.formats, context.cwd);
  printReport({ report: clean, times, written, changes }, args, context);
  return impossible.length > 0 ? errorTable['scenario-invalid'].exitCode : getExitCode(report, args);
}

/** Finds unsupported steps, with the workers if a queue is used. */
async function findUnsupportedSteps(
  scenarios: readonly Scenario[],
  { queue }: RunArguments,
  context: CommandContext,
): Promise<readonly UnsupportedStep[]> {
  if (queue === null) return unsupportedSteps(scenarios);
  const { impossibleByQueue } = await import('../queue/suite-by-queue.ts');
  return impossibleByQueue(scenarios.filter(requiresCapabilityCheck), createQueuePlace(queue, context));
}

function without(scenarios: readonly Scenario[], impossible: readonly UnsupportedStep[]): readonly Scenario[] {
  const refused = new Set(impossible.map(({ scenarioId }) => scenarioId));
  return scenarios.filter(({ id }) => !refused.has(id));
}

function driverNames({ driver, url }: RunArguments): readonly string[] {
  if (driver.length > 0) return driver;
  return [url === null ? 'model' : 'http'];
}

function selected(suite: Suite, args: RunArguments, { cwd, stderr }: CommandContext): readonly Scenario[] {
  const failed = args.lastFailed ? lastFailed(cwd) : [];
  if (args.lastFailed && failed.length === 0) {
    print(stderr, {}, () => ['The last run had no failures, so all scenarios run.']);
  }
  const listed = args.list === null ? suite.scenarios : listedScenarios(suite.scenarios, args.list, cwd);
  return selectScenarios(listed, {
    ...(args.filter === null ? {} : { filter: args.filter }),
    ...(args.tag.length === 0 ? {} : { tags: args.tag }),
    ...(args.covers.length === 0 ? {} : { covers: args.covers }),
    ...(args.shard === null ? {} : { shard: args.shard }),
    ...(failed.length === 0 ? {} : { only: failed }),
  });
}

function adjusted(scenario: Scenario, { seed, timeout }: RunArguments): Scenario {
  if (seed === null && timeout === null) return scenario;
  return {
    ...scenario,
    timeoutMs: timeout ?? scenario.timeoutMs,
    plan: { ...scenario.plan, seed: seed ?? scenario.plan.seed },
  };
}

function nothingToRun({ scenarios, files }: Suite, args: RunArguments): NudgeLabError {
  const filters = [
    ...(args.filter === null ? [] : [`--filter ${args.filter}`]),
    ...args.tag.map((tag) => `--tag ${tag}`),
    ...args.covers.map((id) => `--covers ${id}`),
    ...(args.shard === null ? [] : [`--shard ${args.shard.index}/${args.shard.count}`]),
    ...(args.lastFailed ? ['--last-failed'] : []),
    ...(args.list === null ? [] : [`--list ${args.list}`]),
  ];
  const message =
    scenarios.length === 0
      ? `The paths contain no scenarios: ${files.length} files were read.`
      : `None of ${scenarios.length} scenarios matches ${filters.join(' ')}.`;
  return new NudgeLabError('scenario-empty', { message });
}

async function runOnDrivers(
  scenarios: readonly Scenario[],
  args: RunArguments,
  parts: DriverParts,
  context: CommandContext,
): Promise<{ readonly report: RunReport; readonly times: DriverTimes; readonly interrupted: boolean }> {
  const { runners, close } = await createRunners(scenarios, args, parts, context);
  const progress = progressFor(context, args.quiet || args.json, args.color);
  const stoppable = stopOnSignal(runners, args, context, progress);
  const stopwatch = new DriverStopwatch(context.clock.stopwatch());
  try {
    const report = await runSuiteBy(scenarios, stoppable.runners, {
      bail: args.bail,
      repeat: args.repeatEach,
      coverage: args.coverage,
      isCancelled: stoppable.isRequested,
      onResult: (result, done, total) => {
        stopwatch.note(result);
        progress.show(result, done, total);
      },
    });
    const isWhole = report.results.length === scenarios.length * args.repeatEach * runners.length;
    return { report, times: stopwatch.times(), interrupted: stoppable.isRequested() && !isWhole };
  } finally {
    progress.clear();
    await close();
  }
}

/** Reports an interrupted run, whose coverage and claims would be those of a smaller suite. */
function reportStopped({ summary: { passed, failed } }: RunReport, { stderr }: CommandContext): ExitCode {
  print(stderr, {}, () => [
    `Interrupted. Of the scenarios that ended, ${passed} passed and ${failed} failed. No report was written.`,
  ]);
  return 1;
}

/** Creates the runners of the scenarios, which are drivers of this process or workers of a queue. */
async function createRunners(
  scenarios: readonly Scenario[],
  args: RunArguments,
  parts: DriverParts,
  context: CommandContext,
): Promise<ReadyRunners> {
  const names = driverNames(args);
  const workers = args.workers ?? parts.config.workers ?? workersDefault;
  if (args.queue === null)
    return createLocalRunners(names, parts, { scenarios, workers, repeat: args.repeatEach, bail: args.bail });
  if (parts.evidence !== null && names.includes('browser')) {
    print(context.stderr, {}, () => [
      'Workers keep no screenshots or traces of failures. To get them, repeat failed scenarios without --queue.',
    ]);
  }
  const { runnerByQueue } = await import('../queue/suite-by-queue.ts');
  const { language } = parts;
  const url = args.url ?? parts.config.baseUrl ?? null;
  const runner = { ...createQueuePlace(args.queue, context), url, workers, language };
  return { runners: [...new Set(names)].map((name) => runnerByQueue(name, runner)), close: async () => undefined };
}

/** Computes the exit code. A run in which no scenario passed has failed, because an empty run must not pass. */
function getExitCode({ summary: { passed, failed, skipped } }: RunReport, { failOnSkip }: RunArguments): ExitCode {
  return failed > 0 || passed === 0 || (failOnSkip && skipped > 0) ? 1 : 0;
}
