/**
 * `node tooling/packages-on-demand.ts tooling/mutation node tooling/mutation.ts` installs the packages of a folder that has
 * its own package.json if they are missing or the lock file has changed, and then runs the rest of the line as a command.
 * Programs in the node_modules/.bin of the folder have priority. Rare jobs have such folders, so that `npm ci` of the
 * repository need not install their packages (decision 098).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folder with its own packages. */
export interface FolderOnDemand {
  /** Path from the repository root. */
  readonly path: string;
  /** Purpose of the packages, as the message about their installation states it. */
  readonly purpose: string;
}

/** Every folder with its own packages. */
export const foldersOnDemand: readonly FolderOnDemand[] = [
  { path: 'site', purpose: 'to build the documentation site' },
  { path: 'test/contract/openapi-lint', purpose: 'for the lint of the OpenAPI documents' },
  { path: 'test/server/oidc/foreign-clients', purpose: 'for tests with clients of other authors' },
  { path: 'tooling/checkers', purpose: 'for checks of the repository' },
  { path: 'tooling/mutation', purpose: 'for mutation tests of the source' },
];

const root = join(import.meta.dirname, '..');

/** Files that determine what npm installs. */
const installedFrom = ['package.json', 'package-lock.json', '.npmrc'];

/** Name of the file in node_modules with the digest of these files. */
const stampName = '.installed-from';

/**
 * Installs the packages of a folder unless they are installed from the same files. npm works in a temporary folder beside
 * node_modules, so an interrupted installation leaves no half of one, and two processes can install at the same time.
 *
 * @param path - folder, from the root
 * @param top - root of the repository
 * @throws Error if the folder has no packages of its own, or npm fails
 */
export function installOnDemand(path: string, top: string = root): void {
  const purpose = foldersOnDemand.find((folder) => folder.path === path)?.purpose;
  if (purpose === undefined) throw new Error(`${path} has no packages of its own.`);
  const folder = join(top, path);
  const digest = digestFiles(folder);
  if (isInstalled(folder, digest)) return;
  console.error(`Installing the packages of ${path}/, which are needed only ${purpose}.`);
  const temporary = mkdtempSync(join(folder, '.installing-'));
  try {
    for (const name of presentFiles(folder)) copyFileSync(join(folder, name), join(temporary, name));
    const npmArguments = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    // A shell finds npm.cmd on Windows.
    const { status } = spawnSync('npm', npmArguments, {
      cwd: temporary,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm could not install the packages of ${path}/.`);
    writeFileSync(join(temporary, 'node_modules', stampName), digest);
    replaceModules(folder, temporary, digest);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Puts the new node_modules in place, unless another process has done so in the meantime. */
function replaceModules(folder: string, temporary: string, digest: string): void {
  if (isInstalled(folder, digest)) return;
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) renameSync(modules, join(temporary, 'replaced'));
  try {
    renameSync(join(temporary, 'node_modules'), modules);
  } catch (error) {
    if (!isInstalled(folder, digest)) throw error;
  }
}

function isInstalled(folder: string, digest: string): boolean {
  const stamp = join(folder, 'node_modules', stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
}

function digestFiles(folder: string): string {
  const digest = createHash('sha256');
  for (const name of presentFiles(folder)) digest.update(name).update(readFileSync(join(folder, name)));
  return digest.digest('hex');
}

function presentFiles(folder: string): readonly string[] {
  return installedFrom.filter((name) => existsSync(join(folder, name)));
}

/**
 * Installs the packages of a folder, and runs a command in the current folder. Programs of these packages have priority.
 *
 * @param path - folder, from the root
 * @param command - program with its arguments
 * @param top - root of the repository
 * @returns the exit code of the command; 1 if it did not start
 * @throws Error as installOnDemand does
 */
export function runWithPackages(path: string, command: readonly [string, ...string[]], top: string = root): number {
  installOnDemand(path, top);
  const [program, ...rest] = command;
  const PATH = `${join(top, path, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  const { status } = spawnSync(program, rest, {
    env: { ...process.env, PATH },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status ?? 1;
}

if (import.meta.main) {
  const [path = '', program, ...rest] = process.argv.slice(2);
  if (program === undefined) installOnDemand(path);
  else process.exitCode = runWithPackages(path, [program, ...rest]);
}
