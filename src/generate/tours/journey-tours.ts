import type { JourneySuite, SizeProof } from '../generation.ts';
import type { Journey } from '../journey.ts';
import { ModelCallRecorder } from '../mutate/model-call-recorder.ts';
import { SandboxStateGraph } from '../mutate/sandbox-state-graph.ts';
import { openPromptGoals, type SuiteModel, suiteWorlds } from '../mutate/suite-models.ts';
import { worldUser } from '../mutate/test-model.ts';
import { sandboxSteps } from './sandbox-steps.ts';
import { createSandboxTour } from './sandbox-tour.ts';

/** Tour of one test model as journeys, with its size proof. */
export interface ModelSuite {
  readonly world: string;
  readonly journeys: readonly Journey[];
  readonly sizeProof: SizeProof;
}

/** Computes the tours of all small test models. */
export async function modelSuites(worlds: readonly SuiteModel[] = suiteWorlds): Promise<readonly ModelSuite[]> {
  const suites: ModelSuite[] = [];
  for (const world of worlds) suites.push(await suiteOfWorld(world));
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

async function suiteOfWorld(world: SuiteModel): Promise<ModelSuite> {
  const { tests, covered, cost, lowerBound } = createSandboxTour(
    await sandboxSteps(await SandboxStateGraph.of(world, new ModelCallRecorder())),
    world.suffixes,
  );
  const digits = String(tests.length).length;
  const journeys = tests.map(({ given, steps }, place): Journey => {
    const { ruleset } = world;
    return {
      name: `${world.name}, test ${String(place + 1).padStart(digits, '0')} of ${tests.length}`,
      covers: [],
      tags: ['generated', 'journey'],
      ...(ruleset === undefined ? {} : { ruleset }),
      given: world.given[given] ?? { tenant: {} },
      steps: steps.some(showsSomething) ? steps : [...steps, { signIn: { user: worldUser } }],
    };
  });
  const steps = tests.reduce((total, test) => total + test.steps.length, 0);
  const of =
    world.suffixes === 'each'
      ? 'transitions, each followed by distinguishing sequences of its target state'
      : 'transitions';
  const known = { of, covered, unreachable: [], tests: tests.length, steps, cost, lowerBound, gap: cost - lowerBound };
  return { world: world.name, journeys, sizeProof: { ...known, complete: true } };
}

/** Checks whether a step has an observable result; a test without any such step would verify nothing. */
function showsSomething(step: object): boolean {
  return 'signIn' in step || 'getPolicy' in step || 'patchPolicy' in step;
}
