import { join } from 'node:path';
import { NudgeLabError } from '../../../core/errors.ts';
import { Redactor } from '../../../report/redact.ts';
import { ModelDriver } from '../../../scenario/drivers/model.driver.ts';
import {
  runSuite,
  selectScenarios,
  type UnsupportedStep,
  unsupportedSteps,
  withRefused,
} from '../../../scenario/run-suite.ts';
import type { Scenario } from '../../../scenario/scenario.ts';
import type { RunRequest } from '../../../server/suite-service.ts';
import type { Config } from '../../config.ts';
import type { CommandContext } from '../../context.ts';
import { makeOwnFolder } from '../../own-folder.ts';
import { chooseDrivers } from '../../run/choose-drivers.ts';
import { listSecrets } from '../../run/scenario-secrets.ts';
import { ChartLog } from './chart-log.ts';
import { chartedDriver } from './charted-driver.ts';
import type { RunState } from './run-state.ts';
import { breathe, type ReadSuiteFile, type SuiteFolder } from './suite-folder.ts';

/** Number of concurrent scenarios on a driver that waits for responses. */
const workers = 2;

/** Number of scenarios that are validated for unsupported steps before the server handles other requests. */
const walkedAtOnce = 20;

/** Dependencies of a run. */
export interface CarryOutParts {
  readonly folder: SuiteFolder;
  readonly config: Config;
  readonly context: Pick<CommandContext, 'cwd' | 'env' | 'program' | 'pid'>;
}

/**
 * Executes a run in the same way as `nudgelab run`, and lets the server handle requests in between. Throws
 * `scenario-invalid`, `scenario-empty`, and any error of the drivers.
 */
export async function executeRun(run: RunState, { folder, config, context }: CarryOutParts): Promise<void> {
  const scenarios = chosen(await folder.read(wantedPaths(folder.paths(), run.request)), run.request);
  const impossible = await findUnsupportedSteps(scenarios, run);
  const refused = new Set(impossible.map(({ scenarioId }) => scenarioId));
  const possible = scenarios.filter(({ id }) => !refused.has(id));
  run.total = scenarios.length;
  const redactor = new Redactor({
    keys: config.redaction.keys,
    values: [...config.redaction.values, ...listSecrets(scenarios)],
  });
  const charts = new ChartLog();
  run.evidenceFolder = evidenceFolder(context, run.id);
  const clean = (value: unknown): unknown => redactor.value(value);
  const evidence = run.evidenceFolder === null ? null : { folder: run.evidenceFolder, clean };
  const parts = { config, url: null, evidence, controlKey: null, env: context.env };
  const { drivers, close } =
    run.request.driver === 'model' && !('model' in config.drivers)
      ? { drivers: [new ModelDriver(charts.modelForDriver())], close: async () => undefined }
      : await chooseDrivers([run.request.driver], parts);
  try {
    const report = await runSuite(
      possible,
      drivers.map((driver) => chartedDriver(driver, charts)),
      {
        workers,
        bail: false,
        repeat: 1,
        coverage: true,
        isCancelled: () => run.isCancelled,
        onResult: async (result) => {
          const [redacted] = redactor.report({ ...nothingRun, results: [result] }).results;
          run.add(repeatable(redacted ?? result, context.program));
          await breathe();
        },
      },
    );
    const all = redactor.report(withRefused(report, scenarios, impossible, [run.request.driver]));
    const results = all.results.map((result) => repeatable(result, context.program));
    for (const result of results) if (refused.has(result.id)) run.add(result);
    run.revise(results);
    run.coverage = report.coverage;
    run.charts = charts.charts();
  } finally {
    await close();
  }
}

const nothingRun = {
  summary: { passed: 0, failed: 0, skipped: 0, durationMs: 0 },
  coverage: { rules: [], assumptions: [], outcomesCovered: 0, outcomesTotal: 0 },
} as const;

function repeatable<R extends { readonly command: string }>(result: R, program: string): R {
  return { ...result, command: result.command.replace(/^nudgelab /, `${program} `) };
}

/**
 * Lists the files of a run: the named files, all files in named folders, or the whole suite. Throws
 * `scenario-empty`.
 */
function wantedPaths(paths: readonly string[], { files }: RunRequest): readonly string[] {
  if (files === undefined) return paths;
  const isWanted = (path: string): boolean =>
    files.some((wanted) => path === wanted || path.startsWith(`${wanted.replace(/\/$/, '')}/`));
  const found = paths.filter(isWanted);
  if (found.length > 0) return found;
  throw new NudgeLabError('scenario-empty', { message: `The suite does not contain ${files.join(', ')}.` });
}

/**
 * Selects the requested scenarios of the files. Throws `scenario-invalid` if a file is invalid, and
 * `scenario-empty`.
 */
function chosen(files: readonly ReadSuiteFile[], request: RunRequest): readonly Scenario[] {
  const problems = files.flatMap((file) => file.problems);
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
  const { filter, tags, covers, scenarios: only } = request;
  const scenarios = selectScenarios(
    files.flatMap((file) => file.scenarios),
    {
      ...(filter === undefined || filter === '' ? {} : { filter }),
      ...(tags === undefined ? {} : { tags }),
      ...(covers === undefined ? {} : { covers }),
      ...(only === undefined ? {} : { only }),
    },
  );
  if (scenarios.length > 0) return scenarios;
  throw new NudgeLabError('scenario-empty', {
    message: `None of the scenarios in ${files.length} files was selected.`,
  });
}

async function findUnsupportedSteps(
  scenarios: readonly Scenario[],
  run: RunState,
): Promise<readonly UnsupportedStep[]> {
  const found: UnsupportedStep[] = [];
  for (let at = 0; at < scenarios.length && !run.isCancelled; at += walkedAtOnce) {
    found.push(...(await unsupportedSteps(scenarios.slice(at, at + walkedAtOnce))));
    await breathe();
  }
  return found;
}

/** Creates the folder for the evidence of a run; `null` if it is not writable. */
function evidenceFolder({ cwd, pid }: CarryOutParts['context'], runId: string): string | null {
  try {
    return join(makeOwnFolder(cwd), 'console-runs', `${pid}-${runId}`);
  } catch {
    return null;
  }
}
