import { models } from '../src/generate/exploration/explorations.ts';
import { machineScore } from '../src/generate/mutate/machine-score.ts';
import { modelMutants } from '../src/generate/mutate/model-mutants.ts';
import { computeScore, type MutationScore, scoresBy } from '../src/generate/mutate/mutation-score.ts';
import { testMutants } from '../src/generate/mutate/mutation-test.ts';
import { generatedScenarios } from '../src/generate/suites/generated-suite.ts';
import { FixtureLibrary } from '../src/scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../src/scenario/shipped.ts';
import type { BenchRow } from './measure.ts';

/** Machines that are measured separately, because scenario steps cannot send all of their events. */
const machines = ['sign-in', 'campaign', 'passkey-eligibility', 'document'] as const;

/** Maximum number of state pairs that one equivalence decision may explore. */
const pairsMax = 5_000;

/**
 * Computes the mutation score of the generated suite as observable by a user: tours with distinguishing sequences
 * through all small test models, and a sign-in for each decision of the rules. Lists the score by operator and by
 * machine on its own tour.
 */
export async function benchMutants(): Promise<readonly BenchRow[]> {
  const scenarios = await generatedScenarios(new FixtureLibrary([shippedFixturesFolder]));
  const { results } = await testMutants(scenarios, modelMutants(), { decide: true, pairsMax, canContinue: () => true });
  const byOperator = scoresBy(results, ({ mutant }) => [mutant.operator]);
  return [
    createRow(`mutants of the model, ${scenarios.length} generated tests`, computeScore(results)),
    ...byOperator.map((score) => createRow(`  ${score.of}`, score)),
    ...machines.map(machineRow),
  ];
}

function machineRow(name: (typeof machines)[number]): BenchRow {
  const model = models.get(name)?.();
  if (model === undefined) throw new Error(`There is no machine called ${name}.`);
  const { mutants, tests, ...score } = machineScore(model);
  return createRow(`machine ${name}, a tour with suffixes of ${tests} tests`, {
    ...score,
    mutants: mutants.length,
    notRun: 0,
  });
}

function createRow(what: string, { mutants, killed, survived, equivalent, undecided }: MutationScore): BenchRow {
  const killable = killed + survived + undecided;
  return {
    what: `${what}: ${mutants} mutants, ${equivalent} equivalent, ${undecided} undecided; killed of killable`,
    ours: killed,
    theirs: killable,
    unit: 'mutants',
    ratio: killable === 0 ? 1 : killed / killable,
    bar: '100 % of the killable',
    reached: killed === killable,
  };
}
