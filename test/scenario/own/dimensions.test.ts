import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ModelDriver } from '../../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import { runScenario } from '../../../src/scenario/run-scenario.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';
import { shippedFixturesFolder } from '../../../src/scenario/shipped.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from '../rulesets/ruleset-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-own-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fixtures = new FixtureLibrary([]);

/** Runs steps for the user `ada` under a ruleset with other lines. Returns the mismatches of the first failed step. */
async function run(changes: Readonly<Record<string, string>>, steps: readonly string[]): Promise<readonly unknown[]> {
  writeFileSync(join(folder, 'a.ruleset.yaml'), rulesetText(changes));
  const head = 'name: A row\nruleset: ./a.ruleset.yaml\ngiven: { users: { ada: {}, ben: {} } }\nsteps:\n';
  writeFileSync(join(folder, 'a.yaml'), `${head}${steps.map((step) => `  - ${step}\n`).join('')}`);
  const { scenarios, problems } = loadScenarios([join(folder, 'a.yaml')], fixtures, folder);
  expect(problems).toEqual([]);
  const [scenario] = nonEmpty(scenarios);
  if (scenario === undefined) return [];
  const result = await runScenario(scenario, new ModelDriver(), null);
  return result.steps.flatMap(({ mismatches }) => mismatches);
}

const prompted = '{ signIn: { user: ada }, expect: { outcome: skippable } }';
const required = '{ signIn: { user: ada }, expect: { outcome: required } }';
const stops = (reason: string): string => `{ signIn: { user: ada }, expect: { outcome: none, reason: ${reason} } }`;
const skip = '{ skip: {} }';
const limit = (then: string, after: string): string =>
  `limit: { of: 1, counts: snoozes, then: ${then}, after: ${after} }`;

