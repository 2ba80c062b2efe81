import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkTypes } from '../../tooling/check-folders.ts';
import { documents } from '../../tooling/documents.ts';
import { installOnDemand } from '../../tooling/packages-on-demand.ts';
import { runStep } from '../../tooling/run-step.ts';
import { steps } from '../../tooling/steps.ts';
import { nonEmpty } from '../non-empty.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const checkers = 'tooling/checkers';
const evidence = /(\d+) read/;
const copied = [
  '.gitignore',
  'biome.json',
  'knip.json',
  'package.json',
  'tsconfig.json',
  `${checkers}/dead-code.reporter.ts`,
  `${checkers}/package-lock.json`,
  `${checkers}/package.json`,
  'tooling/language/cspell.json',
  'tooling/language/project-words.txt',
  'tooling/packages-on-demand.ts',
];

/** Faults planted for biome and the compiler, each in its own file, so one run of a tool reports all of them. */
const canaries: readonly (readonly [tool: string, reported: string, folder: string, text: string])[] = [
  ['biome check', 'lint/suspicious/noExplicitAny', 'src/core', 'export const x: any = 1;'],
  ['biome check', 'lint/style/noNonNullAssertion', 'src/core', 'export const x = (y?: { a: 1 }): 1 => y!.a;'],
  ['biome check', 'lint/style/noDefaultExport', 'src/core', 'export default 1;'],
  ['biome check', 'lint/style/noEnum', 'src/core', 'export enum X { A }'],
  ['biome check', 'lint/style/noRestrictedGlobals', 'src/server', 'export const x = (): number => Date.now();'],
  ['biome check', 'lint/style/noRestrictedGlobals', 'machines', 'setTimeout(() => 1, 1);'],
  ['biome check', 'lint/style/noProcessEnv', 'src/server', 'export const x = process.env;'],
  ['biome check', 'lint/suspicious/noConsole', 'src/server', 'console.log(1);'],
  [
    'biome check',
    'lint/nursery/noFloatingPromises',
    'src/core',
    'async function x(): Promise<void> { await x(); } x();',
  ],
  ['cspell', 'Unknown word (behaviour)', 'src/core', '/** The behaviour of x. */\nexport const x = 1;'],
  ['cspell', 'Unknown word (prommpt)', 'src/core', "export const x = 'No prommpt was shown.';"],
  ['biome format', 'format', 'src/core', 'export const x = "1"'],
  ['tsc', 'TS2532', 'src/core', 'export const x = (list: string[]): number => list[0].length;'],
  ['tsc', 'TS2375', 'src/core', 'export const x: { a?: 1 } = { a: undefined as undefined };'],
  ['tsc', 'TS1294', 'src/core', 'export enum X { A }'],
  ['tsc', 'TS6133', 'src/core', 'export function x(): void { const y = 1; }'],
];
const getPath = (index: number): string => `${canaries[index]?.[2]}/canary-${index}.ts`;
const folders: string[] = [];

beforeAll(() => installOnDemand('tooling/checkers'));

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('checkers: planted faults and the commands of `npm run check`', () => {
  const complaints = new Map<string, string>();

  beforeAll(async () => {
    const folder = plant(Object.fromEntries(canaries.map(([, , , text], index) => [getPath(index), text])));
    for (const tool of new Set(canaries.map(([name]) => name))) complaints.set(tool, await getComplaint(tool, folder));
  });

  test.for(canaries.map(([tool, reported], index) => [tool, reported, index] as const))(
    'checkers: %s reports %s for canary %i',
    ([tool, reported, index]) => {
      const lines = (complaints.get(tool) ?? '').split('\n');
      expect(lines.filter((line) => line.includes(getPath(index)) && line.includes(reported))).not.toEqual([]);
    },
  );

  test('checkers: knip reports an unused file, export and dependency', async () => {
    const folder = plant({
      'src/index.ts': "export { used } from './core/x.ts';",
      'src/core/x.ts': 'export const used = 1;\nexport const idle = 1;',
      'src/core/forgotten.ts': 'export const forgotten = 1;',
      'package.json': '{ "type": "module", "dependencies": { "zod": "4.6.7" } }',
    });
    const complaint = await getComplaint('knip', folder);
    expect(complaint).toMatch(/Unused files.*\s+src\/core\/forgotten\.ts/);
    expect(complaint).toMatch(/Unused exports.*\s+idle/);
    expect(complaint).toMatch(/Unused dependencies.*\s+zod/);
  });
});

describe('checkers: types of folders with their own packages', () => {
  const text = 'export const x = (list: readonly string[]): number => list[0].length;';

  test('098: a type error in a folder is reported, and the files of a folder without one are counted', () => {
    const folder = plant({
      'typed/tsconfig.json': '{ "extends": "../tsconfig.json", "include": ["."] }',
      'typed/canary.ts': text,
    });
    expect(checkTypes('typed', folder).complaint).toContain('TS2532');
    writeFileSync(join(folder, 'typed/canary.ts'), text.replace('[0]', ''));
    const { files, complaint } = checkTypes('typed', folder);
    expect(complaint).toBe('');
    expect(files).toBeGreaterThan(0);
  });

  test('098: a folder without files fails', () => {
    const folder = plant({ 'typed/tsconfig.json': '{ "extends": "../tsconfig.json", "include": ["."] }' });
    expect(checkTypes('typed', folder).complaint).not.toBe('');
  });
});

describe('checkers: steps', () => {
  test('checkers: a step passes if its command succeeds and shows how much it read', async () => {
    expect(await runStep({ command: 'echo 3 read', evidence })).toMatchObject({ looked: 3, complaint: '' });
  });

  test.for(['echo 0 read', 'echo all is well', 'true'])(
    'checkers: a step fails if its command did nothing: %s',
    async (command) => {
      expect((await runStep({ command, evidence })).complaint).not.toBe('');
    },
  );

  test.for(['echo 3 read && exit 1', 'exit 1', 'no-such-command'])(
    'checkers: a step fails if its command fails: %s',
    async (command) => {
      expect((await runStep({ command, evidence })).complaint).not.toBe('');
    },
  );
});

describe('checkers: generated documents', () => {
  test.for(nonEmpty(documents))('checkers: $path ends with one line break and has rows', ({ path, render }) => {
    expect(render()).toMatch(/[^\n]\n$/);
    const isPage = path.endsWith('.md');
    expect(render()).toMatch(isPage ? /^# .*\n\n[\s\S]*\| --- [\s\S]*\n\|[^\n]*\|\n/ : /\n {2}\w+: '[A-Z]+ \//);
  });
});

/** Creates a repository with only the planted files and the configuration of this repository. Returns its folder. */
function plant(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-canary-'));
  folders.push(folder);
  for (const name of copied) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(top, name), join(folder, name));
  }
  for (const path of ['node_modules', `${checkers}/node_modules`]) symlinkSync(join(top, path), join(folder, path));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Runs the step that calls the given tool first on the planted files, and returns its complaint. */
async function getComplaint(tool: string, folder: string): Promise<string> {
  const starts = [tool, `node tooling/packages-on-demand.ts ${checkers} ${tool}`];
  const step = steps.find(({ command }) => starts.some((start) => command.startsWith(start)));
  return step === undefined ? '' : (await runStep(step, folder)).complaint;
}
