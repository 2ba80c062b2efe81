import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { methodKinds } from '../../machines/own/own-ruleset.ts';
import { ownForecastSchema } from '../../src/contract/own-forecast.schema.ts';
import { ownRulesetShape } from '../../src/contract/ruleset.schema.ts';
import { readOwnText } from '../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';
import { usual } from '../forecast/own/own-descriptions.ts';
import { nonEmpty } from '../non-empty.ts';
import { gateText, rulesetFolder } from '../scenario/rulesets/modules/module-folder.ts';
import { rulesetText } from '../scenario/rulesets/ruleset-text.ts';
import { parseOutput, runHere } from './command-context.ts';

const plain = '{ id: F1, module: ./a.gate.js }';

/** Writes a ruleset with a module, and a scenario that names it. Returns the folder. */
function suiteWith(module: string): string {
  const path = rulesetFolder(plain, { 'a.gate.js': module });
  const text =
    'name: A\nruleset: ./a.ruleset.yaml\ngiven: { users: { ada: {} } }\nsteps:\n  - signIn: { user: ada }\n    expect: { outcome: skippable }\n';
  writeFileSync(join(dirname(path), 'a.yaml'), text);
  return dirname(path);
}

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'nudgelab-ruleset-'));
}

/** Runs init with options. Returns the folder and the written files. */
async function initWith(...options: readonly string[]): Promise<{ readonly cwd: string; readonly files: string[] }> {
  const cwd = emptyFolder();
  const ended = await runHere(['ruleset', 'init', '--json', ...options], { cwd });
  expect(ended.code).toBe(0);
  const { files } = parseOutput(ended) as { files: string[] };
  return { cwd, files };
}

/** Checks that a ruleset has no faults and no warnings, and that its scenarios pass. */
async function expectSound(cwd: string, files: readonly string[], least = 2): Promise<void> {
  const ruleset = files.find((file) => file.endsWith('.ruleset.yaml')) ?? '';
  expect(await runHere(['ruleset', 'check', '--strict', ruleset], { cwd })).toMatchObject({ code: 0 });
  const scenarios = files.filter((file) => file.endsWith('.yaml') && !/\.(ruleset|forecast)\.yaml$/.test(file));
  expect(scenarios.length).toBeGreaterThanOrEqual(least);
  const run = await runHere(['run', ...scenarios, '--driver', 'model', '--json'], { cwd });
  expect(run.code).toBe(0);
  expect(parseOutput(run)).toMatchObject({ summary: { failed: 0 } });
}

