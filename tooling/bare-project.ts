import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './fresh-project.ts';

const program = 'dist/src/cli/main.js';
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** Commands that require an optional package, each after the name of that package. */
const optionalParts: readonly (readonly [wanted: string, ...command: readonly string[]])[] = [
  ['playwright-core', 'run', 'scenarios/passkey', '--driver', 'browser'],
  ['@embedpdf/pdfium', 'exec', '--', process.execPath, '--eval', addDocument()],
  ['@duckdb/node-api', 'import', 'sign-ins.csv', '--out', 'imported'],
  ['@modelcontextprotocol/sdk', 'mcp'],
  ['bullmq', 'worker', '--queue', 'redis://127.0.0.1:1'],
];

/** Checks the package's type declarations with only the types of Node.js installed. Throws if they have errors. */
function checkTypes(unpacked: string): void {
  writeFileSync(join(unpacked, 'use.ts'), "export { createSandbox, startServer } from 'nudgelab';\n");
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const args = [compiler, ...options, '--skipLibCheck', 'false', 'use.ts'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: unpacked, encoding: 'utf8' });
  const wrong = stdout.split('\n').filter((line) => line.includes(': error '));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** Returns the script that adds a document to the server of `exec`. */
function addDocument(): string {
  const command = [program, 'documents', 'add', 'fixtures/documents/tex-budget.pdf', '--url'];
  return (
    'const { status } = require("node:child_process").spawnSync(process.execPath, ' +
    `[...${JSON.stringify(command)}, process.env.NUDGELAB_BASE_URL], { stdio: "inherit" }); process.exitCode = status;`
  );
}

/**
 * Creates a temporary folder that has no installed packages in its parent folders. `name` is the prefix of its
 * name.
 */
export function folderApart(name: string): string {
  const apart = [tmpdir(), '/var/tmp', homedir()].find((parent) => existsSync(parent) && !isBelowPackages(parent));
  if (apart === undefined)
    throw new Error('Every temporary folder has packages in a parent folder: set TMPDIR to a folder without them.');
  return mkdtempSync(join(apart, name));
}

function isBelowPackages(folder: string): boolean {
  return existsSync(join(folder, 'node_modules')) || (dirname(folder) !== folder && isBelowPackages(dirname(folder)));
}

/**
 * Links packages next to another one in the same way as an installation, without any other packages. `places` are
 * their paths relative to `top`.
 */
export function linkPackages(folder: string, top: string, places: readonly string[]): void {
  for (const place of places.filter((one) => one.lastIndexOf('node_modules/') === 0)) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(join(top, place), join(folder, place));
  }
}

/** Maximum size in bytes of the modules that the help of a command loads. */
const helpBytesMax = 200_000;

/** Prints the modules that a program has loaded when it ends. */
const listModules =
  "import { registerHooks } from 'node:module'; const urls = []; " +
  'registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } }); ' +
  "process.on('exit', () => console.log('\\n' + urls.filter((url) => url.startsWith('file:')).join('\\n')));";

/** Checks that the help of the largest commands loads nothing that only their runs need. Throws if it does. */
function checkHelp(unpacked: string): void {
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(listModules)}`];
  for (const command of ['run', 'serve']) {
    const output = run(process.execPath, [...preload, program, command, '--help'], unpacked);
    const paths = [...output.matchAll(/^file:.*$/gm)].map(([url]) => fileURLToPath(url));
    const byteCount = paths.reduce((total, path) => total + statSync(path).size, 0);
    if (byteCount > 0 && byteCount <= helpBytesMax) continue;
    throw new Error(`${command} --help loads ${byteCount} bytes of modules, and may load ${helpBytesMax}.`);
  }
}

/**
 * Checks the unpacked package without optional packages: the built-in scenarios, the public API, the help, and each
 * command that requires an optional package. Throws if something fails, or if a command does not name the package to
 * install.
 */
export function checkWithoutOptionalParts(unpacked: string): void {
  run(process.execPath, [program, 'run', '--driver', 'model'], unpacked);
  run(process.execPath, [program, 'run', 'scenarios/snooze', '--driver', 'http'], unpacked);
  const use = "const { createSandbox } = await import('nudgelab'); await createSandbox();";
  run(process.execPath, ['--input-type=module', '--eval', use], unpacked);
  checkTypes(unpacked);
  checkHelp(unpacked);
  writeFileSync(join(unpacked, 'sign-ins.csv'), 'user,at\n');
  for (const [wanted, ...command] of optionalParts) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...command], { cwd: unpacked, encoding: 'utf8' });
    if (status !== 0 && stderr.includes(wanted) && stderr.includes('npm install')) continue;
    throw new Error(
      `nudgelab ${command.join(' ')} must name the missing package ${wanted}: exit code ${status}\n${stderr}`,
    );
  }
}
