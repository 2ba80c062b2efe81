import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { root } from './measure.ts';

/** Folder for reference packages that are not dependencies. Git ignores it. */
export const peersFolder = join(root, 'bench', '.peers');

/** Folder of the installed reference packages. */
export const peerModules = join(peersFolder, 'node_modules');

let isBuilt = false;

/**
 * Builds the program as its users install it, at most once, and returns its entry point. Commands and starts are compared
 * with published programs, and sources load one file for each module.
 */
export function publishedProgram(): string {
  if (!isBuilt) execFileSync(process.execPath, [join(root, 'tooling', 'build.ts')], { cwd: root, stdio: 'ignore' });
  isBuilt = true;
  return join(root, 'dist', 'src', 'cli', 'main.js');
}

/** Installs the missing packages in the given versions, by name, and keeps the ones that are already installed. */
export function installPeers(versions: Readonly<Record<string, string>>): void {
  const missing = Object.entries(versions).filter(([name]) => !existsSync(join(peerModules, name)));
  if (missing.length === 0) return;
  mkdirSync(peersFolder, { recursive: true });
  const manifest = join(peersFolder, 'package.json');
  // npm removes packages that the manifest does not list.
  if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify({ private: true, type: 'module' }));
  const packages = missing.map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: peersFolder, stdio: 'ignore' });
}

/**
 * Compiles a server of this folder to plain JavaScript, as its users would write it, because reading TypeScript
 * takes a third of the startup time of Node and additional memory. Returns the file, which is placed where it can
 * resolve the packages of this repository.
 */
export function plainScript(name: string): string {
  const folder = join(root, 'node_modules', '.cache', 'nudgelab', 'bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, stripTypeScriptTypes(readFileSync(join(root, 'bench', `${name}.ts`), 'utf8')));
  return file;
}
