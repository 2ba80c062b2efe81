import { describe, expect, test } from 'vitest';
import { expectedScenario, toScenario } from '../../../src/generate/journey.ts';
import { ModelCallRecorder } from '../../../src/generate/mutate/model-call-recorder.ts';
import { modelMutants } from '../../../src/generate/mutate/model-mutants.ts';
import { MutationSuite } from '../../../src/generate/mutate/mutation-suite.ts';
import { SandboxStateGraph } from '../../../src/generate/mutate/sandbox-state-graph.ts';
import { openPromptGoals, type SuiteModel, suiteModels } from '../../../src/generate/mutate/suite-models.ts';
import { modelSuites } from '../../../src/generate/tours/journey-tours.ts';
import { listStepSuffixes, type SandboxSteps, sandboxSteps } from '../../../src/generate/tours/sandbox-steps.ts';
import { createSandboxTour } from '../../../src/generate/tours/sandbox-tour.ts';
import { nonEmpty } from '../../non-empty.ts';

function findSuiteModel(name: string): SuiteModel {
  const found = suiteModels.find((model) => model.name === name);
  if (found === undefined) throw new TypeError(`There is no world ${name}.`);
  return found;
}

async function createSteps(name: string): Promise<SandboxSteps> {
  return sandboxSteps(await SandboxStateGraph.of(findSuiteModel(name), new ModelCallRecorder()));
}

/** Returns the result of each label from a state on, or `null` from the first label that is not possible. */
function shownBy({ graph, shown }: SandboxSteps, state: number, labels: readonly number[]): readonly (number | null)[] {
  let at: number | null = state;
  return labels.map((label): number | null => {
    if (at === null) return null;
    const step: number = at * graph.labels + label;
    const to = graph.targets[step] as number;
    at = to < 0 ? null : to;
    return at === null ? null : (shown[step] as number);
  });
}

describe('tours of test models', () => {
  test.each(nonEmpty(suiteModels.map(({ name }) => name)))(
    '038: the tests of "%s" execute every step of every state, at the lower bound',
    async (name) => {
      const sandboxGraph = await createSteps(name);
      const { tests, covered, cost, lowerBound } = createSandboxTour(sandboxGraph, 'none');
      const taken = new Set<number>();
      const labels = new Map(sandboxGraph.steps.map((step, label) => [JSON.stringify(step), label]));
      for (const { given, steps } of nonEmpty(tests)) {
        let state = sandboxGraph.beginnings.find((beginning) => beginning.given === given)?.state ?? -1;
        for (const step of nonEmpty(steps)) {
          const place = state * sandboxGraph.graph.labels + (labels.get(JSON.stringify(step)) ?? -1);
          taken.add(place);
          state = sandboxGraph.graph.targets[place] as number;
          expect(state).toBeGreaterThanOrEqual(0);
        }
      }
      const missed = Array.from(sandboxGraph.graph.targets).flatMap((target, place) =>
        target >= 0 && !taken.has(place) ? [place] : [],
      );
      const getStep = (place: number): string => JSON.stringify(sandboxGraph.steps[place % sandboxGraph.graph.labels]);
      expect(
        missed.map((place) => `state ${Math.floor(place / sandboxGraph.graph.labels)}, ${getStep(place)}`),
      ).toEqual([]);
      expect(taken.size).toBe(covered);
      expect(covered).toBe(Array.from(sandboxGraph.graph.targets).filter((target) => target >= 0).length);
      expect(cost).toBe(lowerBound);
    },
  );

  test('048: sequences after a step distinguish its target from other targets with the same screen', async () => {
    const sandboxGraph = await createSteps('Two tabs that are left');
    const { graph, shown } = sandboxGraph;
    const suffixesOf = listStepSuffixes(sandboxGraph);
    const steps = Array.from(graph.targets).flatMap((target, step) => (target >= 0 ? [step] : []));
    const tails = createTails(sandboxGraph, 2);
    let distinguished = 0;
    for (const step of nonEmpty(steps.filter((_, index) => index % 7 === 0))) {
      const state = graph.targets[step] as number;
      const others = new Set(
        steps.filter((other) => shown[other] === shown[step]).map((other) => graph.targets[other] as number),
      );
      for (const other of nonEmpty(others)) {
        // The exhaustive search finds labels that are possible in this state and have another result in the other one.
        const apart = tails(state).some((labels) => differs(sandboxGraph, state, other, labels));
        if (!apart) continue;
        distinguished += 1;
        expect(suffixesOf(step).some((labels) => differs(sandboxGraph, state, other, labels))).toBe(true);
      }
    }
    expect(distinguished).toBeGreaterThan(100);
  });
});

