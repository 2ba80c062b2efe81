import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { userFolder } from './user-folder.ts';

/** Returns the text of each file in a folder by its name. */
function readContents(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).toSorted();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const quick = ['--coverage', 'reasons'];

interface Printed {
  readonly sizeProof: {
    readonly tests: number;
    readonly cost: number;
    readonly lowerBound: number;
    readonly gap: number;
    readonly complete: boolean;
  };
  readonly files: readonly string[];
  readonly removed: readonly string[];
}

describe('generate', () => {
  it('R5, R6: scenarios of the lifecycle pass on model and http, and their sizeProof is printed', async () => {
    const cwd = userFolder();
    const made = await runHere(['generate', '--snooze-days', '1', '--coverage', 'states', '--out', 'made', '--json'], {
      cwd,
    });
    expect(made.code).toBe(0);
    const { sizeProof, files } = parseOutput(made) as Printed;
    expect(sizeProof).toMatchObject({ complete: true, tests: files.length });
    expect(sizeProof.cost - sizeProof.lowerBound).toBe(sizeProof.gap);
    for (const driver of ['model', 'http']) {
      const ran = await runHere(['run', 'made', '--driver', driver, '--json'], { cwd });
      expect(ran.code, driver).toBe(0);
      expect(parseOutput(ran)).toMatchObject({ summary: { passed: files.length, failed: 0, skipped: 0 } });
    }
  }, 60_000);

  it.each(['guards', 'rules', 'reasons', 'assumptions'])(
    '--coverage %s: a run confirms the claims of the generated scenarios',
    async (goal) => {
      const cwd = userFolder();
      expect((await runHere(['generate', '--coverage', goal, '--out', 'made'], { cwd })).code).toBe(0);
      expect((await runHere(['run', 'made'], { cwd })).code).toBe(0);
    },
  );

  it('the same command writes the same bytes and removes files that it no longer generates', async () => {
    const cwd = userFolder();
    const formats = ['--format', 'scenarios,vitest,playwright,gherkin,json'];
    await runHere(['generate', ...quick, ...formats, '--out', 'one'], { cwd });
    await runHere(['generate', ...quick, ...formats, '--out', 'other'], { cwd });
    expect(readContents(join(cwd, 'one'))).toEqual(readContents(join(cwd, 'other')));
    const again = await runHere(['generate', ...quick, '--format', 'gherkin', '--out', 'one', '--json'], { cwd });
    expect((parseOutput(again) as Printed).removed.length).toBeGreaterThan(10);
    expect(Object.keys(readContents(join(cwd, 'one')))).toEqual(['.nudgelab-generated.json', 'nudge-reasons.feature']);
  }, 30_000);

  it('file-changed, file-exists: files that were written or changed by others are kept without --force', async () => {
    const cwd = userFolder();
    const command = ['generate', ...quick, '--format', 'gherkin', '--out', 'made'];
    const file = join(cwd, 'made/nudge-reasons.feature');
    mkdirSync(join(cwd, 'made'));
    writeFileSync(file, 'Feature: my own\n');
    const refused = await runHere([...command, '--json'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('file-exists');
    expect(readFileSync(file, 'utf8')).toBe('Feature: my own\n');
    expect((await runHere([...command, '--force'], { cwd })).code).toBe(0);
    appendFileSync(file, '# changed by hand\n');
    const changed = await runHere([...command, '--json'], { cwd });
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('file-changed');
    expect(readFileSync(file, 'utf8')).toContain('# changed by hand');
  });

  it('a user-defined machine produces specs that pass, and event lists', async () => {
    const cwd = userFolder();
    cpSync('docs/examples/basket.machine.ts', join(cwd, 'basket.machine.ts'));
    for (const goal of ['transitions', 'pairs', 'guards']) {
      const out = ['--format', 'vitest,json', '--out', `tests/${goal}`];
      const made = await runHere(['generate', './basket.machine.ts', '--coverage', goal, ...out, '--json'], { cwd });
      expect(made.code, goal).toBe(0);
    }
    const text = readFileSync(join(cwd, 'tests/pairs/vitest/basket-pairs.test.ts'), 'utf8');
    expect(text).toContain("import { machine } from '../../../basket.machine.ts';");
    const data = JSON.parse(
      readFileSync(join(cwd, 'tests/transitions/json/basket-transitions.json'), 'utf8'),
    ) as object;
    expect(data).toMatchObject({ sizeProof: { covered: 12, gap: 0 }, machine: 'basket.machine.ts' });
  });

  it('--strength: all value pairs produce scenarios that pass, and a table with as many rows', async () => {
    const cwd = userFolder();
    const made = await runHere(
      ['generate', '--strength', '2', '--format', 'scenarios,csv', '--out', 'made', '--json'],
      {
        cwd,
      },
    );
    expect(made.code).toBe(0);
    const { sizeProof, files } = parseOutput(made) as Printed;
    const table = readFileSync(join(cwd, files.find((file) => file.endsWith('.csv')) ?? ''), 'utf8');
    expect((parse(table) as string[][]).length).toBe(sizeProof.tests + 1);
    const ran = await runHere(['run', 'made', '--json'], { cwd });
    expect(parseOutput(ran)).toMatchObject({ summary: { passed: sizeProof.tests, failed: 0 } });
  }, 60_000);

  it('--strength: parameters of a user-defined module produce a table that covers every value pair', async () => {
    const cwd = userFolder();
    writeFileSync(
      join(cwd, 'shop.js'),
      `export const factors = [
        { name: 'payment', values: ['card', 'invoice', '=cash()'] },
        { name: 'country', values: ['NL', 'DE'] },
        { name: 'guest', values: [true, false] },
      ];
      export const constraints = [
        { name: 'guests pay at once', factors: ['payment', 'guest'], holds: (row) => !(row.guest && row.payment === 'invoice') },
      ];`,
    );
    expect((await runHere(['generate', './shop.js', '--strength', '2', '--out', 'made'], { cwd })).code).toBe(0);
    const [head, ...rows] = parse(readFileSync(join(cwd, 'made/shop-combinations-of-2.csv'), 'utf8')) as string[][];
    expect(head).toEqual(['payment', 'country', 'guest']);
    const pairs = new Set(
      rows.flatMap(([payment, country, guest]) => [`${payment} ${country}`, `${payment} ${guest}`]),
    );
    expect(pairs.size).toBe(3 * 2 + 3 * 2 - 1);
    expect(rows.every(([payment, , guest]) => payment !== 'invoice' || guest === 'false')).toBe(true);
    expect(rows.some(([payment]) => payment === "'=cash()")).toBe(true);
  });

  it('--report: the page is written beside the files or in its own folder, and neither removes the other', async () => {
    const cwd = userFolder();
    const command = ['generate', ...quick, '--format', 'gherkin', '--out', 'made', '--report'];
    expect((await runHere([...command, 'made'], { cwd })).code).toBe(0);
    expect(Object.keys(readContents(join(cwd, 'made')))).toEqual([
      '.nudgelab-generated.json',
      'coverage.html',
      'nudge-reasons.feature',
    ]);
    expect((await runHere([...command, 'page'], { cwd })).code).toBe(0);
    expect(Object.keys(readContents(join(cwd, 'page')))).toEqual(['.nudgelab-generated.json', 'coverage.html']);
    expect(Object.keys(readContents(join(cwd, 'made')))).toEqual(['.nudgelab-generated.json', 'nudge-reasons.feature']);
  });

  it('time-limit-too-short: generate fails and writes nothing if no test is finished in time', async () => {
    const cwd = userFolder();
    const none = await runHere(['generate', '--time-limit', '1ms', '--out', 'made'], { cwd });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('time-limit-too-short');
    expect(existsSync(join(cwd, 'made'))).toBe(false);
  });

  it('shows progress on a terminal, and none with --json', async () => {
    const cwd = userFolder();
    const watched = await runHere(['generate', '--strength', '2', '--format', 'csv', '--out', 'made'], {
      cwd,
      isTty: true,
    });
    expect(watched.stderr).toMatch(/\d+ rows .*needed at least/);
    expect(watched.stderr).toMatch(/\d+\/\d+ .*tests walked/);
    const quiet = await runHere(['generate', ...quick, '--out', 'quiet', '--json'], { cwd, isTty: true });
    expect(quiet.stderr).toBe('');
  });

  it('random walks are the same for the same random seed and differ for another', async () => {
    const cwd = userFolder();
    const walk = (seed: string, out: string) =>
      runHere(
        ['generate', '--random-steps', '60', '--seed', seed, '--snooze-days', '1', '--format', 'gherkin', '--out', out],
        {
          cwd,
        },
      );
    expect((await walk('7', 'a')).code).toBe(0);
    expect((await walk('7', 'b')).code).toBe(0);
    expect((await walk('8', 'c')).code).toBe(0);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => Object.values(readContents(join(cwd, name)))[1]);
    expect(a).toBe(b);
    expect(c?.replaceAll('8', '7')).not.toBe(a);
  });

  it.each([
    ['another goal', ['--coverage', 'lines']],
    ['another format', ['--format', 'cobol']],
    ['a table without an array', ['--format', 'csv']],
    ['combinations of a machine', ['nudge', '--strength', '2']],
    ['a strength that there is not', ['--strength', '5']],
    ['specs of a machine that no module exports', ['sign-in', '--format', 'vitest']],
    ['a goal of the lifecycle for a machine', ['sign-in', '--coverage', 'rules']],
    ['another model', ['nudges']],
    ['two models', ['nudge', 'sign-in']],
    ['no span of time', ['--time-limit', 'soon']],
    ['no number of days', ['--snooze-days', 'two']],
  ])('usage-invalid: generate exits with 2 (%s)', async (_what, given) => {
    const ended = await runHere(['generate', ...given], { cwd: userFolder() });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('usage-invalid');
  });
});
