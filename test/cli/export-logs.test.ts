import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../server/site.ts';
import { parseOutput, runHere } from './command-context.ts';

let site: Site;
let sandbox: string;
let signInId: string;
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
  mkdirSync(join(cwd, 'full'));
  writeFileSync(join(cwd, 'full', 'a.txt'), 'a');
  site = await startSite();
  const visitor = await site.visitor({
    attempt: { ssoSession: true },
    tenant: { groups: { sales: ['all'] } },
    user: { groups: ['sales'] },
  });
  const visit = await visitor.signIn();
  ({ signInId } = visit);
  sandbox = visit.sandbox.id;
  await visit.sandbox.directory.patchUser('ada', { displayName: 'Ada L.' });
});

afterAll(async () => {
  await site.close();
  rmSync(cwd, { recursive: true, force: true });
});

const server = () => ['--url', site.server.baseUrl, '--sandbox', sandbox];

function readLines(folder: string, name: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(join(cwd, folder, name), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

describe('export logs', () => {
  it('writes the files of a sandbox, which import reads', async () => {
    const ended = await runHere(['export', 'logs', ...server(), '--out', 'logs'], { cwd });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/^sign-ins\.ndjson: 1 row$/m);
    expect(readLines('logs', 'sign-ins.ndjson')).toMatchObject([{ id: signInId, userId: 'ada' }]);
    expect(readLines('logs', 'audit-log.ndjson')).toMatchObject([{ activityDisplayName: 'Update user' }]);
    expect(readLines('logs', 'groups.ndjson')).toEqual([{ user: 'ada', group: 'sales' }]);
    const read = (name: string): unknown => JSON.parse(readFileSync(join(cwd, 'logs', name), 'utf8'));
    expect(read('policy.json')).toMatchObject({ registrationEnforcement: expect.anything() });
    expect(read('tenant.json')).toMatchObject({ groups: { sales: ['all'] }, options: { strictDevice: false } });
    const [, line = ''] = /^Import them: (?:\S+ )*?(import .*)$/m.exec(ended.stdout) ?? [];
    const imported = await runHere([...line.split(' '), '--json'], { cwd });
    expect([imported.code, imported.stderr]).toEqual([0, '']);
    expect(parseOutput(imported)).toMatchObject({ rows: 1, attempts: 1, skipped: [expect.anything()] });
  });

  it('adds the facts with --facts, and prints JSON', async () => {
    const ended = await runHere(['export', 'logs', ...server(), '--out', 'facts', '--with-facts', '--json'], { cwd });
    expect(parseOutput(ended)).toMatchObject({ folder: 'facts', files: { 'sign-ins.ndjson': 1, 'policy.json': 1 } });
    expect(readLines('facts', 'sign-ins.ndjson')[0]?.['@nudgelab.facts']).toMatchObject({ ssoSession: true });
  });

  it.each([
    [['logs'], 'usage-invalid'],
    [['logs', '--out', 'full'], 'file-exists'],
    [['logs', '--out', 'new', '--user', 'ada'], 'usage-invalid'],
    [['logs', '--out', 'new', '--from', '1', '--to', '2'], 'usage-invalid'],
    [['logs', '--out', 'new', '--db', 'a.db'], 'usage-invalid'],
    [['logs', '--out', 'new', '--sandbox', 'nowhere'], 'sandbox-not-found'],
    [['logs', 'more', '--out', 'new'], 'usage-invalid'],
    [['policy', '--out', 'new'], 'usage-invalid'],
    [['--with-facts', '--out', 'new'], 'usage-invalid'],
  ])('%j is rejected with %s, and writes nothing', async (words, code) => {
    const ended = await runHere(['export', '--url', site.server.baseUrl, ...words], { cwd });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`error ${code}`)]);
    expect(existsSync(join(cwd, 'new'))).toBe(false);
    expect(readdirSync(join(cwd, 'full'))).toEqual(['a.txt']);
  });

  it('--force writes to a folder with other files', async () => {
    writeFileSync(join(cwd, 'full', 'policy.json'), 'old');
    const ended = await runHere(['export', 'logs', ...server(), '--out', 'full', '--force'], { cwd });
    expect(ended.code).toBe(0);
    expect(readFileSync(join(cwd, 'full', 'policy.json'), 'utf8')).toContain('registrationEnforcement');
    expect(readdirSync(join(cwd, 'full'))).toContain('a.txt');
  });
});
