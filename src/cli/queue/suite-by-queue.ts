import { NudgeLabError } from '../../core/errors.ts';
import { spreadByQueue } from '../../queue/job-dispatch.ts';
import { programText } from '../../queue/program-text.ts';
import { unpackJson } from '../../queue/queue-job.ts';
import type { SuiteRunner, UnsupportedStep } from '../../scenario/run-suite.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { QueuePlace } from './queue-place.ts';
import { runKindName, splitScenarios, type WalkPayload, walkKindName } from './scenario-jobs.ts';
import { packScenarios } from './sent-scenarios.ts';
import { describePart, listChangedByJson, type RunnerParts, runnerByJobs } from './suite-by-jobs.ts';

/**
 * Finds unsupported steps with the workers of a queue, with the same results as `unsupportedSteps`. Throws
 * `usage-invalid` if a scenario cannot be sent as JSON, and any error of `spreadByQueue`.
 */
export async function impossibleByQueue(
  scenarios: readonly Scenario[],
  place: QueuePlace,
): Promise<readonly UnsupportedStep[]> {
  refuseChangedByJson(scenarios);
  const parts = splitScenarios(scenarios, 'model');
  const found: (readonly UnsupportedStep[])[] = [];
  await spreadByQueue({
    ...place,
    kind: walkKindName,
    program: programText(),
    jobs: parts.length,
    createPayload: async (number): Promise<WalkPayload> => packScenarios(parts[number] ?? []),
    take: (number, result) => {
      found[number] = unpackJson(String(result)) as readonly UnsupportedStep[];
    },
    formatFailure: (number) => `${describePart(parts[number])} could not be checked`,
  });
  return found.flat();
}

/**
 * Creates a runner that executes scenarios on a driver with the workers of a queue, with the same results as a local
 * run. It throws `usage-invalid` if a scenario cannot be sent as JSON, and any error of `spreadByQueue`.
 */
export function runnerByQueue(driver: string, { address, onNotice, ...parts }: RunnerParts & QueuePlace): SuiteRunner {
  const { name, run } = runnerByJobs(driver, parts, (jobs) =>
    spreadByQueue({ address, onNotice, kind: runKindName, program: programText(), ...jobs }),
  );
  return {
    name,
    run: async (scenarios, ...request) => {
      refuseChangedByJson(scenarios);
      return run(scenarios, ...request);
    },
  };
}

/** Rejects scenarios that JSON does not preserve, because a worker would run a different scenario. */
function refuseChangedByJson(scenarios: readonly Scenario[]): void {
  const problems = listChangedByJson(scenarios).map(({ id }) => ({
    location: id,
    message: 'it contains a value that JSON cannot represent, so it cannot be sent to a worker',
  }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}
