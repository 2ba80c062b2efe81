import { expect, onTestFinished, test } from 'vitest';
import { arrayJourneys } from '../../../src/generate/covering-arrays/array-journeys.ts';
import { coveringArray } from '../../../src/generate/covering-arrays/covering-array.ts';
import { expectedScenario, toScenario } from '../../../src/generate/journey.ts';
import { maskingFreeConstraints, signInArray } from '../../../src/generate/models/sign-in-array.ts';
import { HttpDriver } from '../../../src/scenario/drivers/http.driver.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { startTestServer } from '../../test-server.ts';

test('R1 to R15: the rows of a sign-in have the expected results of the model on the pages of a server', async () => {
  const server = await startTestServer({ default: {} });
  const driver = new HttpDriver({ controlUrl: server.controlUrl });
  onTestFinished(async () => {
    await driver.close();
    await server.close();
  });
  const model = signInArray();
  const constraints = [...model.constraints, ...maskingFreeConstraints('2026-09')];
  const { rows } = coveringArray({ ...model, constraints });
  const scenarios = await Promise.all(
    arrayJourneys(rows, '2026-09').map(async ({ journey }) => toScenario(await expectedScenario(journey))),
  );
  const { summary, results } = await runSuite(scenarios, [driver], {
    workers: 2,
    bail: false,
    repeat: 1,
    coverage: false,
  });
  expect(results.filter(({ status }) => status !== 'passed').map(({ id }) => id)).toEqual([]);
  expect(summary.passed).toBe(rows.length);
}, 120_000);
