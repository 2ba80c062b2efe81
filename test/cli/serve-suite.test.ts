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

interface Desk extends ControlServer {
  readonly cwd: string;
  readonly service: SuiteService;
}

/** A server that was given a folder of scenarios. */
async function deskWith(files: Readonly<Record<string, string>>, writable = false): Promise<Desk> {
  const cwd = suiteFolder({});
  mkdirSync(join(cwd, 'suite', 'deep'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, 'suite', path), text);
  const config = { ...nothingConfigured, file: null, scenarios: [], fixtures: [shippedFixturesFolder] } as never;
  const service = createSuiteService({ root: join(cwd, 'suite'), writable, config, context: testContext({ cwd }) });
  onTestFinished(() => service.close());
  return { ...(await serveControl({ suite: service })), cwd, service };
}

/** A run once it is over. */
async function ended({ ask }: Desk, id: string): Promise<Reply['body']> {
  await expect
    .poll(async () => (await ask(`GET /runs/${id}`)).body.state, { timeout: 20_000 })
    .not.toMatch(/waiting|running/);
  return (await ask(`GET /runs/${id}`)).body;
}

describe('scenarios of a server', () => {
  it('suite-missing: a server that was given none says so', async () => {
    const { ask } = await serveControl();
    expect(await ask('GET /suite')).toMatchObject({ status: 404, body: { error: { code: 'suite-missing' } } });
    expect(await ask('POST /runs', {})).toMatchObject({ status: 404, body: { error: { code: 'suite-missing' } } });
  });

  it('files are listed with what they cover, and what is wrong with one has its line and column', async () => {
    const { ask } = await deskWith({ 'a.yaml': passing, 'deep/b.yaml': broken });
    const { body } = await ask('GET /suite');
    expect(body).toMatchObject({ folder: 'suite', writable: false, drivers: ['model', 'http', 'browser'] });
    expect(body.files).toMatchObject([
      { path: 'a.yaml', shown: 'suite/a.yaml', name: 'Ada is asked', scenarios: 1, covers: ['R1'], problems: [] },
      { path: 'deep/b.yaml', name: null, scenarios: 0, problems: [{ line: 4, column: 3 }, expect.anything()] },
    ]);
  });

  it('a file is read, and is read again when it has changed', async () => {
    const { ask, cwd } = await deskWith({ 'a.yaml': passing });
    expect((await ask('GET /suite/file?path=a.yaml')).body).toMatchObject({ path: 'a.yaml', text: passing });
    expect((await ask('GET /suite')).body.files[0].name).toBe('Ada is asked');
    writeFileSync(join(cwd, 'suite/a.yaml'), passing.replace('Ada is asked', 'Ada is asked to'));
    expect((await ask('GET /suite')).body.files[0].name).toBe('Ada is asked to');
  });

  it('suite-file-unknown: a link that leads out of the folder is no file of it, to read, to list or to run', async () => {
    const service = await deskWith({ 'a.yaml': passing });
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
    expect(await ended(service, 'r2')).toMatchObject({ state: 'ended', total: 2 });
  });

  it.each([
    ['a name of 300 characters', `${'n'.repeat(295)}.yaml`],
    ['a folder of 300 characters', `${'n'.repeat(300)}/a.yaml`],
    ['a folder that is a file', 'a.yaml/b.yaml'],
    ['a folder below a file', 'a.yaml/b/c.yaml'],
  ])('bad-request: %s is refused where it stands, and nothing is written', async (_what, path) => {
    const { ask, cwd } = await deskWith({ 'a.yaml': passing }, true);
    const { status, body } = await ask('PUT /suite/file', { path, text: passing, digest: null });
    expect([status, body.error.code]).toEqual([400, 'bad-request']);
    expect(JSON.stringify(body)).toContain('body.path');
    expect(readdirSync(join(cwd, 'suite')).toSorted()).toEqual(['a.yaml', 'deep']);
    expect((await ask(`GET /suite/file?path=${path}`)).status).toBe(404);
  });

  it('a name of as many characters as file systems have is written', async () => {
    const path = `${'n'.repeat(250)}.yaml`;
    const { ask } = await deskWith({}, true);
    expect((await ask('PUT /suite/file', { path, text: passing, digest: null })).status).toBe(201);
    expect((await ask(`GET /suite/file?path=${path}`)).body.text).toBe(passing);
  });

  it('a link that was planted where a file is written first is not written through', async () => {
    const { ask, cwd } = await deskWith({}, true);
    for (const name of ['.nudgelab-4711', '.a.yaml.4711']) {
      symlinkSync(join(cwd, 'written-through'), join(cwd, 'suite', name));
    }
    expect((await ask('PUT /suite/file', { path: 'a.yaml', text: passing, digest: null })).status).toBe(201);
    expect(existsSync(join(cwd, 'written-through'))).toBe(false);
  });

  it.each(['../secret.yaml', '/etc/hosts.yaml', 'deep/../../secret.yaml', 'deep/none.yaml'])(
    'suite-file-unknown: %s is none of the files',
    async (path) => {
      const { ask, cwd } = await deskWith({ 'a.yaml': passing });
      writeFileSync(join(cwd, 'secret.yaml'), 'secret');
      const { status, body } = await ask(`GET /suite/file?path=${encodeURIComponent(path)}`);
      expect([status, body.error.code]).toEqual([404, 'suite-file-unknown']);
    },
  );

  it('suite-read-only: nothing is written unless the server was started so', async () => {
    const { ask, cwd } = await deskWith({ 'a.yaml': passing });
    const { digest } = (await ask('GET /suite/file?path=a.yaml')).body;
    const { status, body } = await ask('PUT /suite/file', { path: 'a.yaml', text: failing, digest });
    expect([status, body.error.code]).toEqual([403, 'suite-read-only']);
    expect(readFileSync(join(cwd, 'suite/a.yaml'), 'utf8')).toBe(passing);
  });

  it('precondition-failed: a file that someone else changed is not written over', async () => {
    const { ask, cwd } = await deskWith({ 'a.yaml': passing }, true);
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
  ])('bad-request: %j leads out of the folder, or is no scenario file', async (path) => {
    const { ask, cwd } = await deskWith({ 'a.yaml': passing }, true);
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

  it('a text is tried without being written: what is wrong with its line, and what it comes to', async () => {
    const { ask, cwd } = await deskWith({ 'a.yaml': passing });
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

  it('an impossible step is a problem of its line', async () => {
    const { ask } = await deskWith({});
    const text = passing.replace('  - signIn: { user: ada }\n    expect: { outcome: skippable, page: prompt }\n', '');
    const { body } = await ask('POST /suite/dry-run', { path: 'a.yaml', text });
    expect(body.problems).toMatchObject([{ line: 7 }]);
  });
});

describe('runs of a server', () => {
  it('R1: a run tells each result, the rules that it showed, and what it took of the machines', async () => {
    const service = await deskWith({ 'a.yaml': passing, 'deep/b.yaml': failing });
    const { status, body } = await service.ask('POST /runs', {});
    expect([status, body.id]).toEqual([201, 'r1']);
    expect(await ended(service, 'r1')).toMatchObject({
      state: 'ended',
      total: 2,
      done: 2,
      passed: 1,
      failed: 1,
      error: null,
    });
    const { body: failures } = await service.ask('GET /runs/r1/results?status=failed');
    expect(failures).toMatchObject({ results: [{ id: 'suite/deep/b.yaml', place: 2 }], next: null });
    const { body: told } = await service.ask('GET /runs/r1/results/2');
    expect(told.result.steps[0]).toMatchObject({ status: 'failed', line: 7, reason: null });
    expect(told.result.steps[0].rules.length).toBeGreaterThan(10);
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

  it('the campaign is counted where an update of the policy was evaluated', async () => {
    const patch =
      '  - patchPolicy: { body: { registrationEnforcement: { authenticationMethodsRegistrationCampaign: { state: disabled } } } }\n';
    const service = await deskWith({ 'a.yaml': passing + patch });
    await service.ask('POST /runs', {});
    await ended(service, 'r1');
    const { body } = await service.ask('GET /runs/r1/charts');
    const campaign = body.machines.find(({ id }: { id: string }) => id === 'campaign');
    expect(campaign.measured).toBe('transitions');
    expect(campaign.states.find(({ id }: { id: string }) => id === 'disabled').times).toBe(1);
  });

  it('scenario-invalid: a file that cannot be read keeps the run from beginning, and the place is told', async () => {
    const service = await deskWith({ 'a.yaml': passing, 'b.yaml': broken });
    await service.ask('POST /runs', {});
    const run = await ended(service, 'r1');
    expect(run).toMatchObject({ state: 'failed', done: 0, error: { code: 'scenario-invalid' } });
    expect(run.error.problems[0].place).toBe('suite/b.yaml:4:3');
    expect(await service.ask('GET /runs/r1/coverage')).toMatchObject({ status: 404 });
  });

  it.each([
    [{ files: ['deep'] }, 1],
    [{ files: ['a.yaml'] }, 1],
    [{ filter: 'MUST' }, 1],
    [{ covers: ['R1'] }, 2],
    [{ scenarios: ['suite/a.yaml'] }, 1],
    [{}, 2],
  ])('of the suite runs what %j asks for', async (asked, total) => {
    const service = await deskWith({ 'a.yaml': failing, 'deep/b.yaml': passing });
    await service.ask('POST /runs', asked);
    expect(await ended(service, 'r1')).toMatchObject({ total, done: total });
  });

  it.each([{ files: ['nowhere'] }, { filter: 'nothing' }, { tags: ['none'] }])(
    'scenario-empty: %j leaves nothing to run, and nothing passes by doing nothing',
    async (asked) => {
      const service = await deskWith({ 'a.yaml': passing });
      await service.ask('POST /runs', asked);
      expect(await ended(service, 'r1')).toMatchObject({ state: 'failed', error: { code: 'scenario-empty' } });
    },
  );

  it('bad-request: a driver that there is none of is refused', async () => {
    const { ask } = await deskWith({});
    expect(await ask('POST /runs', { driver: 'wish' })).toMatchObject({ status: 400 });
    expect(await ask('POST /runs', { speed: 'fast' })).toMatchObject({ status: 400 });
  });

  it('runs go one after the other; one that waits and one that goes on are canceled', async () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => `  - { n: ${row} }\n`).join('');
    const service = await deskWith({ 'many.yaml': passing.replace('given:', `examples:\n${rows}given:`) });
    for (let started = 0; started < 3; started += 1) await service.ask('POST /runs', {});
    const { body: list } = await service.ask('GET /runs');
    expect(list.runs.filter(({ state }: { state: string }) => state === 'running')).toHaveLength(1);
    expect((await service.ask('POST /runs/r3/cancel', {})).body.state).toBe('canceled');
    await expect.poll(async () => (await service.ask('GET /runs/r1')).body.done).toBeGreaterThan(0);
    await service.ask('POST /runs/r1/cancel', {});
    const first = await ended(service, 'r1');
    expect(first.state).toBe('canceled');
    expect(first.done).toBeLessThan(2_000);
    expect((await ended(service, 'r2')).passed).toBe(2_000);
  });

  it('too-many-runs: more than ten do not wait', async () => {
    const { ask } = await deskWith({ 'a.yaml': passing });
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask('POST /runs', {})));
    const refused = replies.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body.error.code).toBe('too-many-runs');
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
  });

  it('the stream of a run has every result once, resumes, and ends with the run', async () => {
    const service = await deskWith({ 'a.yaml': passing, 'deep/b.yaml': failing });
    await service.ask('POST /runs', {});
    const eventsOf = async (headers: Record<string, string> = {}) => {
      const text = await (await fetch(`${service.controlUrl}/runs/r1/events`, { headers })).text();
      return text
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => JSON.parse(line.slice('data:'.length)));
    };
    const events = await eventsOf();
    expect(events.flatMap(({ results }) => results.map(({ place }: { place: number }) => place))).toEqual([1, 2]);
    expect(events.at(-1).run.state).toBe('ended');
    const resumed = await eventsOf({ 'last-event-id': '1' });
    expect(resumed.flatMap(({ results }) => results)).toMatchObject([{ place: 2, status: 'failed' }]);
  });

  it('run-not-found: a run that is not held is none', async () => {
    const { ask } = await deskWith({});
    for (const line of ['GET /runs/r9', 'GET /runs/r9/results', 'GET /runs/r9/charts', 'POST /runs/r9/cancel']) {
      expect(await ask(line)).toMatchObject({ status: 404, body: { error: { code: 'run-not-found' } } });
    }
  });

  it('not-found: evidence is what a failure names, and no other file', async () => {
    const service = await deskWith({ 'a.yaml': failing });
    await service.ask('POST /runs', {});
    await ended(service, 'r1');
    for (const file of ['../../suite/a.yaml', 'a.yaml', '/etc/hosts']) {
      const { status, body } = await service.ask(`GET /runs/r1/evidence?file=${encodeURIComponent(file)}`);
      expect([status, body.error.code]).toEqual([404, 'not-found']);
    }
  });
});

describe('a sign-in as a scenario', () => {
  it('R5: what was recorded is a scenario that passes by itself', async () => {
    const service = await deskWith({});
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

  it('sign-in-not-found: there is no scenario of a sign-in that is not held', async () => {
    const { ask } = await deskWith({});
    expect(await ask('GET ./sign-ins/s99/scenario')).toMatchObject({ status: 404 });
  });
});
