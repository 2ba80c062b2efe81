import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInFiles } from '../../machines/rulesets/built-in.ts';
import { findBuiltInFile } from '../../src/scenario/rulesets/built-in-text.ts';
import { runHere } from './command-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-dated-'));
const file = join(folder, 'weekly.ruleset.yaml');
writeFileSync(
  file,
  `ruleset: weekly
version: 1.0.0
format: 1
title: Weekly
base: 2026-09
gates: { P1: { after: C1, summary: Members only., when: { fact: user.type, is: member }, stop: not-a-member } }
reasons: { not-a-member: 'A {saw.type} is not asked.' }
editions: [{ from: 2026-06-01, set: { requirement: { required: { fact: user.type, is: member } } } }]
`,
);

describe('OC44: ruleset list and export', () => {
  test('lists the built-in rulesets, and those of files, with base and digest', async () => {
    const { code, stdout } = await runHere(['ruleset', 'list', 'weekly.ruleset.yaml', '--json'], { cwd: folder });
    const { rulesets } = JSON.parse(stdout) as { rulesets: readonly Record<string, string>[] };
    expect(code).toBe(0);
    expect(rulesets.map(({ id, base, digest }) => ({ id, base, digest }))).toEqual([
      ...builtInFiles.map(({ id, digest }) => ({ id, base: 'registration-campaign', digest })),
      { id: 'weekly', base: 'registration-campaign', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    const text = await runHere(['ruleset', 'list', 'weekly.ruleset.yaml'], { cwd: folder });
    expect(text.stdout.trim().split('\n')).toHaveLength(4);
    expect(text.stdout).toMatch(/^weekly +1\.0\.0 +registration-campaign +[0-9a-f]{12} +Weekly /m);
  });

  test.for(['seed', '2026-09', 'announced'])('exports the file of %s, which can be read again', async (id) => {
    const { code, stdout } = await runHere(['ruleset', 'export', id], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(findBuiltInFile(id), 'utf8'));
    const copy = stdout.replace(`ruleset: ${id}`, 'ruleset: copy');
    writeFileSync(join(folder, 'copy.ruleset.yaml'), copy);
    expect((await runHere(['ruleset', 'check', 'copy.ruleset.yaml'], { cwd: folder })).code).toBe(0);
  });

  test.for([['export'], ['export', 'weekly'], ['export', 'seed', 'announced'], ['list', 'none.ruleset.yaml']])(
    'rejects %j',
    async (words) => {
      expect((await runHere(['ruleset', ...words], { cwd: folder })).code).toBe(2);
    },
  );
});

describe('OC42: explain of rulesets with dates', () => {
  test('explains a built-in ruleset by its id, with each edition and its source', async () => {
    const { stdout } = await runHere(['ruleset', 'explain', 'announced'], { cwd: folder });
    expect(stdout.match(/^From 20\d\d-\d\d-\d\dT00:00:00\.000Z \(edition/gm)).toHaveLength(4);
    expect(stdout).toContain('Registration is required if user.facts.phoneMethodsEnabled is true and');
    expect(stdout.match(/^Source: learn/gm)).toHaveLength(4);
  });

  test('--edition shows the rules of that edition alone, and rejects another one', async () => {
    const { stdout } = await runHere(['ruleset', 'explain', 'announced', '--edition', '2027-07-01'], { cwd: folder });
    expect(stdout).toContain('(edition 2027-07-01)');
    expect(stdout).not.toContain('globalAdministrator');
    const wrong = await runHere(['ruleset', 'explain', 'announced', '--edition', '2027'], { cwd: folder });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('2026-09-01, 2026-10-30') });
    const none = await runHere(['ruleset', 'explain', 'seed', '--edition', '2027'], { cwd: folder });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no editions') });
  });
});

describe('OC58: explain --ruleset and --at', () => {
  test('explains by a file, in the words of the file', async () => {
    const { stdout } = await runHere(['explain', '--user', 'guest', '--ruleset', file], { cwd: folder });
    expect(stdout).toContain('guest: Not prompted: a guest is not asked. (P1, not-a-member)');
    expect(stdout).toContain('ruleset weekly');
  });

  test('marks the times at which the verdict changes', async () => {
    const times = '2026-08-31,2026-09-01,2026-10-30,2027-02-01';
    const { stdout } = await runHere(['explain', '--user', 'sms-user', '--ruleset', 'announced', '--at', times], {
      cwd: folder,
    });
    const lines = stdout.trim().split('\n').slice(1);
    expect(lines.map((line) => line.endsWith('  changes'))).toEqual([false, true, false, true]);
    expect(lines.at(-1)).toContain('announced (edition 2027-02-01)  Prompted; registration required');
  });

  test('--facts takes one time for all lines, and facts of the ruleset', async () => {
    const lines = [{}, { facts: { globalAdministrator: true } }].map((user) =>
      JSON.stringify({ ruleset: 'announced', user: { id: 'ada', ...user } }),
    );
    writeFileSync(join(folder, 'facts.jsonl'), `${lines.join('\n')}\n`);
    const { stdout } = await runHere(['explain', '--facts', 'facts.jsonl', '--at', '2027-02-01'], { cwd: folder });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { outcome: string; edition: string })
        .map(({ outcome, edition }) => [outcome, edition]),
    ).toEqual([
      ['required', '2027-02-01'],
      ['skippable', '2027-02-01'],
    ]);
  });

  test.for([
    [['--user', 'sms-user', '--at', 'soon'], '"soon" is no instant'],
    [['--user', 'sms-user', '--ruleset', 'none'], '"none" is not one of seed, 2026-09, announced'],
    [['--facts', 'facts.jsonl', '--at', '2027-01-01,2027-02-01'], 'one time for all lines'],
  ] as const)('rejects %j', async ([words, message]) => {
    const ended = await runHere(['explain', ...words], { cwd: folder });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
