import { describe, expect, it, onTestFinished } from 'vitest';
import { AnalysisThreads } from '../../src/cli/serve/analysis-threads.ts';
import { forecastSchema } from '../../src/contract/forecast.schema.ts';
import { stopwatch } from '../../src/core/clock.ts';
import { compileDescription, forecastReport } from '../../src/forecast/forecast.ts';
import { ForecastPool } from '../../src/forecast/forecast-pool.ts';
import type { SandboxInput } from '../../src/sandbox/sandbox.ts';
import { type ControlServer, serveControl } from './control-client.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const tenant = {
  campaign: {
    state: 'enabled',
    includeTargets: [target],
    excludeTargets: [{ targetType: 'user', id: 'EVE' }],
    snoozeDurationInDays: 2,
  },
};
const snoozedAtMs = Date.parse('2026-01-05T08:00:00.000Z');
const users = [
  { id: 'ada' },
  { id: 'bob', snooze: { count: 3, snoozedAtMs } },
  { id: 'eve' },
  { id: 'gus', methods: ['authenticator-push'] },
];

async function served(sandbox: SandboxInput = { tenant, users }): Promise<ControlServer> {
  const analyses = new AnalysisThreads();
  onTestFinished(() => analyses.close());
  return serveControl({ sandbox, analyses });
}

/** Waits until an analysis has finished, and returns it. */
async function ended({ ask }: ControlServer, id: string) {
  let analysis = (await ask(`GET ./analyses/${id}`)).body;
  await expect
    .poll(
      async () => {
        analysis = (await ask(`GET ./analyses/${id}`)).body;
        return analysis.state;
      },
      { timeout: 50_000, interval: 20 },
    )
    .not.toMatch(/queued|running/);
  return analysis;
}

/** Serves a sandbox in which three users have signed in, and one has skipped the prompt. */
async function withHistory(): Promise<ControlServer> {
  const server = await served();
  const sandbox = server.sandboxes.get('default');
  for (const user of ['ada', 'eve', 'gus']) {
    const { id } = await sandbox.signIns.start(user, {});
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    if (user === 'ada') await sandbox.signIns.skip(id);
  }
  return server;
}

async function described({ ask }: ControlServer) {
  return (await ask('GET ./forecast-input')).body;
}