describe('ruleset init', () => {
  test.each(nonEmpty(methodKinds))(
    'OC40 --kind %s writes a ruleset that passes check, and scenarios that pass',
    async (kind) => {
      const { cwd, files } = await initWith('--kind', kind, '--id', `my-${kind}`, '--every', '36h', '--limit', '2');
      const forecast = parse(readFileSync(join(cwd, `my-${kind}.forecast.yaml`), 'utf8')) as unknown;
      expect(ownForecastSchema.safeParse(forecast)).toMatchObject({
        success: true,
        data: { ruleset: `./my-${kind}.ruleset.yaml` },
      });
      await expectSound(cwd, files);
    },
  );

  test('OC40 --limit 0 writes no limit, and every key has a comment with its meaning', async () => {
    const { cwd, files } = await initWith('--limit', '0');
    await expectSound(cwd, files);
    const lines = readFileSync(join(cwd, 'my-campaign.ruleset.yaml'), 'utf8').split('\n');
    for (const key of nonEmpty(Object.keys(ownRulesetShape))) {
      const at = lines.findIndex((line) => line.startsWith(`${key}:`) || line.startsWith(`# ${key}: `));
      expect([key, lines[at - 1]?.startsWith('# ')]).toEqual([key, true]);
    }
  });

  test('OC40 each key that is a comment can be used', async () => {
    const { cwd } = await initWith('--kind', 'terms');
    const text = readFileSync(join(cwd, 'my-campaign.ruleset.yaml'), 'utf8');
    const commented = text
      .split('\n')
      .filter((line) => /^# [a-z]+: /.test(line) && !line.includes('yaml-language-server'));
    for (const line of nonEmpty(commented)) {
      const used = text.replace(line, line.slice(2));
      expect([line, readOwnText(parseRulesetText('a.ruleset.yaml', used)).faults]).toEqual([line, []]);
    }
  });

  test.each(['passkey-week', 'passkey-by-ecosystem', 'passkey-90-days', 'second-factor-deadline', 'agency-addresses'])(
    'OC40 --from %s copies the example with its scenarios and modules',
    async (example) => {
      const { cwd, files } = await initWith('--from', example);
      await expectSound(cwd, files, 1);
    },
  );

  test.each([
    ['--from', 'passkey-weak', 'did you mean "passkey-week"'],
    ['--id', 'My campaign', '--id My campaign must be an id'],
    ['--id', '../other', '--id ../other must be an id'],
    ['--every', '7', 'write 7d'],
    ['--every', '1mo', 'no elapsed time'],
    ['--every', '0', 'no elapsed time'],
    ['--kind', 'paskey', 'did you mean "passkey"'],
  ])('usage-invalid: %s %s', async (option, value, part) => {
    const ended = await runHere(['ruleset', 'init', option, value], { cwd: emptyFolder() });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(part) });
  });

  test('usage-invalid: --from takes no choices; file-exists: nothing is overwritten without --force', async () => {
    const { cwd } = await initWith('--from', 'passkey-week');
    const both = await runHere(['ruleset', 'init', 'other', '--from', 'passkey-week', '--limit', '2'], { cwd });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') });
    const again = await runHere(['ruleset', 'init', '--from', 'passkey-week'], { cwd });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('file-exists') });
    expect((await runHere(['ruleset', 'init', '--from', 'passkey-week', '--force'], { cwd })).code).toBe(0);
  });

  test('OC44 schema prints the schema of a ruleset file', async () => {
    const ended = await runHere(['ruleset', 'schema'], { cwd: emptyFolder() });
    const { anyOf } = JSON.parse(ended.stdout) as { anyOf: readonly object[] };
    expect(anyOf).toHaveLength(2);
    for (const shape of anyOf) expect(shape).toHaveProperty('properties.gates');
  });
});

/** Differences that `ruleset diff --json` prints. */
interface PrintedDiff {
  readonly exact: boolean;
  readonly keys: readonly unknown[];
  readonly facts: readonly PrintedDifference[];
  readonly journeys: readonly PrintedDifference[];
}
interface PrintedDifference {
  readonly verdicts: readonly string[];
  readonly scenario: { readonly steps: readonly object[] };
}

/** Writes the example `name` and a changed copy to a folder, and compares them. */
async function diffExample(name: string, before: string, after: string) {
  const cwd = emptyFolder();
  const text = readFileSync(`rulesets/${name}.ruleset.yaml`, 'utf8');
  expect(text).toContain(before);
  writeFileSync(join(cwd, 'one.ruleset.yaml'), text);
  writeFileSync(join(cwd, 'other.ruleset.yaml'), text.replaceAll(before, after));
  const ended = await runHere(['ruleset', 'diff', 'one.ruleset.yaml', 'other.ruleset.yaml', '--json'], { cwd });
  expect(ended.code).toBe(0);
  return { cwd, diff: parseOutput(ended) as PrintedDiff };
}

