import { describe, expect, test } from 'vitest';
import type { WrittenStep } from '../../../src/contract/scenario.schema.ts';
import { toScenario } from '../../../src/generate/journey.ts';
import { ModelCallRecorder } from '../../../src/generate/mutate/model-call-recorder.ts';
import { findModelDifference } from '../../../src/generate/mutate/model-difference.ts';
import type { ModelMutant } from '../../../src/generate/mutate/model-mutant.ts';
import { modelMutants } from '../../../src/generate/mutate/model-mutants.ts';
import { SandboxStateGraph } from '../../../src/generate/mutate/sandbox-state-graph.ts';
import type { TestModel } from '../../../src/generate/mutate/test-model.ts';
import { modelUser } from '../../../src/generate/mutate/test-model.ts';
import { testModels } from '../../../src/generate/mutate/test-models.ts';
import { SandboxModel, shippedModel } from '../../../src/sandbox/sandbox.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';

const all = modelMutants();
const limits = { stepsMax: 100, pairsMax: 100_000 };

function named(id: string): ModelMutant {
  const found = all.find((mutant) => mutant.id === id);
  if (found === undefined) throw new TypeError(`There is no mutant ${id}.`);
  return found;
}

/** Test model so small that every list of its steps can be tried: one start, one kind of sign-in and whole days. */
const oneTab = testModels.nudge.find(({ name }) => name === 'one tab over days') as TestModel;
const tiny: TestModel = {
  ...oneTab,
  name: 'tiny',
  given: oneTab.given.slice(0, 1),
  signIns: [{}],
  others: [],
  days: [1],
};

/**
 * Returns the results of a list of steps that a user can observe on a model. Returns `null` if a step is not possible.
 */
async function findSeen(model: SandboxModel, steps: readonly WrittenStep[]): Promise<string | null> {
  const scenario = toScenario({ name: 'tried', covers: [], given: tiny.given[0] ?? { tenant: {} }, steps });
  const session = await new ModelDriver(model).open(scenario);
  const seen: unknown[] = [];
  for (const step of scenario.steps) {
    try {
      const { page, outcome, status, signInId } = await session.perform(step);
      const verdict = step.kind === 'signIn' && signInId !== undefined ? await session.verdict(signInId) : null;
      const { snoozes, snoozesLeft } = await session.nudgeStatus(modelUser);
      seen.push([page, outcome, status, verdict?.outcome, verdict?.reason, snoozes, snoozesLeft]);
    } catch {
      return null;
    }
  }
  return JSON.stringify(seen);
}

const verbs: readonly WrittenStep[] = [
  { signIn: { user: modelUser, as: 'first' } },
  { skip: { prompt: 'first' } },
  { failRegistration: { prompt: 'first' } },
  { skipError: { prompt: 'first' } },
  { next: { prompt: 'first' } },
  { closeBrowser: { prompt: 'first' } },
  { reload: { prompt: 'first' } },
  { register: { prompt: 'first' } },
  { advance: { days: 1 } },
];

/**
 * Finds the length of the shortest list of steps that kills a mutant by trying all lists without a graph. Returns
 * `null` if no list up to the maximum length does.
 */
async function tried(mutant: ModelMutant, most: number): Promise<number | null> {
  const model = new SandboxModel(mutant.parts);
  let lists: readonly (readonly WrittenStep[])[] = [[]];
  for (let length = 1; length <= most; length += 1) {
    const longer: (readonly WrittenStep[])[] = [];
    for (const list of lists) {
      for (const step of verbs) {
        const steps = [...list, step];
        if (!('signIn' in (steps[0] as object)) && !('advance' in (steps[0] as object))) continue;
        const seen = await findSeen(shippedModel, steps).catch(() => null);
        if (seen === null) continue;
        if ((await findSeen(model, steps)) !== seen) return length;
        longer.push(steps);
      }
    }
    lists = longer;
  }
  return null;
}

describe('differences of mutants in the steps of a user', () => {
  const mutants = [
    'nudge action countSkip: count is raised twice',
    'nudge action settlePrompts: count is raised twice',
    'nudge anywhere on browser.closed [2]: markAsLeft is not done',
    'nudge anywhere on prompt.resumed [2]: withdrawLeaveMark is not done',
    'nudge anywhere on setup.failed [2]: showErrorScreen is not done',
    'nudge anywhere on prompt.nextSelected [2]: missing',
    'nudge anywhere on prompt.skipped [3]: leads nowhere',
  ];

  test.for(mutants)(
    '%s: the journey is as short as the shortest of all lists of steps',
    { timeout: 120_000 },
    async (id) => {
      const book = new ModelCallRecorder();
      const graph = await SandboxStateGraph.of(tiny, book);
      const found = await findModelDifference(graph, book, named(id), limits);
      const length = found.kind === 'different' ? found.steps.length : null;
      expect(await tried(named(id), 3)).toBe(length !== null && length <= 3 ? length : null);
      if (found.kind !== 'different') return;
      const model = new SandboxModel(named(id).parts);
      expect(await findSeen(model, found.steps)).not.toBe(await findSeen(shippedModel, found.steps));
    },
  );

  test('A26: a search with a limit of 0 state pairs is undecided', async () => {
    const book = new ModelCallRecorder();
    const graph = await SandboxStateGraph.of(tiny, book);
    const mutant = named('nudge anywhere on prompt.skipped [3]: leads nowhere');
    expect(await findModelDifference(graph, book, mutant, { stepsMax: 100, pairsMax: 0 })).toMatchObject({
      kind: 'undecided',
    });
  });
});
