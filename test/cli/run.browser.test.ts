import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

interface Report {
  readonly summary: { readonly passed: number; readonly failed: number };
  readonly results: readonly { readonly driver: string; readonly evidence?: readonly string[] }[];
}

/** Creates a suite whose only scenario expects the given page. */
function suiteExpecting(page: string): string {
  return suiteFolder({
    'scenarios/one.yaml': `name: A prompt\ngiven: { tenant: app-enabled, users: { ada: sms-user } }\nsteps:\n  - signIn: { user: ada }\n    expect: { page: ${page} }\n`,
  });
}

async function run(cwd: string, argv: readonly string[]): Promise<{ code: number; report: Report }> {
  const ended = await runHere(['run', '--driver', 'browser', '--json', ...argv], { cwd });
  return { code: ended.code, report: parseOutput(ended) as Report };
}

describe('run --driver browser', { timeout: 240_000 }, () => {
  it('runs scenarios in a browser and keeps no evidence of passed ones', async () => {
    const cwd = suiteExpecting('prompt');
    const { code, report } = await run(cwd, ['--report', 'out']);
    expect({ code, ...report.summary }).toMatchObject({ code: 0, passed: 1, failed: 0 });
    expect(report.results.map(({ driver, evidence }) => ({ driver, evidence }))).toEqual([
      { driver: 'browser', evidence: undefined },
    ]);
    expect(existsSync(join(cwd, 'out', 'browser'))).toBe(false);
  }, 60_000);

  it('keeps trace, screenshots, journal and verdicts of a failed scenario, without the password in readable files', async () => {
    const cwd = suiteExpecting('not-nudged');
    const { code, report } = await run(cwd, ['--report', 'out']);
    const folder = join(cwd, 'out', 'browser', 'scenarios-one.yaml');
    expect(code).toBe(1);
    expect(readdirSync(folder).sort()).toEqual([
      'explain.json',
      'journal.json',
      'tab-1.png',
      'tab-1.webp',
      'trace-1.zip',
    ]);
    expect(report.results[0]?.evidence).toHaveLength(5);
    expect(readFileSync(join(cwd, 'out', 'report.html'), 'utf8')).toContain('<img src="data:image/webp;base64,');
    const [signIn] = JSON.parse(readFileSync(join(folder, 'explain.json'), 'utf8')) as [{ verdict: unknown }];
    expect(signIn.verdict).toMatchObject({ outcome: 'skippable' });
    const journal = readFileSync(join(folder, 'journal.json'), 'utf8');
    expect(journal).toContain('signIn.started');
    expect(journal).not.toContain('correct horse');
  }, 60_000);

  it('keeps no evidence without a report folder', async () => {
    const { code, report } = await run(suiteExpecting('not-nudged'), []);
    expect({ code, evidence: report.results[0]?.evidence }).toEqual({ code: 1, evidence: undefined });
  }, 60_000);

  it('browser-missing: a configured browser that does not start exits with 2', async () => {
    const cwd = suiteExpecting('prompt');
    const env = { NUDGELAB_BROWSER: join(cwd, 'no-browser') };
    const { code, stdout, stderr } = await runHere(['run', '--driver', 'browser', '--json'], { cwd, env });
    expect(code).toBe(2);
    expect(`${stdout}${stderr}`).toContain('browser-missing');
  });

  it('server-unreachable: a missing server is detected before the first scenario', async () => {
    const { code } = await runHere(['run', '--driver', 'browser', '--url', 'http://localhost:9'], {
      cwd: suiteExpecting('prompt'),
    });
    expect(code).toBe(2);
  }, 60_000);
});
