import { describe, expect, test } from 'vitest';
import { type FuzzOptions, fuzz } from '../../../src/generate/fuzz/fuzz.ts';
import { modelMutants } from '../../../src/generate/mutate/model-mutants.ts';
import { SandboxModel } from '../../../src/sandbox/sandbox.ts';
import type { Driver } from '../../../src/scenario/driver.ts';
import { HttpDriver } from '../../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { startServer } from '../../../src/server/start.ts';
import { startBendingProxy } from '../../scenario/bending-proxy.ts';
import { setTestServer } from '../../test-server.ts';

const options: FuzzOptions = { seed: 1, path: null, walks: 60, stepsMax: 25, triesMax: 400, canContinue: () => true };
const all = modelMutants();

function mutantDriver(id: string): ModelDriver {
  const mutant = all.find((one) => one.id === id);
  if (mutant === undefined) throw new TypeError(`There is no mutant ${id}.`);
  return new ModelDriver(new SandboxModel(mutant.parts));
}

/** Lists the step names of the shrunk journey in a report. */
function listStepKinds({ failure }: Awaited<ReturnType<typeof fuzz>>): readonly string[] {
  return (failure?.shrunk.difference.scenario.steps ?? []).map((step) => Object.keys(step)[0] ?? '');
}

describe('random walks on the model and its mutants', () => {
  test('fuzz: the model agrees with itself, and the same random seed repeats the walks', async () => {
    const [one, again] = [await fuzz(new ModelDriver(), options), await fuzz(new ModelDriver(), options)];
    expect(one).toEqual({ passed: 60, walks: 60, steps: again.steps, complete: true, failure: null, died: null });
    expect(one.steps).toBeGreaterThan(500);
  });

  const planted: readonly (readonly [string, readonly string[]])[] = [
    ['nudge action countSkip: count is raised twice', ['signIn', 'skip']],
    // The journey starts with a user whose prompts are required and do not raise the snooze count.
    [
      'nudge anywhere on setup.failed [2]: showErrorScreen is not done',
      ['setUser', 'signIn', 'failRegistration', 'advance'],
    ],
    ['nudge action settlePrompts: count is raised twice', ['signIn', 'advance']],
    ['limit snoozeLimit: one more', ['signIn']],
  ];

  test.for(planted)('fuzz: %s is found and shrunk to the shortest journey from its start', async ([id, verbs]) => {
    const report = await fuzz(mutantDriver(id), { ...options, walks: 500 });
    expect(listStepKinds(report)).toEqual(verbs);
    expect(report.failure?.shrunk.isMinimal).toBe(true);
  });

  test('fuzz: the path of a failure reproduces it immediately', async () => {
    const driver = mutantDriver('nudge action countSkip: count is raised twice');
    const first = await fuzz(driver, { ...options, walks: 500 });
    const again = await fuzz(driver, { ...options, walks: 500, path: first.failure?.path ?? '' });
    expect(again.passed).toBe(0);
    expect(again.failure).toEqual(first.failure);
  });

  test('fuzz: a run without time left is reported as incomplete', async () => {
    expect(await fuzz(new ModelDriver(), { ...options, canContinue: () => false })).toMatchObject({
      complete: false,
      passed: 0,
    });
  });

  test('fuzz: a driver that dies during a walk is reported, with the number of passed walks', async () => {
    const model = new ModelDriver();
    let opened = 0;
    const dying: Driver = {
      name: 'dying',
      can: model.can,
      open: (scenario) => {
        opened += 1;
        if (opened > 7) throw new Error('the process is gone');
        return model.open(scenario);
      },
      close: () => model.close(),
    };
    expect(await fuzz(dying, options)).toMatchObject({
      passed: 7,
      complete: false,
      failure: null,
      died: expect.stringContaining('the process is gone'),
    });
  });
});

describe('random walks on a server', () => {
  const server = setTestServer({ default: {} });

  test('fuzz: the mock server agrees with the model on every page', async () => {
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const report = await fuzz(driver, { ...options, walks: 25 });
    await driver.close();
    expect(report).toMatchObject({ passed: 25, failure: null });
  }, 60_000);

  test('fuzz: a server without a skip button on its prompt is found, and the journey is shrunk to one sign-in', async () => {
    const proxy = await startBendingProxy((html) => html.replaceAll('data-control="skip"', ''));
    const behind = await startServer({ sandboxes: server.sandboxes, port: 0, publicHosts: [proxy.host] });
    proxy.forwardTo(behind.port);
    const driver = new HttpDriver({ controlUrl: `http://${proxy.host}/_control/v1` });
    const report = await fuzz(driver, options);
    await driver.close();
    await behind.close();
    await proxy.close();
    expect(report.died).toBeNull();
    expect(listStepKinds(report)).toEqual(['signIn']);
  }, 60_000);
});