describe('control API: forecasts', { timeout: 240_000 }, () => {
  it('the description of a sandbox contains its policy, its users by type, and the assumptions about them', async () => {
    const { description, notes } = await described(await served());
    const parsed = forecastSchema.parse(description);
    expect([parsed.users, parsed.start, parsed.ruleset]).toEqual([4, '2026-01-06', 'seed']);
    const kinds = parsed.defaults.users ?? [];
    expect(kinds.map(({ share }) => share)).toEqual([0.25, 0.25, 0.25, 0.25]);
    const snoozed = kinds.find(({ snooze }) => snooze.count === 3);
    expect(snoozed?.snooze.daysAgo).toBeCloseTo(16 / 24);
    expect(notes.join(' ')).toContain('assumed');
  });

  it('S2: a user who is excluded by id is excluded in the forecast', async () => {
    const server = await served({ tenant, users: [{ id: 'eve' }] });
    const { description } = await described(server);
    const { id } = (await server.ask('POST ./analyses', { kind: 'forecast', description })).body;
    expect((await ended(server, id)).state).toBe('finished');
    const { report } = (await server.ask(`GET ./analyses/${id}/result`)).body;
    expect(report.totals.prompts).toBe(0);
    expect(Object.keys(report.totals.notPromptedByReason)).toEqual(['excluded']);
  });

  it('returns the same numbers as a direct forecast, with percentile bands, a parameter sweep and its policies', async () => {
    const server = await served();
    const { description } = await described(server);
    const order = {
      kind: 'forecast',
      description: { ...description, users: 3_000, days: 40 },
      seeds: 5,
      sweep: { snoozeDays: [0, 7], limited: [true, false] },
    };
    const { status, body, headers } = await server.ask('POST ./analyses', order);
    expect([status, headers.get('location')]).toEqual([201, expect.stringContaining(`/analyses/${body.id}`)]);
    expect((await ended(server, body.id)).progress).toBe(1);
    const { report } = (await server.ask(`GET ./analyses/${body.id}/result`)).body;
    const compiled = compileDescription(forecastSchema.parse(order.description));
    const pool = new ForecastPool(1);
    const counts = await pool.run(compiled, { users: 3_000, seeds: [1, 2, 3, 4, 5] });
    await pool.close();
    const alone = JSON.parse(JSON.stringify(forecastReport(compiled, counts, 3_000)));
    const { sweep, sensitivity, ...rest } = report;
    expect(rest).toEqual(alone);
    expect(sensitivity).toBeNull();
    expect(sweep).toHaveLength(4);
    expect(rest.bands.prompts.low).toHaveLength(40);
  });

  it('analysis-too-large, bad-request: an oversized or invalid description is rejected with the location', async () => {
    const { ask } = await served();
    const { description } = (await ask('GET ./forecast-input')).body;
    const large = await ask('POST ./analyses', { kind: 'forecast', description: { ...description, users: 2_000_000 } });
    expect([large.status, large.body.error.code]).toEqual([400, 'analysis-too-large']);
    expect(large.body.error.problems[0].location).toBe('body.description.users');
    const wrong = await ask('POST ./analyses', { kind: 'forecast', description: { ...description, days: 0 } });
    expect([wrong.status, wrong.body.error.problems[0].location]).toEqual([400, 'body.description.days']);
  });

  it('a long forecast reports progress, does not block requests, and can be canceled', async () => {
    const server = await served();
    const { description } = await described(server);
    const order = { kind: 'forecast', description: { ...description, users: 1_000_000, days: 365 }, seeds: 50 };
    const first = (await server.ask('POST ./analyses', order)).body.id;
    const second = (await server.ask('POST ./analyses', order)).body;
    expect(second.state).toBe('queued');
    await expect
      .poll(async () => (await server.ask(`GET ./analyses/${first}`)).body.progress, { timeout: 20_000 })
      .toBeGreaterThan(0);
    expect((await server.ask(`GET ./analyses/${first}/result`)).body.error.code).toBe('analysis-not-finished');
    const elapsed = stopwatch();
    expect((await server.ask(`POST ./analyses/${first}/cancel`)).body.state).toBe('canceled');
    expect((await server.ask(`DELETE ./analyses/${second.id}`)).status).toBe(204);
    expect(elapsed()).toBeLessThan(2_000);
    expect((await server.ask('GET ./analyses')).body.analyses.map(({ state }: { state: string }) => state)).toEqual([
      'canceled',
    ]);
    expect((await server.ask(`GET ./analyses/${second.id}`)).body.error.code).toBe('analysis-not-found');
  });

  it('too-many-analyses: requests beyond the queue limit are rejected with Retry-After', async () => {
    const server = await served();
    const { description } = await described(server);
    const order = { kind: 'forecast', description: { ...description, users: 1_000_000, days: 365 }, seeds: 50 };
    const answers: number[] = [];
    for (let place = 0; place < 9; place += 1) answers.push((await server.ask('POST ./analyses', order)).status);
    expect(answers).toEqual([201, 201, 201, 201, 201, 201, 201, 201, 503]);
  });

  it('analysis-missing: a server without analyses reports this error', async () => {
    const { ask } = await serveControl();
    expect((await ask('GET ./analyses')).body.error.code).toBe('analysis-missing');
    expect((await ask('GET ./forecast-input')).status).toBe(200);
  });
});

