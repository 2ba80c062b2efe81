import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nothingConfigured } from '../../src/cli/config.ts';
import { createSuiteService } from '../../src/cli/serve/suite/suite-service.ts';
import { shippedFixturesFolder } from '../../src/scenario/shipped.ts';
import type { SuiteService } from '../../src/server/suite-service.ts';
import { type ControlServer, type Reply, serveControl } from '../server/control-client.ts';
import { testContext } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const passing = `name: Ada is asked
covers: [R1]
given:
  tenant: app-enabled
  users: { ada: sms-user }
steps:
  - signIn: { user: ada }
    expect: { outcome: skippable, page: prompt }
  - skip: {}
    expect: { snoozes: 1, state: snoozed }
`;
const failing = passing.replace('outcome: skippable', 'outcome: required').replace('Ada is asked', 'Ada must');
const broken = passing.replace('tenant: app-enabled', 'tenat: app-enabled');

interface SuiteServer extends ControlServer {
  readonly cwd: string;
  readonly service: SuiteService;
}

/** Starts a server with a folder of scenarios. */
async function serveSuite(files: Readonly<Record<string, string>>, writable = false): Promise<SuiteServer> {
  const cwd = suiteFolder({});
  mkdirSync(join(cwd, 'suite', 'deep'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, 'suite', path), text);
  const config = { ...nothingConfigured, file: null, scenarios: [], fixtures: [shippedFixturesFolder] } as never;
  const service = createSuiteService({
    root: join(cwd, 'suite'),
    editable: writable,
    config,
    context: testContext({ cwd }),
  });
  onTestFinished(() => service.close());
  return { ...(await serveControl({ suite: service })), cwd, service };
}

/** Waits until a run has ended and returns it. */
async function ended({ ask }: SuiteServer, id: string): Promise<Reply['body']> {
  await expect
    .poll(async () => (await ask(`GET /runs/${id}`)).body.state, { timeout: 20_000 })
    .not.toMatch(/queued|running/);
  return (await ask(`GET /runs/${id}`)).body;
}

