import { isDeepStrictEqual } from 'node:util';
import type { ScenarioResult } from '../../contract/result.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { type JobPlan, spreadByQueue } from '../../queue/job-dispatch.ts';
import { programText } from '../../queue/program-text.ts';
import { unpackJson } from '../../queue/queue-job.ts';
import { ScenarioEvidence } from '../../scenario/evidence.ts';
import type { SuiteRunner, UnsupportedStep } from '../../scenario/run-suite.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { runSequentially } from './run-sequentially.ts';
import {
  type RanScenario,
  type RunPayload,
  runKindName,
  splitScenarios,
  type WalkPayload,
  walkKindName,
} from './scenario-jobs.ts';
import { packScenarios, withoutRuleset } from './sent-scenarios.ts';

/** Address of the queue, and the callback for notices. */
export type QueuePlace = Pick<JobPlan, 'address' | 'onNotice'>;

/** Settings for scenario runs by workers. */
export interface RunnerParts extends QueuePlace {
  /** URL of a running server; `null` if each worker starts its own. */
  readonly url: string | null;
  /** Number of concurrent scenarios in each worker on a driver that waits for responses. */
  readonly workers: number;
}

/**
 * Finds unsupported steps with the workers of a queue, with the same results as `unsupportedSteps`. Throws
 * `usage-invalid` if a scenario cannot be sent as JSON, and any error of `spreadByQueue`.
 */
export async function impossibleByQueue(
  scenarios: readonly Scenario[],
  place: QueuePlace,
): Promise<readonly UnsupportedStep[]> {
  refuseUncovered(scenarios);
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
 * Creates a runner that executes scenarios on a driver with the workers of a queue. Results are processed in
 * scenario order. Evidence is recorded once in this process, so coverage is the same as in a local run.
 */
export function runnerByQueue(driver: string, { url, workers, ...place }: RunnerParts): SuiteRunner {
  return {
    name: driver,
    run: async (scenarios, coverage, { bail, onResult, isCancelled }) => {
      refuseUncovered(scenarios);
      const parts = splitScenarios(scenarios, driver);
      const results: ScenarioResult[] = [];
      let ended = false;
      const takeOne = async ({ result, evidence, rulesetItems }: RanScenario): Promise<void> => {
        const scenario = scenarios[results.length];
        if (ended || scenario === undefined) return;
        if (evidence !== null) coverage?.note(scenario, ScenarioEvidence.ofData(evidence));
        if (rulesetItems !== null && scenario.own !== undefined) {
          coverage?.noteRuleset?.(scenario.own.ruleset, rulesetItems);
        }
        results.push(result);
        await onResult(result);
        ended = isCancelled() || (bail && result.status === 'failed');
      };
      const take = runSequentially<readonly RanScenario[]>(async (ran) => {
        for (const one of ran) await takeOne(one);
      });
      await spreadByQueue({
        ...place,
        kind: runKindName,
        program: programText(),
        jobs: parts.length,
        createPayload: async (number): Promise<RunPayload> => {
          const part = parts[number] ?? [];
          return { driver, url, workers, coverage: coverage !== null, count: part.length, ...packScenarios(part) };
        },
        take: (number, result) => take(number, unpackJson(String(result)) as readonly RanScenario[]),
        formatFailure: (number) => `${describePart(parts[number])} could not be run`,
        isEnough: () => ended || isCancelled(),
      });
      return results;
    },
  };
}

/** Rejects scenarios that JSON does not preserve, because a worker would run a different scenario. */
function refuseUncovered(scenarios: readonly Scenario[]): void {
  const problems = [...new Set(scenarios)]
    .map(withoutRuleset)
    .filter((scenario) => !isDeepStrictEqual(JSON.parse(JSON.stringify(scenario)), scenario))
    .map(({ id }) => ({
      location: id,
      message: 'it contains a value that JSON cannot represent, so it cannot be sent to a worker',
    }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}

function describePart(part: readonly Scenario[] = []): string {
  const [first, last] = [part[0]?.id, part.at(-1)?.id];
  return first === last ? `The scenario ${first}` : `The scenarios from ${first} to ${last}`;
}
