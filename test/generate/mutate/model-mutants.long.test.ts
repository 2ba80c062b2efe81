import { beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '../../../machines/evaluate.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { comparedFacts } from '../../../src/generate/mutate/fact-axes.ts';
import { EvaluatorComparison } from '../../../src/generate/mutate/facts-difference.ts';
import { KillingTests } from '../../../src/generate/mutate/killing-tests.ts';
import { type ModelMutant, ruleOperators } from '../../../src/generate/mutate/model-mutant.ts';
import { modelMutants } from '../../../src/generate/mutate/model-mutants.ts';
import { MutationSuite } from '../../../src/generate/mutate/mutation-suite.ts';
import { asSeen } from '../../../src/generate/mutate/state-projection.ts';
import { SandboxModel, shippedModel } from '../../../src/sandbox/sandbox.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import { runScenario } from '../../../src/scenario/run-scenario.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';
import { nonEmpty } from '../../non-empty.ts';

const all = modelMutants();
const some = (every: number) => all.filter((_mutant, index) => index % every === 0);
let scenarios: readonly Scenario[];

function named(id: string): ModelMutant {
  const found = all.find((mutant) => mutant.id === id);
  if (found === undefined) throw new TypeError(`There is no mutant ${id}.`);
  return found;
}

beforeAll(() => {
  const files = scenarioFiles(
    ['scenarios/snooze', 'scenarios/lifecycle', 'scenarios/scope', 'scenarios/suppression'],
    process.cwd(),
  );
  scenarios = loadScenarios(files, new FixtureLibrary(['fixtures']), process.cwd()).scenarios;
});

describe('mutants of the model', () => {
  test('R1 to A50: more than 300 mutants cover every operator, with unique and reproducible ids', () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    const operators = new Set(all.map(({ operator }) => operator));
    expect(Object.keys(ruleOperators).filter((operator) => !operators.has(operator as never))).toEqual([]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(modelMutants().map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('R12: every cell of the matrix has a mutant in every ruleset', () => {
    expect(all.filter(({ operator }) => operator === 'cell-flipped')).toHaveLength(96);
  });

  test('R1 to A50: mutants do not change the original model', async () => {
    const suite = await MutationSuite.of(scenarios);
    for (const mutant of some(40)) await suite.kill(mutant);
    expect((await MutationSuite.of(scenarios)).failing).toEqual([]);
  });

  test('R1 to A50: a mutant without a fault survives', async () => {
    const suite = await MutationSuite.of(scenarios);
    const same: ModelMutant = { ...named('R5 never stops'), parts: { evaluate: (...given) => evaluate(...given) } };
    expect(await suite.kill(same)).toBeNull();
  });

  test('R6: a kill names the scenario, the step and the detection channel', async () => {
    const kill = await (await MutationSuite.of(scenarios)).kill(named('limit snoozeLimit: one more'));
    expect(kill).toMatchObject({
      scenario: expect.stringMatching(/yaml/),
      step: expect.any(Number),
      line: expect.any(Number),
    });
    expect(kill?.through.length).toBeGreaterThan(0);
  });

  test('A6, A40: scenarios kill mutants that shift a time limit by one millisecond', async () => {
    const suite = await MutationSuite.of(scenarios);
    for (const id of [
      'limit dayMs: one more',
      'limit dayMs: one less',
      'limit promptLifetimeMs: one more',
      'limit promptLifetimeMs: one less',
    ])
      expect([id, (await suite.kill(named(id))) !== null]).toEqual([id, true]);
  });

  test('R1 to A50: a scenario that is omitted because no model call differs would have passed', async () => {
    const suite = await MutationSuite.of(scenarios);
    for (const mutant of nonEmpty(some(60))) {
      if ((await suite.kill(mutant)) !== null) continue;
      const driver = new ModelDriver(new SandboxModel(mutant.parts));
      for (const scenario of nonEmpty(scenarios.map(asSeen))) {
        expect([mutant.id, scenario.id, (await runScenario(scenario, driver, null)).status]).toEqual([
          mutant.id,
          scenario.id,
          'passed',
        ]);
      }
    }
  }, 60_000);
});

describe('equivalence of rule mutants', () => {
  const space = comparedFacts();
  const comparison = new EvaluatorComparison(space);
  const aboutGates = all.filter(
    ({ gateOf, operator }) => gateOf !== undefined || operator === 'gates-swapped' || operator === 'cell-flipped',
  );

  /** Draws facts from the whole space in a sequence that is the same in every run. */
  function drawn(count: number): readonly number[][] {
    let state = 20_260_105;
    const next = (size: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * size);
    };
    return Array.from({ length: count }, () =>
      space.axes.map(({ values }) => (next(3) === 0 ? next(values.length) : 0)),
    );
  }

  test('C1 to R5: no sampled facts refute an equivalent mutant, and the evaluator confirms every difference', () => {
    const samples = drawn(200).map((places) => space.factsAt(places));
    for (const mutant of nonEmpty(aboutGates.filter((_mutant, index) => index % 70 === 0))) {
      const found = comparison.difference(mutant);
      const model = new SandboxModel(mutant.parts);
      const differs = (facts: (typeof samples)[number], id: string): boolean => {
        const [one, other] = [shippedModel, model].map((of) => of.evaluate(facts, of.rulesets.get(id) as Ruleset));
        return one?.reason !== other?.reason || one?.outcome !== other?.outcome;
      };
      if (found === null || found === 'undecided') {
        expect([mutant.id, samples.some((facts) => differs(facts, 'seed') || differs(facts, '2026-09'))]).toEqual([
          mutant.id,
          false,
        ]);
      } else expect([mutant.id, differs(space.factsAt(found.places), found.ruleset)]).toEqual([mutant.id, true]);
    }
  }, 120_000);

  test('R13.4, R13.5: facts that stop both gates kill the mutant that swaps them', async () => {
    const remainder = await new KillingTests(1_000).of(named('ruleset seed asks R13.5 before R13.4'));
    expect(remainder).toMatchObject({
      kind: 'survived',
      scenario: { steps: [{ signIn: { termsOfUse: true, customControls: true } }] },
    });
  }, 60_000);

  test('R11.4, R10.4: a mutant that swaps gates of different methods is equivalent', async () => {
    expect(await new KillingTests(1_000).of(named('ruleset seed asks R11.4 before R10.4'))).toEqual({
      kind: 'equivalent',
    });
  }, 60_000);
});
