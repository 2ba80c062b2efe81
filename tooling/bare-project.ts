import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './fresh-project.ts';

const program = 'dist/src/cli/main.js';
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** What cannot be done without a package that users install only when they want it: the command, and what it asks for. */
const optionalParts: readonly (readonly [wanted: string, ...command: readonly string[]])[] = [
  ['playwright-core', 'run', 'scenarios/passkey', '--driver', 'browser'],
  ['@embedpdf/pdfium', 'exec', '--', process.execPath, '--eval', addDocument()],
  ['@duckdb/node-api', 'import', 'sign-ins.csv', '--out', 'imported'],
  ['bullmq', 'worker', '--queue', 'redis://127.0.0.1:1'],
];

/** Holds the declarations themselves to their types, beside those of Node and nothing else. Throws when they do not hold. */
function checkTypes(unpacked: string): void {
  writeFileSync(join(unpacked, 'use.ts'), "export { createSandbox, startServer } from 'nudgelab';\n");
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const args = [compiler, ...options, '--skipLibCheck', 'false', 'use.ts'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: unpacked, encoding: 'utf8' });
  const wrong = stdout.split('\n').filter((line) => line.includes(': error '));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** Adds a document to the server that `exec` runs beside it. */
function addDocument(): string {
  const command = [program, 'documents', 'add', 'fixtures/documents/tex-budget.pdf', '--url'];
  return (
    'const { status } = require("node:child_process").spawnSync(process.execPath, ' +
    `[...${JSON.stringify(command)}, process.env.NUDGELAB_BASE_URL], { stdio: "inherit" }); process.exitCode = status;`
  );
}

/** A new folder for temporary files above which no packages are installed. Takes the beginning of its name. */
export function folderApart(name: string): string {
  const apart = [tmpdir(), '/var/tmp', homedir()].find((parent) => existsSync(parent) && !isBelowPackages(parent));
  if (apart === undefined)
    throw new Error('No temporary folder is without packages above it: set TMPDIR to one that is.');
  return mkdtempSync(join(apart, name));
}

function isBelowPackages(folder: string): boolean {
  return existsSync(join(folder, 'node_modules')) || (dirname(folder) !== folder && isBelowPackages(dirname(folder)));
}

/** Puts packages beside another one as an installation does, and no others. Takes their places below the repository's top. */
export function linkPackages(folder: string, top: string, places: readonly string[]): void {
  for (const place of places.filter((one) => one.lastIndexOf('node_modules/') === 0)) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(join(top, place), join(folder, place));
  }
}

/**
 * Runs shipped scenarios and loads the public surface where no optional package is installed, and asks for each optional part.
 * Throws when something fails, or when a part does not say what to install.
 */
export function checkWithoutOptionalParts(unpacked: string): void {
  run(process.execPath, [program, 'run', '--driver', 'model'], unpacked);
  run(process.execPath, [program, 'run', 'scenarios/snooze', '--driver', 'http'], unpacked);
  const use = "const { createSandbox } = await import('nudgelab'); await createSandbox();";
  run(process.execPath, ['--input-type=module', '--eval', use], unpacked);
  checkTypes(unpacked);
  writeFileSync(join(unpacked, 'sign-ins.csv'), 'user,at\n');
  for (const [wanted, ...command] of optionalParts) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...command], { cwd: unpacked, encoding: 'utf8' });
    if (status !== 0 && stderr.includes(wanted) && stderr.includes('npm install')) continue;
    throw new Error(`nudgelab ${command.join(' ')} does not ask for ${wanted}: exit code ${status}\n${stderr}`);
  }
}
