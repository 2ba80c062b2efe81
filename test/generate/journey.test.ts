import { describe, expect, it } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { expectedScenario, type Journey, toScenario } from '../../src/generate/journey.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { runSuite } from '../../src/scenario/run-suite.ts';

const fixtures = new FixtureLibrary(['fixtures']);

const threeSkips: Journey = {
  name: 'The fourth prompt is required',
  covers: ['R5', 'R6'],
  given: { tenant: 'app-enabled', users: { ada: 'sms-user' } },
  steps: [
    { signIn: { user: 'ada' } },
    { skip: {} },
    { signIn: { user: 'ada' } },
    { setUser: { user: 'ada', snooze: { count: 3, snoozedAtMs: null } } },
    { signIn: { user: 'ada' } },
    { skip: {} },
  ],
};

async function getFault(work: Promise<unknown>): Promise<NudgeLabError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof NudgeLabError) return error;
  throw new Error('It did not fail as expected.', { cause: error });
}

describe('journeys with expected results', () => {
  it('R5, R6: page, outcome, reason and nudge status of every step match the rules', async () => {
    const { steps } = await expectedScenario(threeSkips, fixtures);
    const nudgeStatus = { snoozes: 1, snoozesLeft: 2, nextPromptAt: '2026-01-06T09:00:00.000Z', state: 'snoozed' };
    const used = { snoozes: 3, snoozesLeft: 0 };
    const required = { page: 'required', ...used, state: 'registrationRequired' };
    expect(steps).toEqual([
      {
        signIn: { user: 'ada' },
        expect: {
          page: 'prompt',
          outcome: 'skippable',
          reason: null,
          snoozes: 0,
          snoozesLeft: 3,
          state: 'prompted',
        },
      },
      { skip: {}, expect: { page: 'signed-in', ...nudgeStatus } },
      {
        signIn: { user: 'ada' },
        expect: { page: 'not-nudged', visitedPages: [], outcome: 'none', reason: 'snoozed', ...nudgeStatus },
      },
      {
        setUser: { user: 'ada', snooze: { count: 3, snoozedAtMs: null } },
        expect: { ...used, nextPromptAt: null, state: 'notPrompted' },
      },
      { signIn: { user: 'ada' }, expect: { ...required, outcome: 'required', reason: null } },
      { skip: {}, expect: { ...required, status: 409 } },
    ]);
  });

  it('a scenario with expected results passes, and a changed expectation fails', async () => {
    const data = await expectedScenario(threeSkips, fixtures);
    const options = { workers: 1, bail: false, repeat: 1, coverage: true };
    const sound = await runSuite([toScenario(data, fixtures)], [new ModelDriver()], options);
    expect(sound.summary).toMatchObject({ passed: 1, failed: 0 });
    const [first, ...rest] = data.steps;
    const bent = { ...data, steps: [{ ...first, expect: { ...first?.expect, snoozes: 1 } }, ...rest] } as typeof data;
    const broken = await runSuite([toScenario(bent, fixtures)], [new ModelDriver()], options);
    expect(broken.summary).toMatchObject({ passed: 0, failed: 1 });
  });

  it('R7: an expiry is expected at the step that advances the clock, and a step without changes expects nothing', async () => {
    const steps = [{ signIn: { user: 'ada' } }, { advance: { minutes: 14 } }, { advance: { minutes: 1 } }];
    const { steps: seen } = await expectedScenario({ ...threeSkips, steps }, fixtures);
    expect(seen[1]).toEqual({ advance: { minutes: 14 } });
    expect(seen[2]?.expect).toEqual({
      snoozes: 1,
      snoozesLeft: 2,
      nextPromptAt: '2026-01-06T09:15:00.000Z',
      state: 'snoozed',
    });
  });

  it.each([
    ['an answer where no prompt is shown', [{ signIn: { user: 'ada' } }, { skip: {} }, { skipError: {} }], 3],
    ['a failure where nothing is set up', [{ signIn: { user: 'ada' } }, { skip: {} }, { failRegistration: {} }], 3],
  ])('journey-impossible: the error names the step of %s', async (_what, steps, number) => {
    const error = await getFault(expectedScenario({ ...threeSkips, steps }, fixtures));
    expect(error.code).toBe('journey-impossible');
    expect(error.problems[0]?.location).toMatch(new RegExp(`: step ${number} \\(`));
  });

  it('journey-impossible: a journey without observable results is rejected', async () => {
    const steps = [{ advance: { days: 1 } }];
    expect((await getFault(expectedScenario({ ...threeSkips, steps }, fixtures))).code).toBe('journey-impossible');
  });

  it.each([
    ['an answer before any sign-in', [{ skip: {} }], /step 1/],
    ['a user whom no one gave', [{ signIn: { user: 'ada' } }, { signIn: { user: 'bob' } }], /step 2/],
    [
      'a wrong value in a change of the tenant',
      [{ signIn: { user: 'ada' } }, { setTenant: { campaign: { state: 'off' } } }],
      /step 2\.setTenant\.campaign\.state/,
    ],
    ['a wrong word', [{ signIn: { user: 'ada', os: 'beos' } }], /step 1\.signIn\.os/],
  ])('scenario-invalid: the error names the step of %s', async (_what, steps, place) => {
    const error = await getFault(expectedScenario({ ...threeSkips, steps } as Journey, fixtures));
    expect(error.code).toBe('scenario-invalid');
    expect(error.problems[0]?.location).toMatch(place);
  });
});
