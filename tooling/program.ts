/**
 * `node tooling/program.ts`: bundles the program to a folder at the top of the checkout, unless it was already bundled from
 * the current sources. `npm ci` and `npm run build` run this, so that npm scripts start a few files in place of several
 * hundred. A server that runs from the previous folder keeps its files.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.ts';

interface ProgramSources {
  describeSources(): string;
  findProgram(): string | null;
  writeRecord(folder: string, sources: string): string;
  readonly recordPath: string;
}

// The module is plain JavaScript without declarations, which an import would require.
const { describeSources, findProgram, recordPath, writeRecord } = createRequire(import.meta.url)(
  './program-sources.js',
) as ProgramSources;
const top = fileURLToPath(new URL('..', import.meta.url));

/** Beginning of the names of the folders with bundled programs. */
const prefix = '.program-';

/** Number of older programs that are kept for servers that run from them and load the parts of a request at the first one. */
const keptMax = 4;

/** Time in milliseconds after which an unfinished folder is that of a build that was interrupted. */
const unfinishedMs = 10 * 60_000;

/** Writes the program to a folder: its bundle, and the files that it reads at runtime, such as stylesheets. */
export async function writeProgram(folder: string): Promise<void> {
  for (const sources of ['machines', 'src']) copyData(sources, folder);
  await bundleProgram(folder);
}

/**
 * Writes a folder under another name, and then replaces the folder by it. A process that starts meanwhile, and a build that
 * fails, finds the previous one.
 */
export async function replaceFolder(folder: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${folder}-unfinished-${process.pid}`;
  const before = `${unfinished}-before`;
  try {
    mkdirSync(unfinished);
    await write(unfinished);
    if (existsSync(folder)) renameSync(folder, before);
    renameSync(unfinished, folder);
  } finally {
    for (const left of [unfinished, before]) rmSync(left, { recursive: true, force: true });
  }
}

/** Copies all files other than TypeScript to the same path in a folder. */
function copyData(folder: string, to: string): void {
  const filter = (path: string): boolean => {
    const stats = lstatSync(path);
    return stats.isDirectory() || (stats.isFile() && !path.endsWith('.ts'));
  };
  cpSync(join(top, folder), join(to, folder), { recursive: true, filter });
}

/** Removes older programs, and what interrupted builds have left. */
function removeOlder(current: string): void {
  const nowMs = statSync(join(top, current)).mtimeMs;
  const others = globSync([`${prefix}*`, 'dist-unfinished-*'], { cwd: top })
    .filter((name) => name !== current)
    .map((name) => ({
      path: join(top, name),
      // Another build may have renamed its folder in the meantime.
      builtMs: statSync(join(top, name), { throwIfNoEntry: false })?.mtimeMs ?? nowMs,
      isWhole: !/-unfinished-/.test(name),
    }))
    .toSorted((a, b) => b.builtMs - a.builtMs);
  const whole = others.filter(({ isWhole }) => isWhole).slice(keptMax);
  const interrupted = others.filter(({ isWhole, builtMs }) => !isWhole && builtMs < nowMs - unfinishedMs);
  for (const { path } of [...whole, ...interrupted]) rmSync(path, { recursive: true, force: true });
}

if (import.meta.main && findProgram() === null) {
  const sources = describeSources();
  const name = `${prefix}${createHash('sha256').update(sources).digest('hex').slice(0, 16)}`;
  await replaceFolder(join(top, name), writeProgram);
  mkdirSync(dirname(recordPath), { recursive: true });
  const unfinished = `${recordPath}-unfinished-${process.pid}`;
  writeFileSync(unfinished, writeRecord(name, sources));
  renameSync(unfinished, recordPath);
  removeOlder(name);
}