describe('ruleset diff', () => {
  test.each([
    ['passkey-90-days', 'every: 90d', 'every: 30d'],
    ['passkey-90-days', 'fact: user.passkeys, size: { atLeast: 1 }', 'fact: user.passkeys, size: { atLeast: 2 }'],
    ['passkey-by-ecosystem', 'effect: never', 'effect: session'],
    ['second-factor-deadline', 'inFuture: true, missing: pass', 'inFuture: true'],
    ['passkey-week', 'atLeastOld: 2h', 'atLeastOld: 3h'],
    ['passkey-week', 'default: 7d', 'default: 8d'],
  ])('OC43 %s with %s as %s: the printed scenarios have the printed verdicts', async (name, before, after) => {
    const { cwd, diff } = await diffExample(name, before, after);
    expect(diff.keys.length).toBeGreaterThan(0);
    for (const [at, { verdicts, scenario }] of nonEmpty([...diff.facts, ...diff.journeys]).entries()) {
      for (const [index, ruleset] of ['one', 'other'].entries()) {
        const [verdict = ''] = (verdicts[index] ?? '').split(' with ');
        const isPrompt = ['skippable', 'required', 'blocked'].includes(verdict);
        const expected = isPrompt ? { outcome: verdict } : { reason: verdict };
        const steps = [...scenario.steps.slice(0, -1), { ...scenario.steps.at(-1), expect: expected }];
        const whole = { name: 'A', ruleset: `./${ruleset}.ruleset.yaml`, ...scenario, steps };
        const file = `${ruleset}-${at}.yaml`;
        writeFileSync(join(cwd, file), JSON.stringify(whole));
        expect(await runHere(['run', file, '--driver', 'model'], { cwd })).toMatchObject({ code: 0, stderr: '' });
      }
    }
  });

  test('OC43 the built-in two are compared exactly, as text and as JSON', async () => {
    const cwd = emptyFolder();
    const diff = parseOutput(await runHere(['ruleset', 'diff', 'seed', '2026-09', '--json'], { cwd })) as PrintedDiff;
    expect(diff).toMatchObject({ exact: true, journeys: [] });
    expect(diff.facts).toHaveLength(5);
    const { code, stdout } = await runHere(['ruleset', 'diff', 'seed', '2026-09'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('matrix.authenticator-app.mac-chrome: true  /  false');
    expect(stdout).toContain('local-passkey  /  skippable: campaign: passkey, passkey: authenticator-app');
  });

  test('OC43 a file with a built-in base is compared with it, by what it states', async () => {
    const cwd = emptyFolder();
    const lines = [
      'ruleset: variant\nversion: 1.0.0\nformat: 1\ntitle: A variant\nbase: 2026-09',
      'facts: { user: { vip: { type: boolean, default: false } } }',
      'gates:\n  V1: { summary: A., when: { fact: user.facts.vip, is: false }, stop: is-vip, after: S3 }',
      'reasons: { is-vip: A. }\n',
    ];
    writeFileSync(join(cwd, 'variant.ruleset.yaml'), lines.join('\n'));
    const ended = await runHere(['ruleset', 'diff', '2026-09', 'variant.ruleset.yaml', '--json'], { cwd });
    const diff = parseOutput(ended) as PrintedDiff;
    expect(diff).toMatchObject({
      exact: true,
      facts: [{ verdicts: ['skippable', 'is-vip'], facts: { 'user.facts.vip': 'true' } }],
    });
    expect(diff.facts).toHaveLength(1);
    expect(JSON.stringify(diff.keys)).not.toContain('null');
  });

  test('OC43 equal rulesets have no difference', async () => {
    const { diff } = await diffExample('passkey-90-days', 'title: A passkey prompt', 'title: Another prompt');
    expect(diff).toMatchObject({ facts: [], journeys: [], exact: true, keys: [{ path: 'title' }] });
  });

  test('OC43 without a prompt under both rulesets, no journeys are compared', async () => {
    const names = ['passkey-week', 'second-factor-deadline'].map((name) => resolve(`rulesets/${name}.ruleset.yaml`));
    const { stdout } = await runHere(['ruleset', 'diff', ...names], { cwd: emptyFolder() });
    const sentence =
      'No first sign-in that was compared leads to a prompt under both rulesets, so journeys were not compared.';
    expect(stdout).toContain(sentence);
  });

  test('OC43 a module without samples is not compared as a whole, and says so', async () => {
    const gate = gateText({
      judge: "({ user: { facts: { level } } }) => (level > 3 ? met({ level }) : stopped('low', { level }))",
    });
    const path = rulesetFolder(plain, { 'a.gate.js': gate, 'b.gate.js': gate.replace(/samples: .*\},/, '') });
    writeFileSync(join(dirname(path), 'b.ruleset.yaml'), readFileSync(path, 'utf8').replace('a.gate.js', 'b.gate.js'));
    const cwd = dirname(path);
    const same = parseOutput(await runHere(['ruleset', 'diff', 'a.ruleset.yaml', 'a.ruleset.yaml', '--json'], { cwd }));
    expect(same).toMatchObject({ exact: true, facts: [] });
    const other = parseOutput(
      await runHere(['ruleset', 'diff', 'b.ruleset.yaml', 'b.ruleset.yaml', '--json'], { cwd }),
    );
    expect(other).toMatchObject({ exact: false, facts: [] });
    expect(JSON.stringify(other)).toContain('Not all facts were compared');
  });

  test.each([
    [['seed'], 2, 'usage-invalid'],
    [['seed', '2026-09', 'announced'], 2, 'usage-invalid'],
    [['seed', 'one.ruleset.yaml'], 2, 'rulesets-not-comparable'],
    [['one.ruleset.yaml', 'text.ruleset.yaml'], 2, 'user.facts.level is of type integer'],
    [['one.ruleset.yaml', 'faulty.ruleset.yaml'], 2, 'faulty.ruleset.yaml:3:'],
    [['one.ruleset.yaml', 'seeds'], 2, 'file-unreadable'],
  ])('%j ends with %i and %s', async (names, code, part) => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'one.ruleset.yaml'), rulesetText());
    writeFileSync(join(cwd, 'faulty.ruleset.yaml'), rulesetText({ format: 'format: 2' }));
    const facts = 'facts: { user: { level: { type: text, default: null } } }';
    writeFileSync(join(cwd, 'text.ruleset.yaml'), rulesetText({ facts }));
    const ended = await runHere(['ruleset', 'diff', ...names], { cwd });
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(part) });
  });
});

