import type { JourneySuite, SizeProof } from '../generation.ts';
import type { Journey } from '../journey.ts';
import { ModelCallRecorder } from '../mutate/model-call-recorder.ts';
import { SandboxStateGraph } from '../mutate/sandbox-state-graph.ts';
import { openPromptGoals, type SuiteModel, suiteModels } from '../mutate/suite-models.ts';
import { modelUser } from '../mutate/test-model.ts';
import { sandboxSteps } from './sandbox-steps.ts';
import { createSandboxTour } from './sandbox-tour.ts';

/** Tour of one test model as journeys, with its size proof. */
export interface ModelSuite {
  readonly model: string;
  readonly journeys: readonly Journey[];
  readonly sizeProof: SizeProof;
}

/** Computes the tours of all small test models. */
export async function modelSuites(models: readonly SuiteModel[] = suiteModels): Promise<readonly ModelSuite[]> {
  const suites: ModelSuite[] = [];
  for (const model of models) suites.push(await createModelSuite(model));
  return suites;
}

/**
 * Generates journeys through pages, tabs, minutes, days and policies: every step of every small test model in each of
 * its states, together with the targeted tests that no tour includes. The tours run on the sandbox, so the expectations
 * contain everything that a user observes.
 */
export async function journeyTours(): Promise<JourneySuite> {
  const suites = await modelSuites();
  const sum = (key: 'covered' | 'tests' | 'steps' | 'cost' | 'lowerBound' | 'gap') =>
    suites.reduce((total, { sizeProof: certificate }) => total + (certificate[key] ?? 0), 0);
  return {
    kind: 'journeys',
    title: 'Journeys transitions',
    journeys: [...suites.flatMap(({ journeys }) => journeys), ...openPromptGoals],
    sizeProof: {
      of: `transitions of ${suites.length} models, plus ${openPromptGoals.length} tests for coverage criteria`,
      covered: sum('covered'),
      unreachable: [],
      tests: sum('tests'),
      steps: sum('steps'),
      cost: sum('cost'),
      lowerBound: sum('lowerBound'),
      gap: sum('gap'),
      complete: true,
    },
  };
}

async function createModelSuite(model: SuiteModel): Promise<ModelSuite> {
  const { tests, covered, cost, lowerBound } = createSandboxTour(
    await sandboxSteps(await SandboxStateGraph.of(model, new ModelCallRecorder())),
    model.suffixes,
  );
  const digits = String(tests.length).length;
  const journeys = tests.map(({ given, steps }, place): Journey => {
    const { ruleset } = model;
    return {
      name: `${model.name}, test ${String(place + 1).padStart(digits, '0')} of ${tests.length}`,
      covers: [],
      tags: ['generated', 'journey'],
      ...(ruleset === undefined ? {} : { ruleset }),
      given: model.given[given] ?? { tenant: {} },
      steps: steps.some(showsSomething) ? steps : [...steps, { signIn: { user: modelUser } }],
    };
  });
  const steps = tests.reduce((total, test) => total + test.steps.length, 0);
  const of =
    model.suffixes === 'each'
      ? 'transitions, each followed by distinguishing sequences of its target state'
      : 'transitions';
  const known = { of, covered, unreachable: [], tests: tests.length, steps, cost, lowerBound, gap: cost - lowerBound };
  return { model: model.name, journeys, sizeProof: { ...known, complete: true } };
}

/** Checks whether a step has an observable result; a test without any such step would verify nothing. */
function showsSomething(step: object): boolean {
  return 'signIn' in step || 'getPolicy' in step || 'patchPolicy' in step;
}