describe('scenarios of a server', () => {
  it('suite-missing: a server without scenarios returns this error', async () => {
    const { ask } = await serveControl();
    expect(await ask('GET /suite')).toMatchObject({ status: 404, body: { error: { code: 'suite-missing' } } });
    expect(await ask('POST /runs', {})).toMatchObject({ status: 404, body: { error: { code: 'suite-missing' } } });
  });

  it('files are listed with the rules that they cover, and problems with line and column', async () => {
    const { ask } = await serveSuite({ 'a.yaml': passing, 'deep/b.yaml': broken });
    const { body } = await ask('GET /suite');
    expect(body).toMatchObject({ folder: 'suite', editable: false, drivers: ['model', 'http', 'browser'] });
    expect(body.files).toMatchObject([
      { path: 'a.yaml', shown: 'suite/a.yaml', name: 'Ada is asked', scenarios: 1, covers: ['R1'], problems: [] },
      { path: 'deep/b.yaml', name: null, scenarios: 0, problems: [{ line: 4, column: 3 }, expect.anything()] },
    ]);
  });

  it('a changed file is read again', async () => {
    const { ask, cwd } = await serveSuite({ 'a.yaml': passing });
    expect((await ask('GET /suite/file?path=a.yaml')).body).toMatchObject({ path: 'a.yaml', text: passing });
    expect((await ask('GET /suite')).body.files[0].name).toBe('Ada is asked');
    writeFileSync(join(cwd, 'suite/a.yaml'), passing.replace('Ada is asked', 'Ada is asked to'));
    expect((await ask('GET /suite')).body.files[0].name).toBe('Ada is asked to');
  });

  it('suite-file-unknown: a symbolic link to a target outside the folder cannot be read, listed or run', async () => {
    const service = await serveSuite({ 'a.yaml': passing });
    const { ask, cwd } = service;
    mkdirSync(join(cwd, 'elsewhere'));
    writeFileSync(join(cwd, 'elsewhere/secret.yaml'), `${passing}# secret\n`);
    symlinkSync(join(cwd, 'elsewhere/secret.yaml'), join(cwd, 'suite/linked.yaml'));
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'suite/folder'));
    symlinkSync(join(cwd, 'nowhere.yaml'), join(cwd, 'suite/dangling.yaml'));
    symlinkSync(join(cwd, 'suite/a.yaml'), join(cwd, 'suite/within.yaml'));
    for (const path of ['linked.yaml', 'folder/secret.yaml', 'dangling.yaml']) {
      const { status, body } = await ask(`GET /suite/file?path=${path}`);
      expect([path, status, body.error.code]).toEqual([path, 404, 'suite-file-unknown']);
    }
    const { body: suite } = await ask('GET /suite');
    expect(suite.files.map(({ path }: { path: string }) => path)).toEqual(['a.yaml', 'within.yaml']);
    await ask('POST /runs', { files: ['linked.yaml', 'folder'] });
    expect(await ended(service, 'r1')).toMatchObject({ state: 'failed', error: { code: 'scenario-empty' } });
    await ask('POST /runs', {});
    expect(await ended(service, 'r2')).toMatchObject({ state: 'finished', total: 2 });
  });

  it.each([
    ['a name of 300 characters', `${'n'.repeat(295)}.yaml`],
    ['a folder of 300 characters', `${'n'.repeat(300)}/a.yaml`],
    ['a folder that is a file', 'a.yaml/b.yaml'],
    ['a folder below a file', 'a.yaml/b/c.yaml'],
  ])('bad-request: %s is rejected with its location, and nothing is written', async (_what, path) => {
    const { ask, cwd } = await serveSuite({ 'a.yaml': passing }, true);
    const { status, body } = await ask('PUT /suite/file', { path, text: passing, digest: null });
    expect([status, body.error.code]).toEqual([400, 'bad-request']);
    expect(JSON.stringify(body)).toContain('body.path');
    expect(readdirSync(join(cwd, 'suite')).toSorted()).toEqual(['a.yaml', 'deep']);
    expect((await ask(`GET /suite/file?path=${path}`)).status).toBe(404);
  });

  it('a file name of the maximum length is written', async () => {
    const path = `${'n'.repeat(250)}.yaml`;
    const { ask } = await serveSuite({}, true);
    expect((await ask('PUT /suite/file', { path, text: passing, digest: null })).status).toBe(201);
    expect((await ask(`GET /suite/file?path=${path}`)).body.text).toBe(passing);
  });

  it('a symbolic link at the path of a temporary file is not written through', async () => {
    const { ask, cwd } = await serveSuite({}, true);
    for (const name of ['.nudgelab-4711', '.a.yaml.4711']) {
      symlinkSync(join(cwd, 'written-through'), join(cwd, 'suite', name));
    }
    expect((await ask('PUT /suite/file', { path: 'a.yaml', text: passing, digest: null })).status).toBe(201);
    expect(existsSync(join(cwd, 'written-through'))).toBe(false);
  });

  it.each(['../secret.yaml', '/etc/hosts.yaml', 'deep/../../secret.yaml', 'deep/none.yaml'])(
    'suite-file-unknown: %s is not a suite file',
    async (path) => {
      const { ask, cwd } = await serveSuite({ 'a.yaml': passing });
      writeFileSync(join(cwd, 'secret.yaml'), 'secret');
      const { status, body } = await ask(`GET /suite/file?path=${encodeURIComponent(path)}`);
      expect([status, body.error.code]).toEqual([404, 'suite-file-unknown']);
    },
  );

  it('suite-read-only: files are written only if the server was started with write access', async () => {
    const { ask, cwd } = await serveSuite({ 'a.yaml': passing });
    const { digest } = (await ask('GET /suite/file?path=a.yaml')).body;
    const { status, body } = await ask('PUT /suite/file', { path: 'a.yaml', text: failing, digest });
    expect([status, body.error.code]).toEqual([403, 'suite-read-only']);
    expect(readFileSync(join(cwd, 'suite/a.yaml'), 'utf8')).toBe(passing);
  });

  it('precondition-failed: a file that was changed by another client is not overwritten', async () => {
    const { ask, cwd } = await serveSuite({ 'a.yaml': passing }, true);
    const { digest } = (await ask('GET /suite/file?path=a.yaml')).body;
    const saved = await ask('PUT /suite/file', { path: 'a.yaml', text: failing, digest });
    expect([saved.status, readFileSync(join(cwd, 'suite/a.yaml'), 'utf8')]).toEqual([200, failing]);
    for (const stale of [digest, null]) {
      const again = await ask('PUT /suite/file', { path: 'a.yaml', text: passing, digest: stale });
      expect([again.status, again.body.error.code]).toEqual([412, 'precondition-failed']);
    }
    const made = await ask('PUT /suite/file', { path: 'new/c.yaml', text: passing, digest: null });
    expect([made.status, readFileSync(join(cwd, 'suite/new/c.yaml'), 'utf8')]).toEqual([201, passing]);
  });

  it.each([
    '../out.yaml',
    'deep/../../out.yaml',
    '/tmp/out.yaml',
    'deep//out.yaml',
    './out.yaml',
    '.hidden/out.yaml',
    'deep\\..\\..\\out.yaml',
    'fixtures/out.yaml',
    'link/out.yaml',
    'linked.yaml',
    'dangling.yaml',
    'a\u0000.yaml',
    'out.txt',
  ])('bad-request: %j is outside the folder or is not a scenario file', async (path) => {
    const { ask, cwd } = await serveSuite({ 'a.yaml': passing }, true);
    mkdirSync(join(cwd, 'elsewhere'));
    writeFileSync(join(cwd, 'elsewhere/target.yaml'), 'kept');
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'suite/link'));
    symlinkSync(join(cwd, 'elsewhere/target.yaml'), join(cwd, 'suite/linked.yaml'));
    symlinkSync(join(cwd, 'elsewhere/none.yaml'), join(cwd, 'suite/dangling.yaml'));
    const digest = path === 'linked.yaml' ? 'any' : null;
    const { status, body } = await ask('PUT /suite/file', { path, text: 'written', digest });
    expect([400, 412]).toContain(status);
    expect(['bad-request', 'precondition-failed']).toContain(body.error.code);
    expect(readFileSync(join(cwd, 'elsewhere/target.yaml'), 'utf8')).toBe('kept');
    for (const place of ['out.yaml', 'elsewhere/out.yaml', 'elsewhere/none.yaml', 'suite/fixtures/out.yaml']) {
      expect(() => readFileSync(join(cwd, place))).toThrow('ENOENT');
    }
  });

  it('a dry run reports problems with their lines, and results, without writing the text', async () => {
    const { ask, cwd } = await serveSuite({ 'a.yaml': passing });
    const dry = async (text: string, run = true) =>
      (await ask('POST /suite/dry-run', { path: 'a.yaml', text, run })).body;
    expect(await dry(broken)).toMatchObject({ problems: [{ line: 4, column: 3 }, {}], scenarios: 0, results: [] });
    expect(await dry('steps: [')).toMatchObject({ problems: [{ line: 1 }], results: [] });
    expect(await dry(passing)).toMatchObject({ problems: [], results: [{ status: 'passed', driver: 'model' }] });
    expect(await dry(passing, false)).toMatchObject({ problems: [], scenarios: 1, results: [] });
    const wrong = await dry(failing);
    expect(wrong.results[0].steps[0].mismatches).toMatchObject([{ key: 'outcome', actual: 'skippable' }]);
    expect(readFileSync(join(cwd, 'suite/a.yaml'), 'utf8')).toBe(passing);
  });

  it('an impossible step is reported at its line', async () => {
    const { ask } = await serveSuite({});
    const text = passing.replace('  - signIn: { user: ada }\n    expect: { outcome: skippable, page: prompt }\n', '');
    const { body } = await ask('POST /suite/dry-run', { path: 'a.yaml', text });
    expect(body.problems).toMatchObject([{ line: 7 }]);
  });
});

