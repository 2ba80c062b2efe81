import { describe, expect, test } from 'vitest';
import type { ScenarioGiven, WrittenStep } from '../../../src/contract/scenario.schema.ts';
import { compareJourney } from '../../../src/generate/fuzz/compare-journey.ts';
import { possibleJourney } from '../../../src/generate/fuzz/model-walk.ts';
import { shrinkScenario } from '../../../src/generate/fuzz/shrink-scenario.ts';
import type { ExpectedStep, ScenarioData } from '../../../src/generate/journey.ts';
import { modelMutants } from '../../../src/generate/mutate/model-mutants.ts';
import { SandboxModel } from '../../../src/sandbox/sandbox.ts';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';

const fixtures = new FixtureLibrary(['fixtures']);
const options = { triesMax: 500, canContinue: () => true };
const given: ScenarioGiven = { tenant: 'app-enabled', users: { ada: 'sms-user' } };

function scenario(...steps: readonly ExpectedStep[]): ScenarioData {
  return { name: 'failing', covers: [], given, steps };
}

const signIn: WrittenStep = { signIn: { user: 'ada' } };
const day: WrittenStep = { advance: { days: 1 } };
const skip: WrittenStep = { skip: {} };

describe('shrinking', () => {
  test('shrink: a failure on the model becomes the shortest scenario that fails in the same way', async () => {
    const long = scenario(
      signIn,
      { next: {} },
      { failRegistration: {} },
      { skipError: {} },
      day,
      signIn,
      skip,
      day,
      signIn,
      {
        ...skip,
        expect: { snoozes: 1 },
      },
    );
    const shrunk = await shrinkScenario(long, new ModelDriver(), fixtures, options);
    expect(shrunk).toMatchObject({ against: 'expectation', isShortest: true });
    // A count of two requires at least two snoozes, and thus two sign-ins with a day between them.
    expect(shrunk?.difference.scenario.steps).toHaveLength(4);
    expect(shrunk?.difference.mismatches).toMatchObject([{ key: 'snoozes', expected: 1, actual: 2 }]);
  });

  test('shrink: a scenario that passes is not shrunk', async () => {
    const passing = scenario(signIn, { ...skip, expect: { page: 'signed-in' } });
    expect(await shrinkScenario(passing, new ModelDriver(), fixtures, options)).toBeNull();
  });

  test('shrink: a scenario with several users is shrunk by removing steps', async () => {
    const bea: WrittenStep = { signIn: { user: 'bea', as: 'bea' } };
    const long: ScenarioData = {
      ...scenario(signIn, bea, { skip: { prompt: 'ada' } }, day, signIn, {
        skip: { prompt: 'ada' },
        expect: { page: 'prompt' },
      }),
      given: { tenant: 'app-enabled', users: { ada: 'sms-user', bea: 'sms-user' } },
    };
    const shrunk = await shrinkScenario(long, new ModelDriver(), fixtures, options);
    expect(shrunk?.difference.scenario.steps).toEqual([
      signIn,
      { skip: { prompt: 'ada' }, expect: { page: 'prompt' } },
    ]);
    expect(shrunk).toMatchObject({ isShortest: false, isMinimal: true });
  });

  test('shrink: a difference of another system is shrunk until no step can be removed', async () => {
    const mutant = modelMutants().find(({ id }) => id === 'nudge action countSkip: count is raised twice');
    const driver = new ModelDriver(new SandboxModel(mutant?.parts));
    const long = scenario(
      day,
      signIn,
      { next: {} },
      { failRegistration: {} },
      { skipError: {} },
      day,
      signIn,
      { closeBrowser: {} },
      day,
      signIn,
      skip,
    );
    const shrunk = await shrinkScenario(long, driver, fixtures, options);
    expect(shrunk).toMatchObject({ against: 'model', isMinimal: true });
    expect(shrunk?.difference.scenario.steps.map((step) => Object.keys(step)[0])).toEqual(['signIn', 'skip']);
    const again = await compareJourney(shrunk?.difference.scenario as ScenarioData, driver, fixtures);
    expect(again?.step).toBe(2);
  });

  test('shrink: steps that are no longer possible are removed together with the others', async () => {
    const journey = {
      name: 'left',
      covers: [],
      given,
      steps: [skip, { next: { prompt: 'other' } }, signIn, skip, skip] as WrittenStep[],
    };
    expect((await possibleJourney(journey, fixtures)).steps).toEqual([signIn, skip, skip]);
  });
});
