import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../machines/vocabulary.ts';
import type { RunReport } from '../../src/contract/result.schema.ts';
import { type StepKind, stepKinds } from '../../src/contract/step-names.ts';
import type { Driver, DriverSession, Observation } from '../../src/scenario/driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';
import {
  type RunOptions,
  runSuite,
  selectScenarios,
  unsupportedSteps,
  withRefused,
} from '../../src/scenario/run-suite.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';

const fixtures = new FixtureLibrary(['fixtures']);
const plain: RunOptions = { workers: 2, bail: false, repeat: 1, coverage: true };

function load(steps: string, head = ''): readonly Scenario[] {
  const text = `name: A claim\n${head}given: { tenant: app-enabled, users: { ada: sms-user } }\nsteps:\n${steps}`;
  const { scenarios, problems } = loadText('suite/one.yaml', text, fixtures);
  expect(problems).toEqual([]);
  return scenarios;
}

async function run(
  scenarios: readonly Scenario[],
  driver: Driver = new ModelDriver(),
  options = plain,
): Promise<RunReport> {
  return runSuite(scenarios, [driver], options);
}

/** Returns a model driver whose observations or verdicts are altered. */
function bent(
  bend: Partial<{
    observation: (seen: Observation) => Observation;
    verdict: (given: Verdict | null) => Verdict | null;
  }>,
  can: readonly StepKind[] = stepKinds,
): Driver {
  const model = new ModelDriver();
  return {
    name: 'bent',
    can: new Set(can),
    open: async (scenario): Promise<DriverSession> => {
      const session = await model.open(scenario);
      return {
        perform: async (step) => (bend.observation ?? ((seen) => seen))(await session.perform(step)),
        verdict: async (id) => (bend.verdict ?? ((given) => given))(await session.verdict(id)),
        nudgeStatus: (id) => session.nudgeStatus(id),
        journal: () => session.journal(),
        close: () => session.close(),
      };
    },
    close: () => model.close(),
  };
}

const promptStep = '  - signIn: { user: ada }\n    expect: { page: prompt }\n';