describe('control API: comparisons', { timeout: 240_000 }, () => {
  /** Signs in three users: one skips, one is required to register and does so, and one is not prompted. */
  it('lists the users whom another policy would prompt, and the actions that no longer apply', async () => {
    const server = await withHistory();
    const variants = [
      { name: 'off', policy: { campaign: { state: 'disabled' } } },
      { name: 'eve too', policy: { campaign: { excludeTargets: [] } } },
    ];
    const { id } = (await server.ask('POST ./analyses', { kind: 'comparison', variants })).body;
    expect((await ended(server, id)).state).toBe('finished');
    const { comparison, changedUsers, timeline } = (await server.ask(`GET ./analyses/${id}/result`)).body;
    const [off, eve] = comparison.variants;
    expect([comparison.attempts, comparison.users]).toEqual([3, 4]);
    expect([off.totals.certain.noLongerPrompted, off.actions.inapplicable]).toEqual([1, 1]);
    expect([eve.totals.certain.newlyPrompted, eve.actions.applied, eve.actions.assumed]).toEqual([1, 1, 1]);
    // For Eve and Gus the reason changes, although neither is prompted.
    const none = { attempts: 1, newlyPrompted: 0, noLongerPrompted: 0, newlyRequired: 0 };
    expect(changedUsers).toEqual([
      { ...none, variant: 'off', user: 'ada', noLongerPrompted: 1 },
      { ...none, variant: 'off', user: 'eve' },
      { ...none, variant: 'eve too', user: 'eve', newlyPrompted: 1 },
      { ...none, variant: 'off', user: 'gus' },
    ]);
    expect(timeline).toBeNull();
  });

  it('the timeline of one user shows every rule under baseline and variant', async () => {
    const server = await withHistory();
    const variants = [{ name: 'eve too', policy: { campaign: { excludeTargets: [] } } }];
    const { id } = (await server.ask('POST ./analyses', { kind: 'comparison', variants, user: 'eve' })).body;
    await ended(server, id);
    const { timeline } = (await server.ask(`GET ./analyses/${id}/result`)).body;
    expect(timeline).toHaveLength(1);
    expect(timeline[0].answer).toBe('assumed');
    expect(timeline[0].rules.find(({ id: rule }: { id: string }) => rule === 'S2')).toMatchObject({
      before: 'stopped: excluded',
      after: 'met',
    });
  });

  it('bad-request: an invalid policy is rejected with the location of the error', async () => {
    const server = await withHistory();
    const variants = [{ name: 'wrong', policy: { campaign: { snoozeDurationInDays: 99 } } }];
    const { id } = (await server.ask('POST ./analyses', { kind: 'comparison', variants })).body;
    const { state, error } = await ended(server, id);
    expect([state, error.code]).toEqual(['failed', 'bad-request']);
    expect(error.problems[0].location).toContain('snoozeDurationInDays');
  });

  it('sandbox-not-found: deleting a sandbox deletes its analyses', async () => {
    const server = await withHistory();
    const { ask } = server;
    await ask('POST /sandboxes', { id: 'second' });
    const variants = [{ name: 'off', policy: { campaign: { state: 'disabled' } } }];
    const { id } = (await ask('POST /sandboxes/second/analyses', { kind: 'comparison', variants })).body;
    await ask('DELETE /sandboxes/second');
    await ask('POST /sandboxes', { id: 'second' });
    expect((await ask(`GET /sandboxes/second/analyses/${id}`)).body.error.code).toBe('analysis-not-found');
    expect((await ask('GET /sandboxes/second/analyses')).body.analyses).toEqual([]);
  });
});

describe('control API: properties', { timeout: 240_000 }, () => {
  const violatedBySkips = `properties:
  - { id: once, title: No user snoozes, covers: [R6], property: { never: { fact: snoozes, atLeast: 1 } } }
`;

  it('PR26: the properties of the specification are proven, and hold on the recorded sign-ins', async () => {
    const server = await withHistory();
    const { id } = (await server.ask('POST ./analyses', { kind: 'properties' })).body;
    expect(await ended(server, id)).toMatchObject({ kind: 'properties', state: 'finished', progress: 1 });
    const result = (await server.ask(`GET ./analyses/${id}/result`)).body;
    expect(result).toMatchObject({ kind: 'properties', machine: 'lifecycle', violations: [] });
    expect(result.properties.length).toBeGreaterThan(10);
    expect(result.properties.every(({ verdict }: { verdict: string }) => verdict === 'proven')).toBe(true);
  });

  it('PR26: properties of a text have a counterexample, and the users of the sandbox who violate them', async () => {
    const server = await withHistory();
    const { id } = (await server.ask('POST ./analyses', { kind: 'properties', text: violatedBySkips })).body;
    await ended(server, id);
    const { properties, violations } = (await server.ask(`GET ./analyses/${id}/result`)).body;
    expect(properties).toMatchObject([{ id: 'once', verdict: 'violated', counterexample: { cycleFrom: null } }]);
    expect(violations.length).toBeGreaterThan(0);
    expect(violations[0]).toMatchObject({ property: 'once', covers: ['R6'], event: 'prompt.skipped' });
  });

  it.each([
    [{ text: 'properties: [{ id: a }]' }, 'property-invalid'],
    [{ text: violatedBySkips, machine: 'sign-in' }, 'bad-request'],
  ])('PR26: %j fails with %s', async (order, code) => {
    const server = await served();
    const { id } = (await server.ask('POST ./analyses', { kind: 'properties', ...order })).body;
    const { state, error } = await ended(server, id);
    expect([state, error.code]).toEqual(['failed', code]);
  });

  it('bad-request: a machine that the server does not check, and a text that is too long, are rejected', async () => {
    const { ask } = await served();
    for (const order of [{ machine: 'tenant-large' }, { text: ' '.repeat(65_537) }]) {
      expect((await ask('POST ./analyses', { kind: 'properties', ...order })).status).toBe(400);
    }
  });
});
