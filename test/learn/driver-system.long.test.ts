import { describe, expect, onTestFinished, test } from 'vitest';
import { DemoSystem } from '../../docs/examples/demo-system.ts';
import { OwnDriver } from '../../docs/examples/own-driver.ts';
import { toScenario } from '../../src/generate/journey.ts';
import { modelMutants } from '../../src/generate/mutate/model-mutants.ts';
import { createDifferenceScenario } from '../../src/learn/difference/difference-scenario.ts';
import { type LearnResult, learn } from '../../src/learn/learn.ts';
import { areIsomorphic } from '../../src/learn/mealy/compare-machines.ts';
import type { MealyMachine } from '../../src/learn/mealy/mealy-machine.ts';
import { adaptAlphabet, DriverSystem } from '../../src/learn/systems/driver-system.ts';
import { builtInAlphabet, type LearningAlphabet } from '../../src/learn/systems/learning-alphabet.ts';
import { exploreSpecification } from '../../src/learn/systems/specification.ts';
import { SandboxModel } from '../../src/sandbox/sandbox.ts';
import type { Driver, Observation } from '../../src/scenario/driver.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { runScenario } from '../../src/scenario/run-scenario.ts';
import { startTestServer } from '../test-server.ts';

const settings = { depth: 0, randomTests: 10, resetCost: 5 };

/** Alphabet with only some of the inputs. */
function createAlphabet(...names: readonly string[]): LearningAlphabet {
  return { ...builtInAlphabet, inputs: builtInAlphabet.inputs.filter(({ name }) => names.includes(name)) };
}

interface Learned {
  readonly result: LearnResult;
  readonly specification: MealyMachine;
  readonly alphabet: LearningAlphabet;
}

async function learnDriver(driver: Driver, wanted: LearningAlphabet): Promise<Learned> {
  const { alphabet } = await adaptAlphabet(driver, wanted);
  const specification = await exploreSpecification(alphabet);
  const result = await learn(new DriverSystem(driver, alphabet), { ...settings, reference: specification });
  return { result, specification, alphabet };
}

interface Performed {
  readonly kind: string;
  /** Number of steps of this kind so far, with this one. */
  readonly times: number;
}

type Fault = (performed: Performed, seen: Observation) => Observation;

/** Creates a driver on the model that shows something else than the model does. */
function plantFault(fault: Fault): Driver {
  const model = new ModelDriver();
  return {
    name: 'faulty',
    can: model.can,
    open: async (scenario) => {
      const session = await model.open(scenario);
      const times = new Map<string, number>();
      return {
        perform: async (step) => {
          times.set(step.kind, (times.get(step.kind) ?? 0) + 1);
          return fault({ kind: step.kind, times: times.get(step.kind) ?? 0 }, await session.perform(step));
        },
        verdict: async () => null,
        nudgeStatus: async () => null,
        journal: async () => null,
        close: () => session.close(),
      };
    },
    close: async () => undefined,
  };
}

/** Runs the scenario of every difference on the model and on the driver. Returns the results. */
async function runDifferences({ result, specification, alphabet }: Learned, driver: Driver) {
  const statuses: (readonly string[])[] = [];
  for (const [at, { word }] of result.differences.entries()) {
    const data = createDifferenceScenario(`Difference ${at}`, word, specification, alphabet);
    if (data === null) continue;
    const scenario = toScenario(data);
    const run = async (on: Driver) => (await runScenario(scenario, on, null)).status;
    statuses.push([await run(new ModelDriver()), await run(driver)]);
  }
  return statuses;
}

