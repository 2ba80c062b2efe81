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
}

/**
 * Creates the runners of this process, in the order of the names. A large suite runs on the http driver in several threads,
 * each with a server of its own. Throws any error of `chooseDrivers`.
 */
export async function createLocalRunners(
  names: readonly string[],
  parts: DriverParts,
  size: RunSize,
): Promise<ReadyRunners> {
  const threads = names.includes('http') ? await createThreadRunner(parts, size) : null;
  const { drivers, close } = await chooseDrivers(
    names.filter((name) => name !== threads?.runner.name),
    parts,
  );
  const runners = new Map(drivers.map((driver) => [driver.name, createLocalRunner(driver, size.workers)]));
  if (threads !== null) runners.set(threads.runner.name, threads.runner);
  return {
    runners: [...new Set(names)].map((name) => runners.get(name)).filter((runner) => runner !== undefined),
    close: async () => {
      await threads?.close();
      await close();
    },
  };
}

/** Creates the runner of the http driver with threads; `null` if one thread is as fast, or if others cannot run it. */
async function createThreadRunner(
  { config, url, language, properties }: DriverParts,
  { scenarios, workers, repeat }: RunSize,
): Promise<{ readonly runner: SuiteRunner; close(): Promise<void> } | null> {
  const isForeign = url !== null || config.baseUrl !== undefined || config.drivers['http'] !== undefined;
  // Threads have neither the files of properties nor the exporter of traces.
  if (isForeign || (properties?.files.length ?? 0) > 0 || getTelemetry() !== null) return null;
  const { countThreads, SuiteThreads } = await import('./suite-threads.ts');
  const count = countThreads(scenarios, { workers, repeat, cores: availableParallelism() });
  if (count === 1) return null;
  const [threads, { runnerByJobs }] = [new SuiteThreads(count), await import('../queue/suite-by-jobs.ts')];
  const parts = { url: null, workers: Math.ceil(workers / count), language };
  return { runner: runnerByJobs('http', parts, (jobs) => threads.spread(jobs)), close: () => threads.close() };
}
