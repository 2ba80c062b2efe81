import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { startEmbeddedServer } from '../../src/cli/run/embedded-server.ts';
import type { RunningServer } from '../../src/server/start.ts';
import { splitShellWords } from '../shell-words.ts';
import { parseOutput, runHere, testContext } from './command-context.ts';

const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-replay-'));
let server: RunningServer;

async function tell(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${server.controlUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  return response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>);
}

beforeAll(async () => {
  server = await startEmbeddedServer();
  const campaign = {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  };
  await tell('POST', '/sandboxes', {
    id: 'lab',
    tenant: { campaign },
    users: [{ id: 'ada' }, { id: 'ben', methods: ['sms', 'authenticator-push'] }],
    clock: { now: '2026-01-05T09:00:00.000Z', running: false },
  });
  await tell('PATCH', '/sandboxes/lab/tenant', { campaign: { snoozeDurationInDays: 2 } });
  await tell('PATCH', '/sandboxes/lab/users/ada', { snooze: { count: 3 } });
  await tell('POST', '/sandboxes/lab/clock/advance', { days: 1 });
  await runHere(['export', '--url', server.baseUrl, '--sandbox', 'lab', '--out', 'lab.ndjson'], { cwd });
});

afterAll(() => server.close());

describe('export and replay', () => {
  it('file-exists: export does not write through a dangling symbolic link without --force', async () => {
    symlinkSync(join(cwd, 'elsewhere.ndjson'), join(cwd, 'linked.ndjson'));
    const words = ['export', '--url', server.baseUrl, '--sandbox', 'lab', '--out', 'linked.ndjson'];
    const { code, stderr } = await runHere(words, { cwd });
    expect([code, stderr.split(':')[0], existsSync(join(cwd, 'elsewhere.ndjson'))]).toEqual([
      2,
      'error file-exists',
      false,
    ]);
    expect((await runHere([...words, '--force'], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, 'elsewhere.ndjson'))).toBe(true);
  });

  it('an exported journey rebuilds the same state and is repeated on model and http', async () => {
    const report = parseOutput(await runHere(['replay', 'lab.ndjson', '--json'], { cwd }));
    expect(report).toMatchObject({ file: 'lab.ndjson', same: true, steps: 3, users: 2, differences: [] });
    const again = await runHere(['replay', 'lab.ndjson', '--driver', 'model,http', '--json'], { cwd });
    expect(again.code).toBe(0);
    expect(parseOutput(again)).toMatchObject({ same: true, results: [{ driver: 'model' }, { driver: 'http' }] });
    expect((await runHere(['replay', 'lab.ndjson'], { cwd })).stdout).toContain('SAME 3 steps');
  });

  it('PR25: replay checks the properties of --properties on the recorded journey', async () => {
    writeFileSync(
      join(cwd, 'team.properties.yaml'),
      'properties: [{ id: no-reset, title: No count is set, property: { never: { event: snooze.set } } }]',
    );
    const holds = await runHere(['replay', 'lab.ndjson', '--properties', 'specification', '--json'], { cwd });
    expect([holds.code, parseOutput(holds)]).toMatchObject([0, { same: true, violations: [] }]);
    const { code, stdout } = await runHere(['replay', 'lab.ndjson', '--properties', 'team.properties.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('VIOLATED The property no-reset is violated for the user ada at 2026-01-05T09:00:00.000Z');
  });

  it('printed commands quote the file name for a shell', async () => {
    const file = "a journey; it's.ndjson";
    const { stdout } = await runHere(['export', '--url', server.baseUrl, '--sandbox', 'lab', '--out', file], { cwd });
    expect(splitShellWords(/Replay it: (.*)/.exec(stdout)?.[1] ?? '')).toEqual(['replay', file]);
    const again = parseOutput(await runHere(['replay', file, '--driver', 'model', '--json'], { cwd })) as {
      results: { command: string }[];
    };
    expect(again.results.map(({ command }) => splitShellWords(command))).toEqual([
      ['replay', file, '--driver', 'model'],
    ]);
  });

  it('standard output and the control API return the same journey', async () => {
    const { stdout } = await runHere(['export', '--url', server.baseUrl, '--sandbox', 'lab', '--from', '3'], { cwd });
    const response = await fetch(`${server.controlUrl}/sandboxes/lab/journey?from=3`);
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    expect(await response.text()).toBe(stdout);
  });

  it('a damaged journey is not replayed, and a journey with changed verdicts exits with 1', async () => {
    const text = readFileSync(join(import.meta.dirname, '../replay/fixtures/journey-v0.ndjson'), 'utf8');
    writeFileSync(join(cwd, 'old.ndjson'), text.replace('"reason":"snoozed"', '"reason":"guest"'));
    const { code, stdout } = await runHere(['replay', 'old.ndjson'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('line 11, step 8: reason');
    writeFileSync(join(cwd, 'cut.ndjson'), text.trimEnd().split('\n').slice(0, 4).join('\n'));
    expect(parseOutput(await runHere(['replay', 'cut.ndjson', '--json'], { cwd }))).toMatchObject({
      error: { code: 'journey-damaged' },
    });
  });

  it.each([
    [['export', '--db', 'no-such.db'], 'file-unreadable'],
    [['export', '--url', 'http://localhost:1'], 'server-unreachable'],
    [['export', '--db', 'a.db', '--url', 'http://localhost:1'], 'usage-invalid'],
    [['replay', 'no-such.ndjson'], 'file-unreadable'],
    [['replay'], 'usage-invalid'],
    [['replay', 'lab.ndjson', '--step', '99'], 'usage-invalid'],
    [['replay', 'lab.ndjson', '--interactive'], 'usage-invalid'],
  ])('the arguments %j fail with the error %s', async (argv, code) => {
    const ended = await runHere([...argv, '--json'], { cwd });
    expect([ended.code, parseOutput(ended)]).toMatchObject([2, { error: { code } }]);
  });

  it('keys move forward and backward through the journey until q is pressed', async () => {
    const context = testContext({ cwd, isTty: true });
    const ended = runProgram(['replay', 'lab.ndjson', '--interactive'], context);
    await Promise.race([context.stdout.until((text) => text.includes('step 0 of 3')), ended]);
    for (const key of ['\u001b[C', 'n', 'G', '\u001b[D', 'g', 'q']) context.press(key);
    expect(await ended).toBe(0);
    const steps = [...context.stdout.text.matchAll(/step (\d) of 3/g)].map(([, step]) => step);
    expect(steps).toEqual(['0', '1', '2', '3', '2', '0']);
  });
});
