import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

/** The optional package that brings a headless Chromium for Linux inside itself, compressed. */
const packageName = '@sparticuz/chromium';
const executableName = 'chromium';
/** Only its user may run it. */
const executableMode = 0o700;
const chunkBytes = 2 ** 21;

/** What decides where the unpacked browser is kept: environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Packages that are being unpacked in this process, by the folder they go to. */
const unpacking = new Map<string, Promise<string>>();

/**
 * The Chromium of the optional package, unpacked once into a cache of the project's own: `node_modules/.cache/nudgelab`, or
 * the user's cache where that cannot be written to. The package's own code is not run: it unpacks into a shared folder of
 * the machine. Several processes may ask at once: each unpacks apart, and the first to finish gives its folder the name.
 * Returns the path, or `null` where the package is missing or made for another machine.
 */
export async function unpackedChromium(env: Environment): Promise<string | null> {
  if (platform() !== 'linux' || arch() !== 'x64') return null;
  const folder = packageFolder();
  if (folder === null) return null;
  const archive = join(folder, 'bin', 'chromium.br');
  if (!existsSync(archive)) return null;
  const target = join(cacheFolder(folder, env), `chromium-${versionOf(folder)}`);
  const known = unpacking.get(target) ?? unpackOnce(archive, target);
  unpacking.set(target, known);
  return known.finally(() => unpacking.delete(target));
}

async function unpackOnce(archive: string, target: string): Promise<string> {
  const executable = join(target, executableName);
  if (existsSync(executable)) return executable;
  const apart = mkdtempSync(`${target}-unpacking-`);
  try {
    await pipeline(
      createReadStream(archive, { highWaterMark: chunkBytes }),
      createBrotliDecompress({ chunkSize: chunkBytes }),
      createWriteStream(join(apart, executableName), { mode: executableMode }),
    );
    await rename(apart, target).catch((error: unknown) => {
      // Another process was faster, and its browser is the same one.
      if (!existsSync(executable)) throw error;
    });
    return executable;
  } finally {
    await rm(apart, { recursive: true, force: true });
  }
}

function packageFolder(): string | null {
  try {
    // The entry stands in a folder of its own below the package.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    return null;
  }
}

function versionOf(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** The first of the two folders that can be made. */
function cacheFolder(folder: string, env: Environment): string {
  const beside = join(dirname(dirname(folder)), '.cache', 'nudgelab');
  try {
    mkdirSync(beside, { recursive: true });
    return beside;
  } catch {
    const own = join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'nudgelab');
    mkdirSync(own, { recursive: true });
    return own;
  }
}
