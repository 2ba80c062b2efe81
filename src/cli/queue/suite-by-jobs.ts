import { isDeepStrictEqual } from 'node:util';
import type { PageLanguage } from '../../contract/page-controls.ts';
import type { ScenarioResult } from '../../contract/result.schema.ts';
import type { JobPlan } from '../../queue/job-dispatch.ts';
import { unpackJson } from '../../queue/queue-job.ts';
import { ScenarioEvidence } from '../../scenario/evidence.ts';
import type { SuiteRunner } from '../../scenario/run-suite.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { runSequentially } from './run-sequentially.ts';
import { type RanScenario, type RunPayload, splitScenarios } from './scenario-jobs.ts';
import { packScenarios, withoutRuleset } from './sent-scenarios.ts';

/** Settings for scenario runs in other processes or threads. */
export interface RunnerParts {
  /** URL of a running server; `null` if each worker starts its own. */
  readonly url: string | null;
  /** Number of concurrent scenarios in each worker on a driver that waits for responses. */
  readonly workers: number;
  /** Language that drivers request for pages; the tenant's language if it is missing. */
  readonly language?: PageLanguage | undefined;
  /** Maximum number of scenarios in a job. The default depends on the driver. */
  readonly scenariosMax?: number;
}

/** Jobs of a suite, with the functions that create them and process their results. */
export type SuiteJobs = Pick<JobPlan, 'jobs' | 'createPayload' | 'take' | 'formatFailure' | 'isEnough'>;

/**
 * Creates a runner that splits scenarios into jobs. Results are processed in scenario order. Evidence is recorded once in
 * this thread, so coverage is the same as in a local run.
 * @param driver - name of the driver
 * @param parts - settings of all jobs
 * @param spread - runs the jobs, and resolves when all results, or enough of them, were processed
 * @returns the runner, which throws the errors of `spread`
 */
export function runnerByJobs(
  driver: string,
  { url, workers, language, scenariosMax }: RunnerParts,
  spread: (jobs: SuiteJobs) => Promise<unknown>,
): SuiteRunner {
  return {
    name: driver,
    run: async (scenarios, coverage, { bail, onResult, isCancelled }) => {
      const parts = splitScenarios(scenarios, driver, scenariosMax);
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
      const common = {
        driver,
        url,
        workers,
        coverage: coverage !== null,
        ...(language === undefined ? {} : { language }),
      };
      await spread({
        jobs: parts.length,
        createPayload: async (number): Promise<RunPayload> => {
          const part = parts[number] ?? [];
          return { ...common, count: part.length, ...packScenarios(part) };
        },
        take: (number, result) => take(number, unpackJson(String(result)) as readonly RanScenario[]),
        formatFailure: (number) => `${describePart(parts[number])} could not be run`,
        isEnough: () => ended || isCancelled(),
      });
      return results;
    },
  };
}

/** Returns the scenarios that JSON does not preserve, so that a job would run other ones. */
export function listChangedByJson(scenarios: readonly Scenario[]): readonly Scenario[] {
  return [...new Set(scenarios)].filter((scenario) => {
    const sent = withoutRuleset(scenario);
    return !isDeepStrictEqual(JSON.parse(JSON.stringify(sent)), sent);
  });
}

/** Names the scenarios of a job for a message. */
export function describePart(part: readonly Scenario[] = []): string {
  const [first, last] = [part[0]?.id, part.at(-1)?.id];
  return first === last ? `The scenario ${first}` : `The scenarios from ${first} to ${last}`;
}