describe('running scenarios', () => {
  it.each([
    '{ kind: token, fault: expired }',
    '{ kind: delay, endpoint: policy, delayMs: 5 }',
    '{ kind: server-error, endpoint: sign-in }',
    'busy-policy-api',
    '{ kind: connection-reset, endpoint: lookup }',
    '{ kind: lookup-delay, latency: { fixedMs: 5 } }',
    '{ kind: lookup-timeout }',
    '{ kind: lookup-connection-reset }',
  ])(
    'the fault %s is not possible on the model: the scenario is skipped with the reason, and runs on other drivers',
    async (fault) => {
      const given = `name: A claim\ngiven: { tenant: app-enabled, users: { ada: sms-user }, faults: [${fault}] }\nsteps:\n${promptStep}`;
      const later = load(`${promptStep}  - setFaults: [${fault}]\n`);
      const begun = loadText('suite/one.yaml', given, fixtures).scenarios;
      for (const scenarios of [begun, later]) {
        const { summary, results } = await run(scenarios);
        expect(summary).toMatchObject({ skipped: 1, failed: 0 });
        expect(results[0]?.message).toMatch(/^The model driver does not support the fault /);
        expect((await run(scenarios, bent({}))).summary).toMatchObject({ passed: 1 });
      }
    },
  );

  it.each(['{ kind: push-denied }', '{ kind: registration-fails }', '{ kind: lookup-server-error }'])(
    'the fault %s is possible on the model',
    async (fault) => {
      expect((await run(load(`${promptStep}  - setFaults: [${fault}]\n`))).summary).toMatchObject({ passed: 1 });
    },
  );

  it('a run without mismatches passes and reports the checks', async () => {
    const { summary, results } = await run(load(promptStep));
    expect(summary).toMatchObject({ passed: 1, failed: 0, skipped: 0 });
    expect(results[0]).toMatchObject({ status: 'passed', driver: 'model', steps: [{ kind: 'signIn', checked: 1 }] });
  });

  it('each step reports its final page, and a sign-in without a prompt reports the reason', async () => {
    const { results } = await run(
      load(`${promptStep}  - skip: {}\n  - advance: { hours: 1 }\n  - signIn: { user: ada }\n`),
    );
    expect(results[0]?.steps.map(({ page, reason }) => [page, reason])).toEqual([
      ['prompt', null],
      ['signed-in', undefined],
      [undefined, undefined],
      ['not-nudged', 'snoozed'],
    ]);
  });

  it('a wrong expectation fails with expected and actual values, the trace, and the command to repeat it', async () => {
    const { results } = await run(
      load('  - signIn: { user: ada, os: ios }\n    expect: { page: prompt, reason: null }\n'),
    );
    expect(results[0]).toMatchObject({
      status: 'failed',
      command: 'nudgelab run suite/one.yaml --driver model',
      steps: [
        {
          status: 'failed',
          reason: 'mobile-not-supported',
          mismatches: [
            { key: 'page', expected: 'prompt', actual: 'not-nudged' },
            { key: 'reason', expected: null, actual: 'mobile-not-supported' },
          ],
        },
      ],
    });
    expect(results[0]?.steps[0]?.rules?.map(({ id }) => id)).toContain('R10.4');
  });

  it.each([
    ['outcome: required', 'outcome'],
    ['snoozes: 1', 'snoozes'],
    ['snoozesLeft: 2', 'snoozesLeft'],
    ['state: snoozed', 'state'],
    ["nextPromptAt: '2026-01-06T09:00:00Z'", 'nextPromptAt'],
    ['status: 409', 'status'],
    ['warnings: [unknown-target]', 'warnings'],
  ])('a mismatched expectation fails: %s', async (wanted, key) => {
    const { results } = await run(load(`  - signIn: { user: ada }\n    expect: { ${wanted} }\n`));
    expect(results[0]?.steps[0]?.mismatches.map((mismatch) => mismatch.key)).toEqual([key]);
  });

  it('steps after a failed step are not run and are reported as such', async () => {
    const { results } = await run(load(`  - signIn: { user: ada }\n    expect: { page: required }\n${promptStep}`));
    expect(results[0]?.steps.map(({ status }) => status)).toEqual(['failed', 'not-run']);
  });

  it('a page that contradicts the verdict fails even without an expectation', async () => {
    const driver = bent({ observation: (seen) => ({ ...seen, outcome: 'required' }) });
    const { results } = await run(load(promptStep), driver);
    expect(results[0]?.steps[0]?.mismatches).toMatchObject([
      { key: 'agreement', expected: 'skippable', actual: 'required' },
    ]);
  });

  it('a verdict that contradicts the page fails', async () => {
    const driver = bent({ verdict: (given) => (given === null ? null : { ...given, outcome: 'none' }) });
    const { results } = await run(load(promptStep), driver);
    expect(results[0]?.steps[0]?.mismatches[0]?.key).toBe('agreement');
  });

  it('a step that the driver does not support skips the scenario with the reason', async () => {
    const { summary, results } = await run(load(promptStep), bent({}, ['explain']));
    expect(summary).toMatchObject({ passed: 0, skipped: 1 });
    expect(results[0]?.message).toContain('does not support signIn');
  });

  it('the timeout of a scenario is multiplied by the factor of its driver', async () => {
    const [scenario] = load(promptStep, 'timeoutMs: 20\n');
    if (scenario === undefined) throw new RangeError('There is one.');
    const never: Driver = { ...bent({}), open: () => new Promise(() => undefined) };
    const getMessage = async (driver: Driver) => (await run([scenario], driver)).results[0]?.message;
    expect(await getMessage(never)).toBe('The scenario took longer than 20 ms.');
    expect(await getMessage({ ...never, timeoutFactor: 3 })).toBe('The scenario took longer than 60 ms.');
  });

  it('a driver that throws fails the scenario but not the run', async () => {
    const driver: Driver = { ...bent({}), open: () => Promise.reject(new Error('no such server')) };
    const { results } = await run([...load(promptStep), ...load(promptStep)], driver);
    expect(results.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(results[0]?.message).toContain('no such server');
  });

  it('a session that cannot be closed fails its scenario but not the run', async () => {
    const model = bent({});
    const driver: Driver = {
      ...model,
      open: async (scenario) => ({ ...(await model.open(scenario)), close: () => Promise.reject(new Error('stuck')) }),
    };
    const { results } = await run([...load(promptStep), ...load(promptStep)], driver);
    expect(results.map(({ message }) => message)).toEqual(new Array(2).fill('The bent driver failed: stuck'));
  });

  it('the timeout of the scenario stops a driver that hangs', async () => {
    const hanging = bent({});
    const driver: Driver = { ...hanging, open: () => Promise.withResolvers<DriverSession>().promise };
    const { results } = await run(load(promptStep, 'timeoutMs: 20\n'), driver);
    expect(results[0]).toMatchObject({ status: 'failed', message: 'The scenario took longer than 20 ms.' });
  });

  it('a claimed rule that the run does not confirm fails the file', async () => {
    const { results } = await run(load(promptStep, 'covers: [R1, R11.7]\n'));
    expect(results[0]).toMatchObject({ status: 'failed', unconfirmedClaims: ['R11.7'] });
  });

  it('a stopped gate does not confirm its rule if another gate stopped first', async () => {
    const steps = '  - signIn: { user: ada, os: ios, termsOfUse: true }\n    expect: { reason: terms-of-use }\n';
    const { results } = await run(load(steps, 'covers: [R13.4, R10.4]\n'));
    expect(results[0]).toMatchObject({ status: 'failed', unconfirmedClaims: ['R10.4'] });
  });

  it('an assumption that cannot be observed is listed as claimed', async () => {
    const { results, coverage } = await run(load(promptStep, 'covers: [A51]\n'));
    expect(results[0]?.status).toBe('passed');
    expect(coverage.assumptions.find(({ id }) => id === 'A51')?.state).toBe('claimedOnly');
    expect(coverage.assumptions.find(({ id }) => id === 'A1')?.state).toBe('uncovered');
  });

  it('coverage counts every met gate, and a stopped gate only if it was the primary reason', async () => {
    const steps = `${promptStep}  - signIn: { user: ada, os: ios, customControls: true }\n    expect: { page: not-nudged }\n`;
    const { coverage } = await run(load(steps));
    const of = (id: string): unknown => coverage.rules.find((rule) => rule.id === id);
    expect(of('R13.5')).toMatchObject({ met: 1, stopped: 1 });
    expect(of('R10.4')).toMatchObject({ met: 1, stopped: 0 });
    expect(of('R11.5')).toMatchObject({ met: 0, stopped: 0, notApplicable: 2 });
  });

  it('the expected nudge status is that of the user of the current prompt, not of the latest user', async () => {
    const text = `name: Two users
given: { tenant: app-enabled, users: { ada: sms-user, ben: sms-user } }
steps:
  - signIn: { user: ada }
  - signIn: { user: ben }
  - skip: { prompt: ada }
    expect: { snoozes: 1, state: snoozed }
  - advance: { minutes: 1 }
    expect: { snoozes: 1 }
  - skip: {}
    expect: { snoozes: 1 }
  - skip: { prompt: ben }
    expect: { snoozes: 1, state: snoozed }
`;
    const { scenarios } = loadText('suite/one.yaml', text, fixtures);
    expect((await run(scenarios)).results[0]?.steps.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  });

  it('a gate that is not applicable confirms its rule, but not if it belongs to the other method', async () => {
    const text = `name: Restricted profiles do not matter while the campaign is enabled
covers: [R11.7]
given: { tenant: passkey-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
`;
    const { scenarios } = loadText('suite/one.yaml', text, fixtures);
    expect((await run(scenarios)).results[0]).toMatchObject({ status: 'passed', unconfirmedClaims: [] });
  });

  it('a rejected scenario is reported as failed, with the reason and without steps', async () => {
    const bad = load('  - signIn: { user: ada, os: ios }\n  - skip: {}\n    expect: { status: 200 }\n');
    const good = load(promptStep).map((scenario) => ({ ...scenario, id: 'suite/two.yaml' }));
    const impossible = await unsupportedSteps([...bad, ...good]);
    const report = withRefused(await run(good), [...bad, ...good], impossible, ['model']);
    expect(report.summary).toMatchObject({ passed: 1, failed: 1 });
    expect(report.results[0]).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('suite/one.yaml:5:'),
    });
    expect(report.results[0]?.steps.map(({ status }) => status)).toEqual(['not-run', 'not-run']);
  });

  it('a step for an API that this driver does not support skips the scenario', async () => {
    const narrow = Object.assign(new ModelDriver(), { can: new Set(['signIn']) });
    const { results } = await run(load(`${promptStep}  - document: { list: {} }\n`), narrow);
    expect(results[0]).toMatchObject({ status: 'skipped', message: 'The model driver does not support document.' });
  });

  it('an impossible step is reported before anything runs, with its location', async () => {
    const steps = '  - signIn: { user: ada, os: ios }\n    expect: { page: not-nudged }\n  - skip: {}\n';
    expect(await unsupportedSteps(load(steps))).toMatchObject([{ location: 'suite/one.yaml:6:11' }]);
    expect(await unsupportedSteps(load(promptStep))).toEqual([]);
  });

  it('a wrong expectation before an impossible step is only found by the run', async () => {
    const steps = '  - signIn: { user: ada, os: ios }\n    expect: { page: prompt }\n  - skip: {}\n';
    expect(await unsupportedSteps(load(steps))).toEqual([]);
  });

  it('bail stops the run at the first failure, and repeat runs each scenario the given number of times', async () => {
    const wrong = load('  - signIn: { user: ada }\n    expect: { page: required }\n');
    const bailed = await run([...wrong, ...load(promptStep)], new ModelDriver(), { ...plain, bail: true });
    expect(bailed.summary).toMatchObject({ passed: 0, failed: 1 });
    expect((await run(load(promptStep), new ModelDriver(), { ...plain, repeat: 3 })).summary.passed).toBe(3);
  });

  it('every scenario belongs to exactly one shard', () => {
    const scenarios = Array.from(
      { length: 11 },
      (_, index) => ({ ...load(promptStep)[0], id: String(index) }) as Scenario,
    );
    const parts = [1, 2, 3, 4].map((index) => selectScenarios(scenarios, { shard: { index, count: 4 } }));
    expect(
      parts
        .flat()
        .map(({ id }) => Number(id))
        .sort((a, b) => a - b),
    ).toEqual(scenarios.map((_, index) => index));
  });

  it('shard 2 of 3 contains the second, the fifth and every third scenario after them', () => {
    const scenarios = Array.from(
      { length: 8 },
      (_, index) => ({ ...load(promptStep)[0], id: String(index) }) as Scenario,
    );
    const listIds = (index: number) => selectScenarios(scenarios, { shard: { index, count: 3 } }).map(({ id }) => id);
    expect([listIds(1), listIds(2), listIds(3)]).toEqual([
      ['0', '3', '6'],
      ['1', '4', '7'],
      ['2', '5'],
    ]);
  });

  it('bail stops the run before the next driver', async () => {
    const wrong = load('  - signIn: { user: ada }\n    expect: { page: required }\n');
    const { results } = await runSuite(wrong, [new ModelDriver(), bent({})], { ...plain, bail: true });
    expect(results.map(({ driver, status }) => [driver, status])).toEqual([['model', 'failed']]);
    const all = await runSuite(wrong, [new ModelDriver(), bent({})], plain);
    expect(all.results.map(({ driver }) => driver)).toEqual(['model', 'bent']);
  });

  it('R1: each driver has to confirm the claims of a scenario; results of another driver do not count', async () => {
    const scenarios = load(promptStep, 'covers: [R1]\n');
    const silent = bent({ verdict: () => null });
    const { results } = await runSuite(scenarios, [new ModelDriver(), silent], plain);
    expect(results.map(({ driver, status, unconfirmedClaims }) => [driver, status, unconfirmedClaims])).toEqual([
      ['model', 'passed', []],
      ['bent', 'failed', ['R1']],
    ]);
  });

  it('R9: if some rows were not run, the claims of the whole file are not checked', async () => {
    const text = `name: Left open for some minutes
covers: [R9]
given: { tenant: app-enabled, users: { ada: sms-user } }
examples:
  - { minutes: 14 }
  - { minutes: 14 }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
  - advance: { minutes: '\${minutes}' }
`;
    const { scenarios, problems } = loadText('suite/one.yaml', text, fixtures);
    expect(problems).toEqual([]);
    const whole = await run(scenarios);
    expect(whole.results.map(({ status, unconfirmedClaims }) => [status, unconfirmedClaims])).toEqual([
      ['passed', []],
      ['failed', ['R9']],
    ]);
    let done = 0;
    const onResult = () => {
      done += 1;
    };
    const ended = await run(scenarios, new ModelDriver(), { ...plain, onResult, isCancelled: () => done > 0 });
    expect(ended.results.map(({ id, status }) => [id, status])).toEqual([['suite/one.yaml#1', 'passed']]);
  });

  it('R9: a single row does not have to confirm the claims of the whole file, however often it runs', async () => {
    const rows = 'covers: [R9]\nexamples:\n  - { os: windows }\n  - { os: macos }\n';
    const scenarios = load("  - signIn: { user: ada, os: '\u0024{os}' }\n    expect: { page: prompt }\n", rows);
    const [row] = scenarios;
    if (row === undefined) throw new RangeError('There is one.');
    const twice = { ...plain, repeat: 2 };
    expect((await run([row], new ModelDriver(), twice)).summary).toMatchObject({ passed: 2, failed: 0 });
    expect((await run(scenarios, new ModelDriver(), twice)).summary).toMatchObject({ passed: 2, failed: 2 });
  });

  it('two runs of the same scenario produce the same steps and verdicts', async () => {
    const strip = ({ results }: RunReport): unknown => results.map(({ durationMs: _, ...rest }) => rest);
    const scenarios = load(`${promptStep}  - skip: {}\n    expect: { snoozes: 1 }\n`);
    expect(strip(await run(scenarios))).toEqual(strip(await run(scenarios)));
  });
});
