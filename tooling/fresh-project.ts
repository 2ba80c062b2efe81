import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a project that uses this package for its tests. */
const files: Readonly<Record<string, string>> = {
  'playwright.config.js': "module.exports = { testDir: 'e2e', workers: 2, reporter: 'list', timeout: 60_000 };\n",
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
    include: ['unit', 'e2e'],
  }),
};

/**
 * Runs a command in a folder and returns its output. Throws an error with the complete output if the command fails.
 */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

/**
 * Creates a project with the published package and its dependencies.
 *
 * @param parent - folder in which the project is created
 * @param unpacked - folder of the unpacked package, which is moved into the project
 * @param installed - folder with the installed dependencies
 * @returns the folder of the project
 */
export function freshProject(parent: string, unpacked: string, installed: string): string {
  const project = join(parent, 'project');
  const modules = join(project, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(installed)) {
    if (!name.startsWith('.')) symlinkSync(join(installed, name), join(modules, name));
  }
  renameSync(unpacked, join(modules, 'nudgelab'));
  // The module type is not set, as in most projects. Such a project cannot load a module with top-level `await`.
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'fresh', private: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  return project;
}

/**
 * Generates specs with the installed program, checks their types and runs them. Returns the number of passed tests.
 */
export function runGeneratedSpecs(project: string): number {
  const node = (script: string, ...args: readonly string[]) =>
    run(process.execPath, [join('node_modules', script), ...args], project);
  const generate = ['nudgelab/dist/src/cli/main.js', 'generate', '--snooze-days', '1'] as const;
  const suites = { reasons: ['--coverage', 'reasons'], walk: ['--random-steps', '40', '--max-length', '20'] };
  for (const [name, options] of Object.entries(suites)) {
    node(...generate, ...options, '--format', 'vitest', '--out', `unit/${name}`);
    node(...generate, ...options, '--format', 'playwright', '--out', `e2e/${name}`);
  }
  node('typescript/bin/tsc', '-p', '.');
  const inProcess = node('vitest/vitest.mjs', 'run', '--dir', 'unit');
  const atPages = node('@playwright/test/cli.js', 'test', '--grep', 'Walk|sign-in 0');
  return passedIn(inProcess) + passedIn(atPages);
}

function passedIn(output: string): number {
  const counts = [...output.matchAll(/\b(\d+) passed/g)].map(([, count]) => Number(count));
  const count = counts.at(-1) ?? 0;
  if (count === 0) throw new Error(`No test passed:\n${output}`);
  return count;
}
