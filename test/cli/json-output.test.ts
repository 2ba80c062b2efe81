import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from './command-context.ts';
import { failing, passing, rows, suiteFolder } from './suite-folder.ts';

/** Settings that make a run print more text for people: a terminal, a CI job and `npm start`. */
const talkative = { isTty: true, env: { GITHUB_ACTIONS: 'true', npm_lifecycle_event: 'start', FORCE_COLOR: '1' } };
const journey = join(import.meta.dirname, '../replay/fixtures/journey-v0.ndjson');

function ownFolder(): string {
  return suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/b.yaml': failing, 'scenarios/c.yaml': rows });
}

describe('--json', () => {
  it.each([
    [['run', '--report', 'out', '--fail-on-skip', '--repeat-each', '2'], 1],
    [['run', '--driver', 'model,http', '--quiet'], 1],
    [['run', 'scenarios/a.yaml', '--last-failed'], 0],
    [['run', '--filter', 'zebra'], 1],
    [['run', '--no-such-option'], 2],
    [['lint'], 0],
    [['lint', 'nowhere'], 2],
    [['explain', '--user', 'sms-user', '--tenant', 'app-enabled'], 0],
    [['schema'], 0],
    [['schema', 'scenario'], 0],
    [['replay', journey], 0],
    [['explore', 'nudge'], 0],
  ] as const)(
    'the command %j prints exactly one JSON value, even on a terminal and in a CI job',
    async (argv, wanted) => {
      const { code, stdout } = await runHere([...argv, '--json'], { cwd: ownFolder(), ...talkative });
      expect({ argv, code, stdout: code === wanted ? '' : stdout }).toEqual({ argv, code: wanted, stdout: '' });
      const value: unknown = JSON.parse(stdout);
      expect(value).toBeTypeOf('object');
      expect(value).not.toBeNull();
    },
  );

  it('without --json, no line of the same run is JSON', async () => {
    const { stdout } = await runHere(['run'], { cwd: ownFolder(), ...talkative });
    expect(stdout.split('\n').filter((line) => /^[[{]/.test(line))).toEqual([]);
    expect(stdout).toContain('::error');
  });

  it('a run prints the same report as it writes', async () => {
    const cwd = ownFolder();
    const { stdout } = await runHere(['run', '--report', 'out', '--json'], { cwd, ...talkative });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(cwd, 'out/report.json'), 'utf8')));
  });
});