describe('runs of a server', () => {
  it('R1: a run returns each result, the covered rules and the executed transitions', async () => {
    const service = await serveSuite({ 'a.yaml': passing, 'deep/b.yaml': failing });
    const { status, body } = await service.ask('POST /runs', {});
    expect([status, body.id]).toEqual([201, 'r1']);
    expect(await ended(service, 'r1')).toMatchObject({
      state: 'finished',
      total: 2,
      done: 2,
      passed: 1,
      failed: 1,
      error: null,
    });
    const { body: failures } = await service.ask('GET /runs/r1/results?status=failed');
    expect(failures).toMatchObject({ results: [{ id: 'suite/deep/b.yaml', place: 2 }], next: null });
    const { body: failure } = await service.ask('GET /runs/r1/results/2');
    expect(failure.result.steps[0]).toMatchObject({ status: 'failed', line: 7, reason: null });
    expect(failure.result.steps[0].rules.length).toBeGreaterThan(10);
    const { body: coverage } = await service.ask('GET /runs/r1/coverage');
    expect(coverage.rules.find(({ id }: { id: string }) => id === 'R1').met).toBe(1);
    const { body: charts } = await service.ask('GET /runs/r1/charts');
    const [nudge, signIn] = charts.machines;
    const { body: model } = await service.ask('GET /machines');
    const skip = model.machines[0].transitions.find(
      ({ event, to }: { event: string; to: string }) => event === 'prompt.skipped' && to === 'snoozed',
    );
    const took = nudge.transitions.find(({ id }: { id: string }) => id === skip.id);
    expect(took).toEqual({ id: skip.id, times: 1, scenarios: ['suite/a.yaml'], scenarioCount: 1 });
    expect(signIn.states.find(({ id }: { id: string }) => id === 'prompt').scenarioCount).toBe(2);
  });

  it('a policy update in a run counts as a transition of the campaign machine', async () => {
    const patch =
      '  - patchPolicy: { body: { registrationEnforcement: { authenticationMethodsRegistrationCampaign: { state: disabled } } } }\n';
    const service = await serveSuite({ 'a.yaml': passing + patch });
    await service.ask('POST /runs', {});
    await ended(service, 'r1');
    const { body } = await service.ask('GET /runs/r1/charts');
    const campaign = body.machines.find(({ id }: { id: string }) => id === 'campaign');
    expect(campaign.measured).toBe('transitions');
    expect(campaign.states.find(({ id }: { id: string }) => id === 'disabled').times).toBe(1);
  });

  it('scenario-invalid: an invalid file prevents the run, and its location is returned', async () => {
    const service = await serveSuite({ 'a.yaml': passing, 'b.yaml': broken });
    await service.ask('POST /runs', {});
    const run = await ended(service, 'r1');
    expect(run).toMatchObject({ state: 'failed', done: 0, error: { code: 'scenario-invalid' } });
    expect(run.error.problems[0].location).toBe('suite/b.yaml:4:3');
    expect(await service.ask('GET /runs/r1/coverage')).toMatchObject({ status: 404 });
  });

  it.each([
    [{ files: ['deep'] }, 1],
    [{ files: ['a.yaml'] }, 1],
    [{ filter: 'MUST' }, 1],
    [{ covers: ['R1'] }, 2],
    [{ scenarios: ['suite/a.yaml'] }, 1],
    [{}, 2],
  ])('a run includes the scenarios that %j selects', async (request, total) => {
    const service = await serveSuite({ 'a.yaml': failing, 'deep/b.yaml': passing });
    await service.ask('POST /runs', request);
    expect(await ended(service, 'r1')).toMatchObject({ total, done: total });
  });

  it.each([{ files: ['nowhere'] }, { filter: 'nothing' }, { tags: ['none'] }])(
    'scenario-empty: a run fails if %j selects no scenario',
    async (request) => {
      const service = await serveSuite({ 'a.yaml': passing });
      await service.ask('POST /runs', request);
      expect(await ended(service, 'r1')).toMatchObject({ state: 'failed', error: { code: 'scenario-empty' } });
    },
  );

  it('bad-request: an unknown driver is rejected', async () => {
    const { ask } = await serveSuite({});
    expect(await ask('POST /runs', { driver: 'wish' })).toMatchObject({ status: 400 });
    expect(await ask('POST /runs', { speed: 'fast' })).toMatchObject({ status: 400 });
  });

  it('runs are executed one at a time, and queued and running runs can be canceled', async () => {
    const rowCount = 500;
    const rows = Array.from({ length: rowCount }, (_, row) => `  - { n: ${row} }\n`).join('');
    const service = await serveSuite({ 'many.yaml': passing.replace('given:', `examples:\n${rows}given:`) });
    for (let started = 0; started < 3; started += 1) await service.ask('POST /runs', {});
    const { body: list } = await service.ask('GET /runs');
    expect(list.runs.filter(({ state }: { state: string }) => state === 'running')).toHaveLength(1);
    expect((await service.ask('POST /runs/r3/cancel', {})).body.state).toBe('canceled');
    await expect.poll(async () => (await service.ask('GET /runs/r1')).body.done).toBeGreaterThan(0);
    await service.ask('POST /runs/r1/cancel', {});
    const first = await ended(service, 'r1');
    expect(first.state).toBe('canceled');
    expect(first.done).toBeLessThan(rowCount);
    expect((await ended(service, 'r2')).passed).toBe(rowCount);
  });

  it('too-many-runs: at most ten runs are queued', async () => {
    const { ask } = await serveSuite({ 'a.yaml': passing });
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask('POST /runs', {})));
    const refused = replies.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body.error.code).toBe('too-many-runs');
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
  });

  it('the event stream of a run has every result once, resumes, and ends with the run', async () => {
    const service = await serveSuite({ 'a.yaml': passing, 'deep/b.yaml': failing });
    await service.ask('POST /runs', {});
    const readEvents = async (headers: Record<string, string> = {}) => {
      const text = await (await fetch(`${service.controlUrl}/runs/r1/events`, { headers })).text();
      return text
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => JSON.parse(line.slice('data:'.length)));
    };
    const events = await readEvents();
    expect(events.flatMap(({ results }) => results.map(({ place }: { place: number }) => place))).toEqual([1, 2]);
    expect(events.at(-1).run.state).toBe('finished');
    const resumed = await readEvents({ 'last-event-id': '1' });
    expect(resumed.flatMap(({ results }) => results)).toMatchObject([{ place: 2, status: 'failed' }]);
  });

  it('run-not-found: requests for an unknown run return 404', async () => {
    const { ask } = await serveSuite({});
    for (const line of ['GET /runs/r9', 'GET /runs/r9/results', 'GET /runs/r9/charts', 'POST /runs/r9/cancel']) {
      expect(await ask(line)).toMatchObject({ status: 404, body: { error: { code: 'run-not-found' } } });
    }
  });

  it('not-found: only files that a failure names as evidence are served', async () => {
    const service = await serveSuite({ 'a.yaml': failing });
    await service.ask('POST /runs', {});
    await ended(service, 'r1');
    for (const file of ['../../suite/a.yaml', 'a.yaml', '/etc/hosts']) {
      const { status, body } = await service.ask(`GET /runs/r1/evidence?file=${encodeURIComponent(file)}`);
      expect([status, body.error.code]).toEqual([404, 'not-found']);
    }
  });
});