/** Rows by the id of the requirement: lines of the ruleset, and the steps with what the requirement says. */
const rows: readonly (readonly [id: string, changes: Readonly<Record<string, string>>, steps: readonly string[]])[] = [
  ['OC26 everySignIn prompts every time', {}, [prompted, skip, prompted]],
  [
    'OC26 a fixed cadence is inclusive',
    { cadence: 'cadence: { kind: fixed, every: 2d }' },
    [prompted, skip, '{ advance: { ms: 172799999 } }', stops('snoozed'), '{ advance: { ms: 1 } }', prompted],
  ],
  [
    'OC26 an exclusive boundary waits one millisecond more',
    { cadence: 'cadence: { kind: fixed, every: 2d, boundary: exclusive }' },
    [prompted, skip, '{ advance: { days: 2 } }', stops('snoozed'), '{ advance: { ms: 1 } }', prompted],
  ],
  [
    'OC26 a growing cadence keeps its last duration',
    { cadence: 'cadence: { kind: growing, durations: [1d, 3d] }' },
    [
      prompted,
      skip,
      '{ advance: { days: 1 } }',
      prompted,
      skip,
      '{ advance: { days: 2 } }',
      stops('snoozed'),
      '{ advance: { days: 1 } }',
      prompted,
      skip,
      '{ advance: { days: 3 } }',
      prompted,
    ],
  ],
  [
    'OC26 every third sign-in after the answer',
    { cadence: 'cadence: { kind: signIns, signIns: 3 }' },
    [prompted, skip, stops('snoozed'), stops('snoozed'), prompted],
  ],
  [
    'OC26 once a day in a time zone',
    { cadence: 'cadence: { kind: daily, zone: Europe/Berlin }' },
    [
      "{ setClock: '2026-01-05T22:30:00Z' }",
      prompted,
      skip,
      "{ setClock: '2026-01-05T22:59:59.999Z' }",
      stops('snoozed'),
      "{ setClock: '2026-01-05T23:00:00Z' }",
      prompted,
    ],
  ],
  ['OC26 once only', { cadence: 'cadence: { kind: once }' }, [prompted, stops('already-shown')]],
  [
    'OC26 from the first showing',
    { cadence: 'cadence: { kind: fixed, every: 1d, anchor: firstShown }' },
    [prompted, stops('already-shown'), '{ advance: { days: 1 } }', prompted, prompted],
  ],
  [
    'OC26 a calendar day keeps the local time across a clock change',
    { cadence: 'cadence: { kind: fixed, every: 1d, measure: calendar, zone: Europe/Berlin }' },
    [
      "{ setClock: '2026-03-28T11:00:00Z' }",
      prompted,
      skip,
      "{ setClock: '2026-03-29T09:59:59.999Z' }",
      stops('snoozed'),
      "{ setClock: '2026-03-29T10:00:00Z' }",
      prompted,
    ],
  ],
  [
    'OC17 a month ends on the last day of a shorter one',
    { cadence: 'cadence: { kind: fixed, every: 1mo }' },
    [
      "{ setClock: '2026-01-31T09:00:00Z' }",
      prompted,
      "{ skip: {}, expect: { nextPromptAt: '2026-02-28T09:00:00Z' } }",
    ],
  ],
  [
    'OC18 a setting takes effect on the stored time (A7)',
    { cadence: 'cadence: { kind: fixed, every: { setting: window } }' },
    [
      prompted,
      skip,
      '{ advance: { days: 1 } }',
      stops('snoozed'),
      '{ setTenant: { settings: { window: 1d } } }',
      prompted,
    ],
  ],
  [
    'OC24 an answer has its own duration',
    {
      answers: 'answers: { later: { effect: snooze }, tomorrow: { effect: snooze, for: 1d } }',
      cadence: 'cadence: { kind: fixed, every: 7d }',
    },
    [
      prompted,
      '{ skip: { answer: tomorrow } }',
      '{ advance: { days: 1 } }',
      prompted,
      '{ skip: { answer: later } }',
      '{ advance: { days: 1 } }',
      stops('snoozed'),
    ],
  ],
  [
    'OC24 never holds for good and session for the session',
    { answers: 'answers: { never: { effect: never }, session: { effect: session } }' },
    [
      prompted,
      '{ skip: { answer: session } }',
      '{ signIn: { user: ada, session: same }, expect: { reason: answered-this-session } }',
      prompted,
      '{ skip: { answer: never } }',
      stops('answered-never'),
    ],
  ],
  [
    'OC24 choosing to set up can count as an answer',
    { answers: 'answers: { skip: {}, next: { effect: snooze } }', cadence: 'cadence: { kind: fixed, every: 1d }' },
    [prompted, '{ next: {} }', '{ signIn: { user: ada, as: other }, expect: { reason: snoozed, snoozes: 1 } }'],
  ],
  [
    'OC24, A41 a setup that counts as an answer counts once',
    {
      answers: 'answers: { skip: {}, next: { effect: snooze } }',
      cadence: 'cadence: { kind: fixed, every: 1d }',
      failure: 'failure: { stores: snooze }',
    },
    [
      ...[prompted, '{ next: {} }', '{ closeBrowser: {} }', '{ advance: { days: 1 } }'],
      '{ signIn: { user: ada }, expect: { outcome: skippable, snoozes: 1 } }',
      ...['{ next: {}, expect: { snoozes: 2 } }', '{ advance: { days: 1 } }'],
      '{ signIn: { user: ada }, expect: { outcome: skippable, snoozes: 2 } }',
      ...['{ next: {} }', '{ failRegistration: {} }', '{ skipError: {}, expect: { snoozes: 3 } }'],
    ],
  ],
  [
    'OC24 a required prompt refuses answers unless they are offered',
    {
      requirement: 'requirement: { required: { all: [] } }',
      answers: 'answers: { skip: {}, help: { effect: nothing, whenRequired: offered } }',
    },
    [
      '{ signIn: { user: ada }, expect: { outcome: required, answers: [help] } }',
      '{ skip: { answer: skip }, expect: { status: 409, page: required, snoozes: 0 } }',
      '{ skip: { answer: help }, expect: { status: 200 } }',
    ],
  ],
  [
    'OC22 a limit waits for the last snooze',
    { limit: limit('required', 'wait'), cadence: 'cadence: { kind: fixed, every: 1d }' },
    [
      prompted,
      '{ skip: {}, expect: { snoozes: 1, snoozesLeft: 0 } }',
      stops('snoozed'),
      '{ advance: { days: 1 } }',
      required,
      '{ skip: {}, expect: { status: 409 } }',
    ],
  ],
  [
    'OC22 a limit can apply at once, and can refuse the sign-in',
    { limit: limit('blocked', 'now'), cadence: 'cadence: { kind: fixed, every: 1d }' },
    [prompted, skip, '{ signIn: { user: ada }, expect: { outcome: blocked, page: blocked } }'],
  ],
  ['OC22 a limit can end the campaign', { limit: limit('never', 'wait') }, [prompted, skip, stops('limit-reached')]],
  [
    'OC23 a duty ignores earlier answers',
    {
      answers: 'answers: { never: { effect: never } }',
      requirement: 'requirement: { required: { fact: user.facts.level, atLeast: 1 } }',
    },
    [
      prompted,
      '{ skip: { answer: never } }',
      stops('answered-never'),
      '{ setUser: { user: ada, facts: { level: 1 } } }',
      required,
    ],
  ],
  [
    'OC27 at the end itself the deadline is over',
    { deadline: 'deadline: { ends: [{ at: { fact: user.facts.endsAt } }] }' },
    [
      "{ setUser: { user: ada, facts: { endsAt: '2026-01-06T09:00:00Z' } } }",
      "{ signIn: { user: ada }, expect: { outcome: skippable, deadlineAt: '2026-01-06T09:00:00Z' } }",
      "{ setClock: '2026-01-06T08:59:59.999Z' }",
      prompted,
      "{ setClock: '2026-01-06T09:00:00Z' }",
      required,
    ],
  ],
  [
    'OC27 the campaign opens before the end, the later end counts, and a block follows',
    {
      deadline:
        "deadline: { ends: [{ at: '2026-02-01' }, { at: '2026-03-01' }], choose: latest, opens: 10d, then: blocked }",
    },
    [
      stops('not-yet-open'),
      "{ setClock: '2026-02-19' }",
      prompted,
      "{ setClock: '2026-03-01' }",
      '{ signIn: { user: ada }, expect: { outcome: blocked } }',
    ],
  ],
  [
    'OC27 the period begins with the first showing',
    { deadline: 'deadline: { ends: [{ after: 48h, since: firstShown }], before: skippable }' },
    [
      "{ signIn: { user: ada }, expect: { outcome: skippable, deadlineAt: '2026-01-07T09:00:00Z' } }",
      '{ advance: { hours: 48 } }',
      required,
    ],
  ],
  [
    'OC27 calendar days are compared',
    { deadline: "deadline: { ends: [{ at: '2026-01-06T15:00:00Z' }], measure: date, then: none }" },
    [prompted, "{ setClock: '2026-01-06T00:00:00Z' }", stops('closed')],
  ],
  [
    'OC28 the share is drawn by FNV-1a of salt and unit, and grows by steps',
    { rollout: "rollout: { salt: null, steps: [{ from: '2026-01-06', percent: 100 }] }" },
    [stops('not-rolled-out'), "{ setClock: '2026-01-06' }", prompted],
  ],
  [
    'OC29 the error screen can store a snooze or be refused',
    { failure: 'failure: { stores: snooze }', cadence: 'cadence: { kind: fixed, every: 1d }' },
    [
      prompted,
      '{ failRegistration: {} }',
      '{ skipError: {}, expect: { page: signed-in, snoozes: 1 } }',
      stops('snoozed'),
    ],
  ],
  [
    'OC29 a fact that rises clears the answers',
    {
      answers: 'answers: { never: { effect: never } }',
      resets: 'resets: [{ on: { newVersion: user.facts.level }, clears: [never] }]',
    },
    [
      prompted,
      '{ skip: { answer: never } }',
      stops('answered-never'),
      '{ setUser: { user: ada, facts: { level: 2 } } }',
      prompted,
    ],
  ],
  [
    'OC29 clearing the browser ends what was stored for the browser alone',
    { ledger: 'ledger: { keys: [[browser]] }', answers: 'answers: { never: { effect: never } }' },
    [prompted, '{ skip: { answer: never } }', stops('answered-never'), '{ clearBrowser: { user: ada } }', prompted],
  ],
  [
    'OC30 closing the page is counted at the next sign-in, once (A41)',
    { cadence: 'cadence: { kind: fixed, every: 1d }' },
    [prompted, '{ closeBrowser: {} }', '{ signIn: { user: ada }, expect: { reason: snoozed, snoozes: 1 } }'],
  ],
  [
    'OC30 an unanswered prompt expires at its lifetime (A40)',
    { lifetime: 'lifetime: 10m', cadence: 'cadence: { kind: fixed, every: 1d }' },
    [
      prompted,
      '{ abandon: {} }',
      '{ advance: { minutes: 10 } }',
      "{ explain: { user: ada }, expect: { reason: snoozed, nextPromptAt: '2026-01-06T09:10:00Z' } }",
      '{ skip: {}, expect: { page: signed-in, status: 200, snoozes: 1 } }',
    ],
  ],
  [
    'OC30 registering in one tab resolves the other (A27)',
    {},
    [
      '{ signIn: { user: ada, as: one } }',
      '{ signIn: { user: ada, as: two } }',
      '{ register: { prompt: one } }',
      '{ skip: { prompt: two }, expect: { page: signed-in, snoozes: 0 } }',
    ],
  ],
  [
    'OC3 a passkey suppresses where the matrix says so',
    { matrix: 'matrix: { keychain: { ios: 1, mac-other: 1, windows-chrome: 0 } }' },
    [
      '{ signIn: { user: ada, os: ios } }',
      '{ register: {} }',
      '{ signIn: { user: ada, os: ios }, expect: { reason: already-done } }',
      prompted,
    ],
  ],
  [
    'OC57 an edition is in force from its date, and the ledger outlives it',
    {
      cadence: 'cadence: { kind: fixed, every: 30d }',
      editions:
        "editions: [{ from: '2026-01-10', id: spring, set: { cadence: { every: 2d }, gates: { G1: null }, reasons: null } }]",
    },
    [
      '{ setUser: { user: ben, type: guest } }',
      prompted,
      skip,
      "{ setClock: '2026-01-09T23:59:59.999Z' }",
      stops('snoozed'),
      '{ signIn: { user: ben }, expect: { reason: not-a-member, edition: null } }',
      "{ setClock: '2026-01-10' }",
      prompted,
      '{ signIn: { user: ben }, expect: { outcome: skippable, edition: spring } }',
    ],
  ],
  [
    'OC21 sign-ins in a window are counted, this one included',
    { done: 'done: { not: { signIns: { within: 30d }, atLeast: 3 } }' },
    [stops('already-done'), stops('already-done'), prompted, '{ advance: { days: 31 } }', stops('already-done')],
  ],
];

