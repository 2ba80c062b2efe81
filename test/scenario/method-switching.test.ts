import { describe, expect, it } from 'vitest';
import { mfaMethods } from '../../machines/vocabulary.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';
import { runSuite, unsupportedSteps } from '../../src/scenario/run-suite.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { nonEmpty } from '../non-empty.ts';
import { setTestServer } from '../test-server.ts';

const options = { workers: 2, bail: false, repeat: 1, coverage: false };
const server = setTestServer({ default: {} });

function load(users: string, steps: string): readonly Scenario[] {
  const text = `name: A claim\ngiven:\n  tenant: app-enabled\n  users: ${users}\nsteps:\n${steps}`;
  const { scenarios, problems } = loadText('suite/one.yaml', text, new FixtureLibrary(['fixtures']));
  expect(problems).toEqual([]);
  return scenarios;
}

const holder = '{ ada: { methods: [sms, voice], passkeys: [{ type: security-key, deviceId: key-1 }] } }';

describe('otherWay of a sign-in', () => {
  it('R3: the selected method is the one that is evaluated, and the journal shows the previous method choice', async () => {
    const scenarios = load(holder, '  - signIn: { user: ada, otherWay: voice }\n    expect: { page: prompt }\n');
    const [scenario] = scenarios;
    if (scenario === undefined) throw new Error('no scenario');
    const driver = new ModelDriver();
    const session = await driver.open(scenario);
    for (const step of scenario.steps) await session.perform(step);
    const inputs = (await session.journal()) ?? [];
    const types = inputs.map(({ event }) => event.type);
    expect(types.slice(types.indexOf('password.accepted'))).toEqual([
      'password.accepted',
      'mfa.methodListOpened',
      'mfa.methodChosen',
      'mfa.completed',
    ]);
  });

  it.each([
    ['a method that the user does not hold', holder, '{ user: ada, otherWay: hardware-totp }', /sms, voice, passkey/],
    ['a user with one method', '{ ada: sms-user }', '{ user: ada, otherWay: sms }', /no second method/],
    ['a session that is signed in', holder, '{ user: ada, otherWay: voice, ssoSession: true }', /ssoSession/],
    ['a factor of another provider', holder, '{ user: ada, otherWay: voice, mfa: { provider: external } }', /provider/],
    ['no second factor', holder, '{ user: ada, otherWay: voice, mfa: { completed: false } }', /mfa\.completed/],
  ])(
    'driver-failed: %s is rejected before anything runs, with its location and the allowed values',
    async (_what, users, step, allowed) => {
      const scenarios = load(users, `  - signIn: ${step}\n    expect: { snoozes: 0 }\n`);
      expect(await unsupportedSteps(scenarios)).toMatchObject([
        { location: 'suite/one.yaml:6:13', message: expect.stringMatching(allowed) },
      ]);
      const driver = new HttpDriver({ controlUrl: server.controlUrl });
      const { results } = await runSuite(scenarios, [new ModelDriver(), driver], options);
      await driver.close();
      const messages = results.map(({ steps }) => steps[0]?.mismatches[0]?.message);
      expect(messages[0]).toMatch(allowed);
      expect(messages[1]).toBe(messages[0]);
    },
  );

  it.each([
    [
      'a passkey of a user without one',
      '{ ada: sms-user }',
      'passkey',
      '',
      /mfa\.method .* is not a method of the user; use one of sms\./,
    ],
    [
      'a voice call to a user of text messages',
      '{ ada: sms-user }',
      'voice',
      '',
      /mfa\.method .* is not a method of the user; use one of sms\./,
    ],
    ['a method of a user without any', '{ ada: { methods: [] } }', 'voice', '', /sms/],
    [
      'a passkey after all were removed',
      holder,
      'passkey',
      '  - removeMethod: { user: ada, method: fido2 }\n',
      /sms, voice/,
    ],
  ])(
    'driver-failed: %s is rejected as mfa.method before anything runs, on each driver',
    async (_what, users, method, before, allowed) => {
      const scenarios = load(
        users,
        `${before}  - signIn: { user: ada, mfa: { method: ${method} } }\n    expect: { snoozes: 0 }\n`,
      );
      const place = `suite/one.yaml:${before === '' ? 6 : 7}:13`;
      expect(await unsupportedSteps(scenarios)).toMatchObject([
        { location: place, message: expect.stringMatching(allowed) },
      ]);
      const driver = new HttpDriver({ controlUrl: server.controlUrl });
      const { results } = await runSuite(scenarios, [new ModelDriver(), driver], options);
      await driver.close();
      const messages = results.map(({ steps }) => steps.at(-1)?.mismatches[0]?.message);
      expect(messages[0]).toMatch(allowed);
      expect(messages[1]).toBe(messages[0]);
    },
  );

  it('a fact that no page requires need not be a method of the user', async () => {
    const scenarios = load(
      '{ ada: sms-user }',
      [
        '  - explain: { user: ada, mfa: { method: passkey } }\n    expect: { outcome: skippable }\n',
        '  - signIn: { user: ada, mfa: { method: voice, provider: external } }\n    expect: { reason: external-mfa }\n',
        '  - signIn: { user: ada, mfa: { method: null } }\n    expect: { page: prompt }\n',
      ].join(''),
    );
    expect(await unsupportedSteps(scenarios)).toEqual([]);
  });

  it('a filmstrip shows the screens that each driver visited, for every second factor', async () => {
    const scenarios = load(
      holder,
      [
        '  - signIn: { user: ada, mfa: { method: null } }\n    expect: { page: prompt }\n',
        '  - signIn: { user: ada, mfa: { method: passkey }, as: two }\n    expect: { page: prompt }\n',
        '  - signIn: { user: ada, otherWay: voice, as: three }\n    expect: { page: prompt }\n',
        '  - signIn: { user: ada, mfa: { provider: external }, as: four }\n    expect: { page: not-nudged }\n',
      ].join(''),
    );
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { results } = await runSuite(scenarios, [new ModelDriver(), driver], options);
    await driver.close();
    const screens = results.map(({ steps }) => steps.map(({ signInScreens: factors }) => factors?.join(' ')));
    expect(screens[0]).toEqual([
      'name password code',
      'name password passkey',
      'name password code choice code',
      'name password elsewhere',
    ]);
    expect(screens[1]).toEqual(screens[0]);
  });

  it('a removed method is rejected, and a method that a step registers can be selected', async () => {
    const removed = load(
      holder,
      '  - removeMethod: { user: ada, method: voice }\n  - signIn: { user: ada, otherWay: voice }\n    expect: { page: prompt }\n',
    );
    expect(await unsupportedSteps(removed)).toMatchObject([{ location: 'suite/one.yaml:7:13' }]);
    const registered = load(
      '{ ada: sms-user }',
      '  - signIn: { user: ada }\n  - register: {}\n  - signIn: { user: ada, otherWay: authenticator-push }\n    expect: { reason: already-registered }\n',
    );
    expect(await unsupportedSteps(registered)).toEqual([]);
  });

  it('scenario-invalid: an unknown method is rejected with its location and the allowed methods', () => {
    const text =
      'name: A claim\ngiven: { tenant: app-enabled, users: { ada: sms-user } }\nsteps:\n  - signIn: { user: ada, otherWay: fax }\n    expect: { page: prompt }\n';
    const { problems } = loadText('suite/one.yaml', text, new FixtureLibrary(['fixtures']));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.location).toMatch(/^suite\/one\.yaml:4:/);
    for (const method of nonEmpty(mfaMethods)) expect(problems[0]?.message).toContain(`"${method}"`);
  });
});