describe('sign-ins as scenarios', () => {
  it('R5: a recorded sign-in becomes a scenario that passes', async () => {
    const service = await serveSuite({});
    const sandbox = service.sandboxes.get('default');
    await sandbox.directory.putTenant(
      {
        campaign: {
          state: 'enabled',
          includeTargets: [
            { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' },
          ],
        },
      },
      'control-api',
    );
    const { id } = await sandbox.signIns.start('ada', { os: 'macos' });
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    await sandbox.clock.advance({ minutes: 5 });
    await sandbox.signIns.skip(id);
    const { status, body } = await service.ask(`GET ./sign-ins/${id}/scenario`);
    expect(status).toBe(200);
    expect(body.path).toBe(`journeys/default-${id}.yaml`);
    const { body: tried } = await service.ask('POST /suite/dry-run', { path: body.path, text: body.text });
    expect(tried.problems).toEqual([]);
    expect(
      tried.results[0].steps.map(({ kind, status: held }: { kind: string; status: string }) => [kind, held]),
    ).toEqual([
      ['signIn', 'passed'],
      ['setClock', 'passed'],
      ['skip', 'passed'],
    ]);
    expect(body.text).toContain('os: macos');
  });

  it('sign-in-not-found: an unknown sign-in has no scenario', async () => {
    const { ask } = await serveSuite({});
    expect(await ask('GET ./sign-ins/s99/scenario')).toMatchObject({ status: 404 });
  });
});
