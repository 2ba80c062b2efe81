import { describe, expect, it } from 'vitest';
import { scenarioOfJourney } from '../../src/replay/journey-scenario.ts';
import { replayJourney } from '../../src/replay/replay-journey.ts';
import type { DriverSession, JournalEntry } from '../../src/scenario/driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { runScenario } from '../../src/scenario/run-scenario.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';
import { journeyText, openText } from './journey-text.ts';

const top = process.cwd();
const { scenarios } = loadScenarios(scenarioFiles(['scenarios'], top), new FixtureLibrary(['fixtures']), top);

/** Returns the journal of a scenario run on the model. */
async function readJournal(scenario: Scenario): Promise<readonly JournalEntry[]> {
  const driver = new ModelDriver();
  const session: DriverSession = await driver.open(scenario);
  for (const step of scenario.steps) await session.perform(step);
  return (await session.journal()) ?? [];
}

describe('journeys of the shipped scenarios', { timeout: 240_000 }, () => {
  it('replaying the journey of every scenario rebuilds identical bytes and gives the same results on the model', async () => {
    const failed: string[] = [];
    let inputs = 0;
    for (const scenario of scenarios) {
      const text = await journeyText(await readJournal(scenario));
      const report = await replayJourney(await openText(text));
      inputs += report.steps;
      if (!report.same) failed.push(`${scenario.id}: ${JSON.stringify(report.differences[0])}`);
      const { scenario: again } = await scenarioOfJourney(await openText(text), scenario.id);
      const result = await runScenario(again, new ModelDriver(), null);
      if (result.status !== 'passed')
        failed.push(
          `${scenario.id} on the model: ${JSON.stringify(result.steps.find(({ status }) => status === 'failed') ?? result.message)}`,
        );
    }
    expect(failed.slice(0, 3)).toEqual([]);
    expect(inputs).toBeGreaterThan(1_000);
  });

  it('a journey from any sequence number is self-contained and ends in the same state', async () => {
    const failed: string[] = [];
    let parts = 0;
    for (const scenario of scenarios.filter((_, index) => index % 7 === 0)) {
      const entries = await readJournal(scenario);
      const whole = getEnd(await journeyText(entries));
      for (let from = 3; from <= entries.length; from += 1) {
        const text = await journeyText(entries, { from });
        const report = await replayJourney(await openText(text));
        parts += 1;
        if (!report.same) failed.push(`${scenario.id} from ${from}: ${JSON.stringify(report.differences[0])}`);
        if (getEnd(text) !== whole) failed.push(`${scenario.id} from ${from} ends elsewhere`);
      }
    }
    expect(failed.slice(0, 3)).toEqual([]);
    expect(parts).toBeGreaterThan(200);
  });
});

function getEnd(text: string): string {
  return String((JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { state: string }).state);
}
