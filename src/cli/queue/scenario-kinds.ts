import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { afterPendingInput } from '../../core/clock.ts';
import { type JobKind, packJson } from '../../queue/queue-job.ts';
import type { CoverageEvidenceSink } from '../../scenario/coverage.ts';
import type { Driver } from '../../scenario/driver.ts';
import { type EvidenceData, ScenarioEvidence } from '../../scenario/evidence.ts';
import { ScenarioCoverage } from '../../scenario/own/own-coverage.ts';
import type { SentRulesets } from '../../scenario/rulesets/sent-rulesets.ts';
import { runScenario } from '../../scenario/run-scenario.ts';
import { runSequentially } from '../../scenario/run-sequentially.ts';
import { unsupportedSteps } from '../../scenario/run-suite.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { DriverPool } from './driver-pool.ts';
import { type RanScenario, type RunPayload, runKindName, type WalkPayload, walkKindName } from './scenario-jobs.ts';
import { unpackScenarios } from './sent-scenarios.ts';

/**
 * Number of scenarios to validate before the worker yields to other tasks, such as keeping its job alive in the
 * queue.
 */
const stretchScenarios = 8;

/** Creates the job type that validates scenarios for unsupported steps. */
export function walkKind(rulesets: SentRulesets): JobKind {
  return {
    name: walkKindName,
    counts: () => ({}),
    work: async (payload) => {
      const scenarios = unpackScenarios(payload as WalkPayload, rulesets);
      const problems: unknown[] = [];
      for (let from = 0; from < scenarios.length; from += stretchScenarios) {
        problems.push(...(await unsupportedSteps(scenarios.slice(from, from + stretchScenarios))));
        await pause();
      }
      return packJson(problems);
    },
  };
}

/** Creates the job type that runs scenarios with the worker's pool of drivers. */
export function runKind(kept: DriverPool, rulesets: SentRulesets): JobKind {
  return {
    name: runKindName,
    counts: (payload) => ({ scenarios: (payload as RunPayload).count }),
    work: async (payload) => {
      const { driver: name, url, workers, coverage, language, ...sent } = payload as RunPayload;
      const read = unpackScenarios(sent, rulesets);
      const driver = await kept.driver(name, url, language);
      const ran = await runSequentially(read, name === 'model' ? 1 : workers, async (scenario) => {
        const value = await ranScenario(scenario, driver, coverage);
        await pause();
        return { value, stop: false };
      });
      return packJson(ran);
    },
  };
}

async function ranScenario(scenario: Scenario, driver: Driver, measured: boolean): Promise<RanScenario> {
  const sink = new OneEvidence();
  const result = await runScenario(scenario, driver, measured ? sink : null);
  return { result, evidence: sink.noted, rulesetItems: sink.rulesetItems };
}

/** Collects the coverage evidence of one scenario for the sender. */
class OneEvidence implements CoverageEvidenceSink {
  noted: EvidenceData | null = null;
  rulesetItems: string[] | null = null;

  beginRuleset(ruleset: OwnRuleset): ScenarioCoverage {
    const items: string[] = [];
    this.rulesetItems = items;
    return new ScenarioCoverage(ruleset, (item) => items.push(item));
  }

  begin(): ScenarioEvidence {
    return new ScenarioEvidence();
  }

  note(_scenario: Scenario, evidence: ScenarioEvidence): void {
    this.noted = evidence.toData();
  }
}

function pause(): Promise<void> {
  return new Promise<void>((resolve) => afterPendingInput(resolve));
}