function differs(sandboxGraph: SandboxSteps, one: number, other: number, labels: readonly number[]): boolean {
  return JSON.stringify(shownBy(sandboxGraph, one, labels)) !== JSON.stringify(shownBy(sandboxGraph, other, labels));
}

/** Returns a function that lists all label sequences up to a length that are possible from a state. */
function createTails({ graph }: SandboxSteps, most: number): (state: number) => readonly (readonly number[])[] {
  const from = (state: number, left: number): readonly (readonly number[])[] => {
    if (left === 0) return [[]];
    const all = Array.from({ length: graph.labels }, (_, label) => label);
    return all.flatMap((label) => {
      const to = graph.targets[state * graph.labels + label] as number;
      return to < 0 ? [] : [[label], ...from(to, left - 1).map((rest) => [label, ...rest])];
    });
  };
  return (state) => from(state, most);
}

describe('mutants that are killed by generated journeys', () => {
  async function createSuite(names: readonly string[]): Promise<MutationSuite> {
    const suites = await modelSuites(names.map(findSuiteModel));
    const journeys = names.length === 0 ? openPromptGoals : suites.flatMap((suite) => suite.journeys);
    const expected = await Promise.all(journeys.map((journey) => expectedScenario(journey)));
    return MutationSuite.of(expected.map((data) => toScenario(data)));
  }

  async function killed(suite: MutationSuite, ids: readonly string[]): Promise<readonly string[]> {
    const all = modelMutants();
    const found: string[] = [];
    for (const id of ids) {
      const mutant = all.find((one) => one.id === id);
      if (mutant !== undefined && (await suite.kill(mutant)) !== null) found.push(id);
    }
    return found;
  }

  test('R13.2: mutants with wrong interstitial pages are killed by the pages that a sign-in visits', async () => {
    const ids = [
      'signIn name on attempt.evaluated [1]: taken whatever securityInfoIsNext says',
      'signIn termsOfUse on interstitial.passed [3]: never taken, whatever customControlsAreNext says',
      'signIn action rememberInterstitials: pending is not cleared',
    ];
    const suite = await createSuite(['Pages of a sign-in']);
    expect(suite.failing).toEqual([]);
    expect(await killed(suite, ids)).toEqual(ids);
  });

  test('A26: mutants that keep prompts of a second tab are killed by later steps', async () => {
    const ids = [
      'nudge snoozed on pendingClose.settled [3]: settlePrompts is not done',
      'nudge snoozed on pendingClose.settled [2]: settlePrompts is not done',
    ];
    expect(await killed(await createSuite(['Two tabs that are left']), ids)).toEqual(ids);
  });

  test('A12: mutants that keep prompts open are killed when too many prompts are open', async () => {
    const ids = [
      'nudge action closePrompt: openPrompts stays as it is',
      'nudge anywhere on errorScreen.skipped [2]: closePrompt is not done',
      'nudge anywhere on errorScreen.skipped [3]: closePrompt is not done',
      'nudge registrationRequired on errorScreen.skipped [2]: closePrompt is not done',
      'nudge anywhere on pendingClose.settled [3]: settlePrompts is not done',
    ];
    const suite = await createSuite([]);
    expect(suite.failing).toEqual([]);
    expect(await killed(suite, ids)).toEqual(ids);
  });
});
