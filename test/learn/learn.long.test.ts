import { describe, expect, test } from 'vitest';
import { learnByTable } from '../../bench/plain-l-star.ts';
import { controlView } from '../../src/generate/models/lifecycle-view.ts';
import { exploredLifecycle } from '../../src/generate/suites/lifecycle-journeys.ts';
import { learn, unknownOutput } from '../../src/learn/learn.ts';
import { QueryRunner } from '../../src/learn/learner/query-runner.ts';
import { areIsomorphic } from '../../src/learn/mealy/compare-machines.ts';
import { minimizeMachine, runWord } from '../../src/learn/mealy/mealy-machine.ts';
import { ConformanceTests } from '../../src/learn/oracle/conformance-tests.ts';
import { simulateMachine, toMealyMachine } from '../../src/learn/systems/simulated-system.ts';
import { nonEmpty } from '../non-empty.ts';
import { countStates, describeBehavior, randomMachine } from './mealy-oracle.ts';

const seeds = Array.from({ length: 45 }, (_, at) => at + 15);

function machineFor(seed: number) {
  return randomMachine(seed, { states: 1 + (seed % 30), inputs: 1 + (seed % 4), outputs: 2 });
}

describe('learn', () => {
  test('LN1: random machines of up to 30 states are learned exactly, with and without a reference', async () => {
    let largest = 0;
    for (const seed of nonEmpty(seeds)) {
      const machine = machineFor(seed);
      const behavior = describeBehavior(machine);
      largest = Math.max(largest, countStates(behavior));
      for (const reference of [undefined, machine]) {
        const result = await learn(simulateMachine('random', machine), { reference });
        expect(describeBehavior(result.machine), `seed ${seed}`).toBe(behavior);
        expect(result).toMatchObject({ end: 'tests-passed', differences: [] });
        expect(result.machine.states).toBe(countStates(behavior));
      }
    }
    expect(largest).toBe(30);
  });

  test('LN2: a wrong reference, with other states and inputs, changes the cost and never the result', async () => {
    for (const seed of nonEmpty(seeds)) {
      const machine = machineFor(seed);
      const wrong = randomMachine(seed + 1_000, { states: 1 + (seed % 17), inputs: 1 + (seed % 5), outputs: 3 });
      const { machine: learned } = await learn(simulateMachine('random', machine), { reference: wrong });
      expect(describeBehavior(learned), `seed ${seed}`).toBe(describeBehavior(machine));
    }
  });

  test('LN3: every difference is a shortest word to its transition, sent to the system, and in order of length', async () => {
    let found = 0;
    for (const seed of nonEmpty(seeds)) {
      const reference = machineFor(seed);
      const place = seed % reference.outputs.length;
      const outputs = reference.outputs.map((output, at) => (at === place ? `${output}!` : output));
      const machine = { ...reference, outputs };
      const { differences } = await learn(simulateMachine('changed', machine), { reference });
      const lengths = differences.map(({ word }) => word.length);
      expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
      const last = (word: readonly number[]) => [runWord(machine, word).at(-1), runWord(reference, word).at(-1)];
      expect(differences.map(({ word }) => last(word))).toEqual(
        differences.map(({ expected, actual }) => [actual, expected]),
      );
      const before = differences.map(({ word }) => word.slice(0, -1));
      expect(before.map((word) => runWord(machine, word))).toEqual(before.map((word) => runWord(reference, word)));
      expect(differences.length > 0, `seed ${seed}`).toBe(describeBehavior(machine) !== describeBehavior(reference));
      found += differences.length;
    }
    expect(found).toBeGreaterThan(20);
  });

  test('LN4: with the specification, the lifecycle takes at most a third of the queries of a plain table', async () => {
    const lifecycle = toMealyMachine(exploredLifecycle({ snoozeDays: [1] }), controlView);
    const settings = { depth: 0, randomTests: 500, seed: 1, resetCost: 1 };
    const system = simulateMachine('lifecycle', lifecycle);
    const guided = await learn(system, { ...settings, reference: lifecycle });
    expect(describeBehavior(guided.machine)).toBe(describeBehavior(lifecycle));
    const runner = new QueryRunner(system);
    await learnByTable(runner, new ConformanceTests(settings));
    expect(guided.learning.queries * 3).toBeLessThanOrEqual(runner.count('learning').queries);
    const unguided = await learn(system, settings);
    expect(guided.learning.queries).toBeLessThan(unguided.learning.queries);
  });

  test('LN5: counts are those of the words that reached the system, and no word is sent twice', async () => {
    const machine = machineFor(29);
    const sent: string[] = [];
    const counted = simulateMachine('random', machine);
    const run = (word: readonly number[]) => {
      sent.push(word.join());
      return counted.run(word);
    };
    const { learning, testing, cost } = await learn({ ...counted, run }, { resetCost: 10 });
    const symbols = sent.reduce((sum, word) => sum + word.split(',').length, 0);
    expect(new Set(sent).size).toBe(sent.length);
    expect(learning.queries + testing.queries).toBe(sent.length);
    expect(learning.symbols + testing.symbols).toBe(symbols);
    expect(cost).toBe(symbols + 10 * sent.length);
  });

  test('system-not-deterministic: the shortest contradictory word is named with both outputs', async () => {
    const machine = machineFor(12);
    let runs = 0;
    const system = {
      ...simulateMachine('flaky', machine),
      run: async (word: readonly number[]) => {
        runs += 1;
        return runWord(machine, word).map((output, at) => (runs > 5 && at === 1 ? 'other' : output));
      },
    };
    const learned = learn(system, { reference: machine });
    await expect(learned).rejects.toMatchObject({
      code: 'system-not-deterministic',
      message: expect.stringMatching(
        /from the initial state: i\d, i\d.*the last input showed o\d before and other now/s,
      ),
    });
    expect(runs).toBeLessThan(20);
  });

  test('LN6: a budget of queries or time ends with what is known, and unknown outputs are marked', async () => {
    const machine = machineFor(29);
    const system = simulateMachine('random', machine);
    const few = await learn(system, { queriesMax: 1 });
    expect(few.end).toBe('budget-ended');
    expect(few.learning.queries + few.testing.queries).toBe(1);
    expect(few.machine.outputs).toContain(unknownOutput);
    let left = 30;
    const canContinue = () => {
      left -= 1;
      return left > 0;
    };
    const timed = await learn(system, { canContinue });
    expect(timed.end).toBe('budget-ended');
    expect(timed.machine.states).toBeLessThanOrEqual(minimizeMachine(machine).states);
  });

  test('LN7: differences known when the budget ends are observed ones', async () => {
    const reference = machineFor(29);
    const machine = { ...reference, outputs: reference.outputs.map((output, at) => (at < 4 ? 'new' : output)) };
    const { end, differences } = await learn(simulateMachine('changed', machine), { reference, queriesMax: 6 });
    expect(end).toBe('budget-ended');
    expect(differences.map(({ actual }) => actual)).toContain('new');
    for (const { word, actual } of differences) expect(runWord(machine, word).at(-1)).toBe(actual);
  });

  test('LN8: a learner that stops at the first difference needs fewer queries', async () => {
    const reference = machineFor(29);
    const machine = { ...reference, outputs: reference.outputs.with(9, 'new') };
    const system = simulateMachine('changed', machine);
    const first = await learn(system, { reference, stopsAtDifference: true });
    const all = await learn(system, { reference });
    expect(first.end).toBe('difference-found');
    expect(first.differences.length).toBeGreaterThan(0);
    expect(first.learning.queries + first.testing.queries).toBeLessThan(all.learning.queries);
  });

  test('LN9: equal options give equal results, and another random seed gives other tests', async () => {
    const machine = machineFor(28);
    const run = (seed: number) => learn(simulateMachine('random', machine), { seed });
    expect(await run(1)).toEqual(await run(1));
    expect((await run(1)).testing).not.toEqual((await run(2)).testing);
  });

  test('LN10 canary: the isomorphism check rejects every single change of a minimal machine', () => {
    const machine = minimizeMachine(machineFor(29));
    let same = 0;
    for (const [at, output] of nonEmpty([...machine.outputs.entries()])) {
      const changed = { ...machine, outputs: machine.outputs.with(at, output === 'o0' ? 'o1' : 'o0') };
      const agrees = describeBehavior(changed) === describeBehavior(machine);
      expect(areIsomorphic(changed, machine)).toBe(agrees);
      same += Number(agrees);
    }
    expect(same).toBe(0);
    expect(areIsomorphic(machine, { ...machine, inputs: machine.inputs.with(0, 'another') })).toBe(false);
  });
});
