/**
 * `node tooling/program.ts`: bundles the program to dist/, unless it is already the program of the current sources. `npm ci`
 * runs this, so the npm scripts start a few files in place of several hundred. `npm run build` adds the rest of the package.
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.ts';

interface ProgramSources {
  describeSources(): string;
  isProgramCurrent(): boolean;
  readonly stampName: string;
}

// The module is plain JavaScript without declarations, which an import would require.
const { describeSources, isProgramCurrent, stampName } = createRequire(import.meta.url)(
  './program-sources.js',
) as ProgramSources;
const top = fileURLToPath(new URL('..', import.meta.url));
const dist = join(top, 'dist');

/**
 * Replaces dist/. A process that starts meanwhile, and a build that fails, finds the previous one.
 *
 * @param addParts - writes further parts to the given folder before the program
 */
export async function writeDist(addParts: (folder: string) => void = () => undefined): Promise<void> {
  const own = `${dist}-of-${process.pid}`;
  try {
    // An edit during the build makes it outdated.
    const sources = describeSources();
    mkdirSync(own);
    addParts(own);
    for (const folder of ['machines', 'src']) copyData(folder, own);
    await bundleProgram(own);
    writeFileSync(join(own, stampName), sources);
    replaceDist(own);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Copies all files other than TypeScript to the same path in a folder. */
function copyData(folder: string, to: string): void {
  const filter = (path: string): boolean => statSync(path).isDirectory() || !path.endsWith('.ts');
  cpSync(join(top, folder), join(to, folder), { recursive: true, filter });
}

/** Moves a folder to dist/, with the console of the previous one, which has its own build. */
function replaceDist(folder: string): void {
  const before = `${folder}-before`;
  const console = join(dist, 'console');
  if (existsSync(console)) renameSync(console, join(folder, 'console'));
  if (existsSync(dist)) renameSync(dist, before);
  renameSync(folder, dist);
  rmSync(before, { recursive: true, force: true });
}

if (import.meta.main && !isProgramCurrent()) await writeDist();
