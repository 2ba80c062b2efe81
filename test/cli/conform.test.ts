import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples');
const journey = join(import.meta.dirname, '..', 'replay', 'fixtures', 'journey-v0.ndjson');

/** Creates a folder with the logs and the mapping of the guide, and other files. */
function logFolder(files: Readonly<Record<string, string>> = {}): string {
  const cwd = suiteFolder(files);
  for (const name of ['prompts-february.csv', 'prompts-march.csv', 'prompts.mapping.yaml']) {
    copyFileSync(join(examples, name), join(cwd, name));
  }
  return cwd;
}

const mapped = ['--mapping', 'prompts.mapping.yaml'];
const user = (count: number): string =>
  Array.from({ length: count }, (_, at) => `u${at};02.02.2026 09:05;remind me later;1`).join('\n');

describe('nudgelab conform', () => {
  it('R5: a log that fits exits with 0, and one that does not with 1, its rule, states and nearest behavior', async () => {
    const cwd = logFolder();
    const good = await runHere(['conform', 'prompts-february.csv', ...mapped], { cwd });
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringMatching(/^prompts-february\.csv: 7 events of 2 users, \d+ ms\nfits the ruleset seed\n$/),
    ]);
    const bad = await runHere(['conform', 'prompts-march.csv', ...mapped], { cwd });
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('DOES NOT FIT the ruleset seed: 2 of 3 users fit (66.6 %), 1 impossible event\n');
    expect(bad.stdout).toContain(
      'User c.lind, line 9, between 2026-03-03T08:55:00.000Z and 2026-03-03T08:55:59.999Z\n  R5: ',
    );
    expect(bad.stdout).toContain('or it is at 2026-03-05T09:31:00.000Z, 2 days later; or it is dropped\n');
  });

  it('R5: the report in the guide is what the program prints', async () => {
    const page = readFileSync(join(examples, '..', 'how-to', 'conformance.md'), 'utf8');
    const [, shown = ''] = /```text\n([\s\S]*?)```/.exec(page) ?? [];
    const { stdout } = await runHere(['conform', 'prompts-march.csv', ...mapped], { cwd: logFolder() });
    expect(stdout.split('\n').slice(1).join('\n')).toBe(shown);
  });

  it('R6: --json has every ruleset, the best first, and --ruleset accepts ids and files', async () => {
    const cwd = logFolder({
      'team.ruleset.yaml': 'ruleset: team\nversion: 1.0.0\nformat: 1\ntitle: Team\nbase: seed\n',
    });
    const args = ['conform', 'prompts-march.csv', ...mapped, '--ruleset', 'seed,2026-09,team.ruleset.yaml', '--json'];
    const { fits, events, rulesets } = parseOutput(await runHere(args, { cwd })) as {
      fits: boolean;
      events: number;
      rulesets: readonly { ruleset: string; share: number }[];
    };
    expect({ fits, events }).toEqual({ fits: false, events: 12 });
    expect(rulesets.map(({ ruleset }) => ruleset).toSorted()).toEqual(['2026-09', 'seed', 'team']);
    const shares = rulesets.map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    const text = await runHere(args.slice(0, -1), { cwd });
    expect(text.stdout).toContain('Rulesets, the best first:\n');
  });

  it('A26: --max-misfits limits the explained users, and the rest is counted', async () => {
    const cwd = logFolder({ 'skips.csv': `employee;when;what;snoozes\n${user(15)}\n` });
    const some = await runHere(['conform', 'skips.csv', ...mapped, '--max-misfits', '2'], { cwd });
    expect(some.code).toBe(1);
    expect(some.stdout.match(/^User u/gm)).toHaveLength(2);
    expect(some.stdout).toContain('13 more users not shown; --max-misfits shows more\n');
    expect(some.stdout).toContain('15 events, the first one of 15 users; for example user u0, line 2\n');
  });

  it('R7: a journey needs no mapping, also from standard input', async () => {
    const fromFile = await runHere(['conform', journey]);
    expect([fromFile.code, fromFile.stderr]).toEqual([0, '']);
    const fromStdin = await runHere(['conform', '-', '--json'], { stdin: [readFileSync(journey, 'utf8')] });
    expect(parseOutput(fromStdin)).toMatchObject({ fits: true });
  });

  it('R5: the mapping sign-in-log reads an export, newest row first, and finds a prompt that nothing explains', async () => {
    const row = (user: string, day: number, errorCode: number): object => ({
      createdDateTime: `2026-03-0${day}T09:00:00Z`,
      correlationId: `${user}-${day}-${errorCode}`,
      userId: user,
      status: { errorCode },
    });
    const ada = [row('ada', 5, 0), row('ada', 5, 50203), row('ada', 1, 0), row('ada', 1, 50203)];
    const ben = [row('ben', 2, 50203), row('ben', 1, 502031), row('ben', 1, 50126)];
    const cwd = suiteFolder({ 'export.json': JSON.stringify({ value: [...ada, ...ben] }) });
    const result = await runHere(['conform', 'export.json', '--mapping', 'sign-in-log', '--json'], { cwd });
    expect(parseOutput(result)).toMatchObject({
      events: 6,
      ignored: 1,
      rulesets: [{ ruleset: 'seed', users: 2, fittingUsers: 1, examples: [{ user: 'ben', rule: 'R6' }] }],
    });
  });

  it('R5: values that the mapping lacks are reported with their number', async () => {
    const cwd = logFolder({
      'more.csv': 'employee;when;what;snoozes\na;02.02.2026 09:05;prompt shown;0\na;02.02.2026 09:05;lunch;0\n',
    });
    const { code, stdout } = await runHere(['conform', 'more.csv', ...mapped], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('1 event not checked, because the mapping lacks: lunch\n');
  });

  it('OC24: users with an unknown past are checked under an own ruleset', async () => {
    const cwd = logFolder({
      'past.mapping.yaml': `${readFileSync(join(examples, 'prompts.mapping.yaml'), 'utf8')}start: unknown\n`,
    });
    const file = join(examples, '..', '..', 'rulesets', 'passkey-week.ruleset.yaml');
    const args = ['conform', 'prompts-march.csv', '--mapping', 'past.mapping.yaml', '--ruleset', file, '--json'];
    const result = await runHere(args, { cwd });
    expect([result.code, parseOutput(result)]).toMatchObject([1, { rulesets: [{ fits: false }] }]);
  });

  it.each([
    ['usage-invalid', ['prompts-march.csv'], '--mapping'],
    ['usage-invalid', [journey, ...mapped], 'needs no --mapping'],
    ['usage-invalid', ['prompts-march.csv', 'prompts-march.csv', ...mapped], 'Expected 1 argument'],
    ['usage-invalid', ['prompts-march.csv', ...mapped, '--ruleset', 'sed'], 'did you mean "seed"?'],
    ['file-unreadable', ['.', ...mapped], 'is a folder'],
    ['file-unreadable', ['nothing.csv', ...mapped], 'nothing.csv does not exist'],
    ['file-unreadable', ['prompts-march.csv', '--mapping', 'no.mapping.yaml'], 'no.mapping.yaml cannot be read'],
    ['mapping-invalid', ['prompts-march.csv', '--mapping', 'bad.mapping.yaml'], 'bad.mapping.yaml:1:'],
    ['log-invalid', ['bad.csv', ...mapped], 'bad.csv:2'],
    ['log-invalid', ['none.csv', ...mapped], 'none.csv has no events'],
  ])('%s: exits with 2 for %j', async (code, args, message) => {
    const cwd = logFolder({
      'bad.mapping.yaml': 'usr: a\n',
      'bad.csv': 'employee;when;what;snoozes\na;noon;prompt shown;0\n',
      'none.csv': 'employee;when;what;snoozes\na;02.02.2026 09:05;lunch;0\n',
    });
    const result = await runHere(['conform', ...args], { cwd });
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining(code)]);
    expect(result.stderr).toContain(message);
  });
});