test.each(nonEmpty(rows))('%s', async (_id, changes, steps) => {
  expect(await run(changes, steps)).toEqual([]);
});

test('OC66 a step that expects something else fails, and says what each gate found', async () => {
  const mismatches = await run({}, ['{ signIn: { user: ada }, expect: { outcome: none } }']);
  expect(mismatches).toMatchObject([{ key: 'outcome', expected: 'none', actual: 'skippable' }]);
});

test('OC65 the five shipped campaigns hold on the model', async () => {
  const shipped = new FixtureLibrary([shippedFixturesFolder]);
  const { scenarios, problems } = loadScenarios(scenarioFiles(['rulesets'], process.cwd()), shipped, process.cwd());
  expect(problems).toEqual([]);
  const results = await Promise.all(scenarios.map((scenario) => runScenario(scenario, new ModelDriver(), null)));
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(new Set(scenarios.flatMap(({ own }) => own?.ruleset.id ?? [])).size).toBe(5);
});

test('OC34 another driver skips a scenario with a ruleset file and says why', async () => {
  const [scenario] = loadScenarios(
    scenarioFiles(['rulesets/passkey-week.yaml'], process.cwd()),
    fixtures,
    process.cwd(),
  ).scenarios;
  const driver = Object.assign(new ModelDriver(), { name: 'http' });
  expect(scenario === undefined ? null : await runScenario(scenario, driver, null)).toMatchObject({
    status: 'skipped',
  });
});

test('scenario-invalid a fault of the ruleset file, an unknown fact and an unknown user are located', () => {
  writeFileSync(join(folder, 'b.ruleset.yaml'), rulesetText({ format: 'format: 2' }));
  writeFileSync(join(folder, 'b.yaml'), 'name: B\nruleset: ./b.ruleset.yaml\n');
  writeFileSync(join(folder, 'c.ruleset.yaml'), rulesetText());
  const given = 'given: { users: { ada: { facts: { levels: 1 } } } }';
  const steps = 'steps: [{ signIn: { user: adda }, expect: { outcome: none } }]';
  writeFileSync(join(folder, 'c.yaml'), `name: C\nruleset: ./c.ruleset.yaml\n${given}\n${steps}\n`);
  const files = ['b.yaml', 'c.yaml'].map((file) => join(folder, file));
  const { scenarios, problems } = loadScenarios(files, fixtures, folder);
  expect(scenarios).toEqual([]);
  expect(problems.map(({ location }) => location)).toEqual([
    expect.stringMatching(/b\.ruleset\.yaml:3:9$/),
    'c.yaml:4:9',
    expect.stringMatching(/^c\.yaml:3:/),
  ]);
});
