import type { Certificate, JourneySuite } from '../generation.ts';
import type { Journey } from '../journey.ts';
import { StepBook } from '../mutate/model-call-recorder.ts';
import { WorldGraph } from '../mutate/sandbox-state-graph.ts';
import { openPromptGoals, type SuiteWorld, suiteWorlds } from '../mutate/suite-models.ts';
import { worldUser } from '../mutate/test-model.ts';
import { worldSteps } from './sandbox-steps.ts';
import { tourOfWorld } from './sandbox-tour.ts';

/** A tour of one world as journeys, and what is known of it. */
export interface WorldSuite {
  readonly world: string;
  readonly journeys: readonly Journey[];
  readonly certificate: Certificate;
}

/** Tours of every small world that tests are made of. */
export async function worldSuites(worlds: readonly SuiteWorld[] = suiteWorlds): Promise<readonly WorldSuite[]> {
  const suites: WorldSuite[] = [];
  for (const world of worlds) suites.push(await suiteOfWorld(world));
  return suites;
}

/**
 * Journeys through pages, tabs, minutes, days and policies: every step of every small world in each of its states, with the goal
 * tests that no tour comes to. Each world is walked on the sandbox itself, so that whatever a user sees is expected.
 */
export async function journeyTours(): Promise<JourneySuite> {
  const suites = await worldSuites();
  const sum = (key: 'covered' | 'tests' | 'steps' | 'cost' | 'lowerBound' | 'gap') =>
    suites.reduce((total, { certificate }) => total + (certificate[key] ?? 0), 0);
  return {
    kind: 'journeys',
    title: 'Journeys transitions',
    journeys: [...suites.flatMap(({ journeys }) => journeys), ...openPromptGoals],
    certificate: {
      of: `transitions of ${suites.length} worlds, with ${openPromptGoals.length} goal tests besides`,
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

async function suiteOfWorld(world: SuiteWorld): Promise<WorldSuite> {
  const { tests, covered, cost, lowerBound } = tourOfWorld(
    await worldSteps(await WorldGraph.of(world, new StepBook())),
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
  const of = world.suffixes === 'each' ? 'transitions, each with the suffixes of where it leads' : 'transitions';
  const known = { of, covered, unreachable: [], tests: tests.length, steps, cost, lowerBound, gap: cost - lowerBound };
  return { world: world.name, journeys, certificate: { ...known, complete: true } };
}

/** A test in which nobody looks would show nothing. */
function showsSomething(step: object): boolean {
  return 'signIn' in step || 'getPolicy' in step || 'patchPolicy' in step;
}
