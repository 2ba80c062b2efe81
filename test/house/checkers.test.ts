import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { documents } from '../../tooling/documents.ts';
import { runStep } from '../../tooling/run-step.ts';
import { steps } from '../../tooling/steps.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const evidence = /(\d+) read/;
const copied = [
  '.gitignore',
  'biome.json',
  'knip.json',
  'package.json',
  'tsconfig.json',
  'tooling/dead-code.reporter.ts',
];
let folder = '';

afterEach(() => {
  if (folder !== '') rmSync(folder, { recursive: true });
  folder = '';
});

describe('checkers: each tool runs as `npm run check` runs it and reports what is planted', () => {
  test.for<[rule: string, path: string, text: string]>([
    ['lint/suspicious/noExplicitAny', 'src/core/x.ts', 'export const x: any = 1;'],
    ['lint/style/noNonNullAssertion', 'src/core/x.ts', 'export const x = (y?: { a: 1 }): 1 => y!.a;'],
    ['lint/style/noDefaultExport', 'src/core/x.ts', 'export default 1;'],
    ['lint/style/noEnum', 'src/core/x.ts', 'export enum X { A }'],
    ['lint/style/noRestrictedGlobals', 'src/server/x.ts', 'export const x = (): number => Date.now();'],
    ['lint/style/noRestrictedGlobals', 'machines/x.ts', 'setTimeout(() => 1, 1);'],
    ['lint/style/noProcessEnv', 'src/server/x.ts', 'export const x = process.env;'],
    ['lint/suspicious/noConsole', 'src/server/x.ts', 'console.log(1);'],
    ['lint/nursery/noFloatingPromises', 'src/core/x.ts', 'async function x(): Promise<void> { await x(); } x();'],
  ])('checkers: biome reports %s', ([rule, path, text]) => {
    plant({ [path]: text });
    expect(complaintOf('biome check')).toContain(rule);
  });

  test('checkers: biome reports a file that is not formatted', () => {
    plant({ 'src/core/x.ts': 'export const x = "1"' });
    expect(complaintOf('biome format')).toContain('src/core/x.ts');
  });

  test.for<[code: string, what: string, text: string]>([
    ['TS2532', 'an unchecked index', 'export const x = (list: string[]): number => list[0].length;'],
    ['TS2375', 'an explicit undefined', 'export const x: { a?: 1 } = { a: undefined as undefined };'],
    ['TS1294', 'syntax that cannot be erased', 'export enum X { A }'],
    ['TS6133', 'an unused local', 'export function x(): void { const y = 1; }'],
  ])('checkers: tsc reports %s, %s', ([code, , text]) => {
    plant({ 'src/core/x.ts': text });
    expect(complaintOf('tsc')).toContain(code);
  });

  test('checkers: knip reports an unused file, export and dependency', () => {
    plant({
      'src/index.ts': "export { used } from './core/x.ts';",
      'src/core/x.ts': 'export const used = 1;\nexport const idle = 1;',
      'src/core/forgotten.ts': 'export const forgotten = 1;',
      'package.json': '{ "type": "module", "dependencies": { "zod": "4.6.7" } }',
    });
    const complaint = complaintOf('knip');
    expect(complaint).toMatch(/Unused files.*\s+src\/core\/forgotten\.ts/);
    expect(complaint).toMatch(/Unused exports.*\s+idle/);
    expect(complaint).toMatch(/Unused dependencies.*\s+zod/);
  });
});

describe('checkers: a step', () => {
  test('checkers: passes when its command is content and shows what it looked at', () => {
    expect(runStep({ command: 'echo 3 read', evidence })).toMatchObject({ looked: 3, complaint: '' });
  });

  test.for(['echo 0 read', 'echo all is well', 'true'])(
    'checkers: fails when its command did nothing: %s',
    (command) => {
      expect(runStep({ command, evidence }).complaint).not.toBe('');
    },
  );

  test.for(['echo 3 read && exit 1', 'exit 1', 'no-such-command'])(
    'checkers: fails when its command fails: %s',
    (command) => {
      expect(runStep({ command, evidence }).complaint).not.toBe('');
    },
  );
});

describe('checkers: generated documents', () => {
  test.for(documents)('checkers: $path ends in one line break and has rows', ({ render }) => {
    expect(render()).toMatch(/^# .*\n\n[\s\S]*\| --- [\s\S]*\n\|[^\n]*\|\n$/);
  });
});

/** Makes a repository of the planted files alone, under this one's configuration. */
function plant(files: Readonly<Record<string, string>>): void {
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-canary-'));
  for (const name of copied) {
    cpSync(join(top, name), join(folder, name));
  }
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Runs the step whose command begins so on the planted files, and returns what it complains of. */
function complaintOf(command: string): string {
  const step = steps.find((one) => one.command.startsWith(command));
  return step === undefined ? '' : runStep(step, folder).complaint;
}