describe('ruleset check', () => {
  test.each([
    ['gate-failed', "() => { throw new Error('no'); }"],
    ['gate-read-undeclared', '({ user }) => met({ a: user.facts.domain })'],
  ])('OC32 %s: a scenario whose module fails ends run with 3, never as passed or failed', async (code, judge) => {
    const cwd = suiteWith(gateText({ judge }));
    const ended = await runHere(['run', 'a.yaml', '--driver', 'model'], { cwd });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(`error ${code}`);
    expect(ended.stderr).toContain('./a.gate.js');
    expect(ended.stderr).toContain('the scenario "A" of a.yaml');
  });

  test('OC32 gate-failed: a module that never returns is stopped, and run ends with its name', {
    timeout: 60_000,
  }, async () => {
    const cwd = suiteWith(gateText({ judge: '() => { for (;;); }' }));
    const ended = await runHere(['run', 'a.yaml', '--driver', 'model'], { cwd });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('error gate-failed');
    expect(ended.stderr).toContain('The gate F1 (./a.gate.js) of the ruleset');
    expect(ended.stderr).toContain('does not return; its call was stopped after 5 s.');
    expect(ended.stderr).toContain('the scenario "A" of a.yaml');
  });

  test('OC37 check --no-modules does not run the module, and check does', async () => {
    const cwd = suiteWith("throw new Error('run');");
    expect((await runHere(['ruleset', 'check', '--no-modules', 'a.ruleset.yaml'], { cwd })).code).toBe(0);
    const ended = await runHere(['ruleset', 'check', 'a.ruleset.yaml'], { cwd });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('RS34 a.ruleset.yaml:8:27');
  });
});

describe('forecast of a ruleset without tables', () => {
  test('OC53 the message about --verify says what works, also with --engine fold', async () => {
    const cwd = emptyFolder();
    const gates =
      'gates: [{ id: G1, summary: Often., when: { signIns: { within: 7d }, atLeast: 2 }, stop: not-often }]';
    writeFileSync(
      join(cwd, 'a.ruleset.yaml'),
      rulesetText({ gates, reasons: 'reasons: { not-often: Not often enough. }' }),
    );
    const description = { ruleset: './a.ruleset.yaml', users: 20, days: 5, defaults: usual.defaults };
    writeFileSync(join(cwd, 'a.forecast.yaml'), JSON.stringify(description));
    const table = await runHere(['forecast', 'a.forecast.yaml', '--verify', '5'], { cwd });
    expect(table).toMatchObject({ code: 2, stderr: expect.stringMatching(/RC4 .*with --engine fold the forecast/) });
    const fold = await runHere(['forecast', 'a.forecast.yaml', '--engine', 'fold', '--verify', '5'], { cwd });
    expect(fold).toMatchObject({ code: 2, stderr: expect.stringMatching(/RC4 .*--verify compares the tables/) });
    expect((await runHere(['forecast', 'a.forecast.yaml', '--engine', 'fold'], { cwd })).code).toBe(0);
  });
});
