import { availableParallelism } from 'node:os';
import { getTelemetry } from '../../core/telemetry.ts';
import { createLocalRunner, type SuiteRunner } from '../../scenario/run-suite.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { chooseDrivers, type DriverParts } from './choose-drivers.ts';

/** Runners of scenarios that are ready, with the function that closes their drivers. */
export interface ReadyRunners {
  readonly runners: readonly SuiteRunner[];
  close(): Promise<void>;
}

/** Size of a run. */
interface RunSize {
  readonly scenarios: readonly Scenario[];
  /** Number of concurrent scenarios on a driver that waits for responses. */
  readonly workers: number;
  /** Number of runs of each scenario. */
  readonly repeat: number;
  /** True if the run stops at the first failure. */
  readonly bail: boolean;
}

/** Maximum number of scenarios in a job of a thread, and number of jobs for each concurrent scenario. */
const ofOneJobMax = 8;
const jobsWanted = 8;

/**
 * Creates the runners of this process, in the order of the names. A large suite runs on the http driver in several threads,
 * each with a server of its own. Throws any error of `chooseDrivers`.
 */
export async function createLocalRunners(
  names: readonly string[],
  parts: DriverParts,
  size: RunSize,
): Promise<ReadyRunners> {
  const threads = names.includes('http') ? await chooseThreads(parts, size) : 1;
  const here = threads === 1 ? names : names.filter((name) => name !== 'http');
  const { drivers, close } = await chooseDrivers(here, parts);
  const runners = new Map(drivers.map((driver) => [driver.name, createLocalRunner(driver, size.workers)]));
  const spread = threads === 1 ? null : await startThreads(threads, parts, size);
  if (spread !== null) runners.set('http', spread.runner);
  return {
    runners: [...new Set(names)].map((name) => runners.get(name)).filter((runner) => runner !== undefined),
    close: async () => {
      try {
        await spread?.close();
      } finally {
        await close();
      }
    },
  };
}

/** Returns the number of threads for the http driver; 1 if more would not be faster, or cannot run the suite. */
async function chooseThreads({ config, url, properties }: DriverParts, size: RunSize): Promise<number> {
  const isForeign = url !== null || config.baseUrl !== undefined || config.drivers['http'] !== undefined;
  // Threads have neither the files of properties nor the exporter of traces.
  if (isForeign || (properties?.files.length ?? 0) > 0 || getTelemetry() !== null) return 1;
  const { countThreads } = await import('./suite-threads.ts');
  return countThreads(size.scenarios, { ...size, cores: availableParallelism() });
}

/** Starts threads, and creates their runner. */
async function startThreads(
  count: number,
  { language }: DriverParts,
  size: RunSize,
): Promise<{ readonly runner: SuiteRunner; close(): Promise<void> }> {
  const [{ SuiteThreads }, { runnerByJobs }] = await Promise.all([
    import('./suite-threads.ts'),
    import('../queue/suite-by-jobs.ts'),
  ]);
  const threads = new SuiteThreads(count);
  const parts = { url: null, workers: 1, language, scenariosMax: sizeJobs(size) };
  const runner = runnerByJobs('http', parts, (jobs) => threads.spread(jobs, size.workers));
  return { runner, close: () => threads.close() };
}

/**
 * Returns the number of scenarios in a job, which run one after another. Few keep all threads busy until the end, and show a
 * failure at once that stops the run.
 */
function sizeJobs({ scenarios, workers, repeat, bail }: RunSize): number {
  const fair = Math.floor((scenarios.length * repeat) / (workers * jobsWanted));
  return bail ? 1 : Math.min(Math.max(1, fair), ofOneJobMax);
}
