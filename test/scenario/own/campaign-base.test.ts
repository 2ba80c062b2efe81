import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import { runScenario } from '../../../src/scenario/run-scenario.ts';
import { shippedFixturesFolder } from '../../../src/scenario/shipped.ts';

const fixtures = new FixtureLibrary([shippedFixturesFolder]);

/** Runs a scenario of a ruleset file over `seed` on the model. Returns the failures of its steps. */
async function run(rules: string, steps: readonly string[], clock = '2026-01-05T09:00:00Z'): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-campaign-'));
  writeFileSync(
    join(folder, 'a.ruleset.yaml'),
    `ruleset: from-${folder.slice(-6).toLowerCase()}\nversion: 1.0.0\nformat: 1\ntitle: A\nbase: seed\n${rules}\n`,
  );
  writeFileSync(
    join(folder, 'a.yaml'),
    `name: A\nruleset: ./a.ruleset.yaml\nclock: '${clock}'\ngiven: { tenant: app-enabled, users: { ada: sms-user, ben: { extends: sms-user, groups: [staff] }, eve: { extends: sms-user, groups: [out] } } }\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`,
  );
  const { scenarios, problems } = loadScenarios([join(folder, 'a.yaml')], fixtures, folder);
  expect(problems).toEqual([]);
  const [scenario] = scenarios;
  if (scenario === undefined) throw new RangeError('No scenario was loaded.');
  const { status, steps: results } = await runScenario(scenario, new ModelDriver(), null);
  return status === 'passed' ? [] : results;
}

const duty = 'requirement: { required: { fact: user.groups, has: staff }, blocked: { fact: user.groups, has: out } }';

test('OC23 a demanded prompt has no skip, whatever the limit, and neither closing nor expiry counts', async () => {
  expect(
    await run(duty, [
      '{ signIn: { user: ben }, expect: { page: required, outcome: required, snoozes: 0 } }',
      '{ skip: {}, expect: { page: required, snoozes: 0 } }',
      '{ advance: { minutes: 20 } }',
      '{ signIn: { user: ben }, expect: { page: required, snoozes: 0 } }',
      '{ closeBrowser: {} }',
      '{ signIn: { user: ben }, expect: { page: required, snoozes: 0 } }',
      '{ register: {}, expect: { state: registered } }',
    ]),
  ).toEqual([]);
});

test('OC30 a blocked sign-in ends on its page, and opens no prompt', async () => {
  expect(
    await run(duty, [
      '{ signIn: { user: eve }, expect: { page: blocked, outcome: blocked, reason: null, state: notPrompted } }',
      '{ signIn: { user: ada }, expect: { outcome: skippable } }',
    ]),
  ).toEqual([]);
});

test('OC57 an answer takes the edition of its own time: a prompt loses its skip while it is open', async () => {
  const rules = 'editions: [{ from: 2026-01-05T09:05:00Z, set: { requirement: { required: { all: [] } } } }]';
  expect(
    await run(rules, [
      '{ signIn: { user: ada }, expect: { page: prompt, outcome: skippable } }',
      '{ advance: { minutes: 6 } }',
      '{ skip: {}, expect: { page: required, snoozes: 0 } }',
    ]),
  ).toEqual([]);
});

test('OC57 expiry takes the edition of its own time, not that of the next event', async () => {
  const later = (from: string) => `editions: [{ from: ${from}, set: { requirement: { required: { all: [] } } } }]`;
  const steps = (expected: string) => [
    '{ signIn: { user: ada }, expect: { page: prompt } }',
    '{ advance: { hours: 2 } }',
    `{ signIn: { user: ada }, expect: { ${expected} } }`,
  ];
  // The prompt expires at 09:15. Before the edition it counts, and afterwards it does not.
  expect(await run(later('2026-01-05T09:16:00Z'), steps('reason: snoozed, snoozes: 1'))).toEqual([]);
  expect(await run(later('2026-01-05T09:15:00Z'), steps('outcome: required, snoozes: 0'))).toEqual([]);
});

test('A7 a stored snooze is measured by the edition of the verdict', async () => {
  const rules = 'editions: [{ from: 2026-01-06, set: { campaign: [{ set: { snoozeDays: 3 } }] } }]';
  expect(
    await run(rules, [
      '{ signIn: { user: ada } }',
      '{ skip: {}, expect: { state: snoozed, nextPromptAt: "2026-01-06T09:00:00.000Z" } }',
      '{ advance: { days: 1 } }',
      '{ signIn: { user: ada }, expect: { reason: snoozed, nextPromptAt: "2026-01-08T09:00:00.000Z" } }',
      '{ setClock: "2026-01-05T23:00:00Z" }',
      '{ explain: { user: ada }, expect: { reason: snoozed } }',
      '{ setClock: "2026-01-08T09:00:00Z" }',
      '{ signIn: { user: ada }, expect: { outcome: skippable } }',
    ]),
  ).toEqual([]);
});

test('OC18 a second factor that is not offered is replaced by another one, or by none', async () => {
  const rules = 'factors: { unusable: [{ methods: [sms] }] }';
  expect(
    await run(rules, [
      '{ signIn: { user: ada }, expect: { outcome: none, reason: mfa-not-completed } }',
      '{ setUser: { user: ada, methods: [sms, authenticator-totp] } }',
      '{ signIn: { user: ada }, expect: { outcome: skippable } }',
    ]),
  ).toEqual([]);
});
