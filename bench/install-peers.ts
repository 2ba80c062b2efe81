import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { root } from './measure.ts';

/** Where peers are installed that are no dependencies; git ignores it. */
export const peersFolder = join(root, 'bench', '.peers');

/** The packages of the peers. */
export const peerModules = join(peersFolder, 'node_modules');

/** Installs packages that are not there yet, beside those that are. Takes their versions by name. */
export function installPeers(versions: Readonly<Record<string, string>>): void {
  const missing = Object.entries(versions).filter(([name]) => !existsSync(join(peerModules, name)));
  if (missing.length === 0) return;
  mkdirSync(peersFolder, { recursive: true });
  const manifest = join(peersFolder, 'package.json');
  // npm takes away what the manifest does not name.
  if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify({ private: true, type: 'module' }));
  const packages = missing.map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: peersFolder, stdio: 'ignore' });
}

/**
 * A server of this folder as plain JavaScript, which is what its users would write: reading TypeScript takes Node a third of such
 * a start, and memory. Takes its name. Returns the file, which lies where it finds the packages of this repository.
 */
export function plainScript(name: string): string {
  const folder = join(root, 'node_modules', '.cache', 'nudgelab', 'bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, stripTypeScriptTypes(readFileSync(join(root, 'bench', `${name}.ts`), 'utf8')));
  return file;
}