describe('learning through a driver', () => {
  test('LN11: the model driver is isomorphic to the specification under the built-in alphabet', async () => {
    const { result, specification } = await learnDriver(new ModelDriver(), builtInAlphabet);
    expect(result).toMatchObject({ end: 'tests-passed', differences: [] });
    expect(areIsomorphic(result.machine, specification)).toBe(true);
    expect(specification.states).toBe(30);
  });

  test('LN12: the http driver is isomorphic to the model under a small alphabet', { timeout: 120_000 }, async () => {
    const server = await startTestServer();
    const driver = new HttpDriver(server);
    onTestFinished(() => driver.close());
    const { result, specification } = await learnDriver(driver, createAlphabet('signIn', 'skip', 'day', 'reset'));
    expect(result.end).toBe('tests-passed');
    expect(areIsomorphic(result.machine, specification)).toBe(true);
    expect(specification.states).toBeGreaterThan(10);
  });

  test('LN13: inputs and values that a driver cannot perform or show are left out', async () => {
    const adapted = await adaptAlphabet(new OwnDriver(new DemoSystem()), builtInAlphabet);
    expect(adapted.alphabet.inputs.map(({ name }) => name)).toEqual(['signIn', 'skip', 'day']);
    expect(adapted.alphabet.observed).toEqual(['outcome']);
    expect(adapted.omittedInputs).toContain('register');
    expect(adapted.omittedValues).toEqual(['state', 'snoozesLeft']);
  });

  test('LN14: faults planted in a driver of your own are found, and their scenarios fail on it alone', async () => {
    const faults: readonly Fault[] = [
      // The second prompt has no skip button.
      ({ kind, times }, seen) =>
        kind === 'signIn' && times === 2 && seen.page === 'prompt'
          ? { ...seen, page: 'required', outcome: 'required' }
          : seen,
      // After three skips, a prompt can still be skipped.
      ({ kind }, seen) =>
        kind === 'signIn' && seen.page === 'required' ? { ...seen, page: 'prompt', outcome: 'skippable' } : seen,
      // A skip shows the error screen if another one preceded it.
      ({ kind, times }, seen) => (kind === 'skip' && times > 1 ? { ...seen, page: 'error-screen' } : seen),
    ];
    for (const [number, fault] of faults.entries()) {
      const driver = plantFault(fault);
      const learned = await learnDriver(driver, createAlphabet('signIn', 'skip', 'day', 'close'));
      expect(learned.result.end, `fault ${number}`).toBe('tests-passed');
      const statuses = await runDifferences(learned, driver);
      expect(statuses.length, `fault ${number}`).toBeGreaterThan(0);
      expect(statuses, `fault ${number}`).toEqual(statuses.map(() => ['passed', 'failed']));
    }
  });

  test('LN18: the driver of the documentation differs where its prompts expire', async () => {
    const driver = new OwnDriver(new DemoSystem());
    const learned = await learnDriver(driver, builtInAlphabet);
    expect(learned.result.differences.map(({ word }) => word.length)).toEqual([3, 6, 9]);
    expect(await runDifferences(learned, driver)).toEqual(learned.result.differences.map(() => ['passed', 'failed']));
  });

  test('LN15: a planted fault of each part of the model is found, and its scenarios fail on it alone', async () => {
    const ids = [
      'nudge anywhere on prompt.skipped [2]: never taken, whatever skipIsRefused says',
      'nudge anywhere on prompt.skipped [3]: countSkip is not done',
      'nudge action setSnooze: count is not lowered',
    ];
    const mutants = modelMutants().filter(({ id }) => ids.includes(id));
    expect(mutants.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    for (const { id, parts } of mutants) {
      const driver = new ModelDriver(new SandboxModel(parts));
      const learned = await learnDriver(driver, createAlphabet('signIn', 'skip', 'day', 'reset'));
      expect(learned.result.differences.length, id).toBeGreaterThan(0);
      const statuses = await runDifferences(learned, driver);
      expect(statuses.length, id).toBeGreaterThan(0);
      expect(statuses, id).toEqual(statuses.map(() => ['passed', 'failed']));
    }
  });

  test('LN16: a step that throws is an output, and nothing is sent after it', async () => {
    const performed: string[] = [];
    const driver = plantFault(({ kind }, seen) => {
      performed.push(kind);
      if (kind === 'skip') throw new Error('no button');
      return seen;
    });
    const { result } = await learnDriver(driver, createAlphabet('signIn', 'skip', 'day'));
    expect(result.differences.map(({ actual }) => actual)).toContain('{"failed":"error"}');
    // The step after a skip is the first one of the next session, where no prompt is open yet.
    expect(performed.filter((kind, at) => kind === 'skip' && performed[at - 1] === 'skip')).toEqual([]);
    expect(performed).toContain('skip');
  });

  test('LN17: an alphabet with policy changes and observed counts has its own specification', async () => {
    const inputs = [
      ...createAlphabet('signIn', 'skip', 'day').inputs,
      {
        name: 'off',
        step: { setTenant: { campaign: { enforceRegistrationAfterAllowedSnoozes: false } } },
        pages: null,
      },
    ];
    const { result, specification } = await learnDriver(new ModelDriver(), { ...builtInAlphabet, inputs });
    expect(areIsomorphic(result.machine, specification)).toBe(true);
    const counting: LearningAlphabet = { ...builtInAlphabet, inputs, observed: ['snoozes'] };
    await expect(exploreSpecification(counting, 50)).rejects.toMatchObject({ code: 'state-space-too-large' });
  });
});
