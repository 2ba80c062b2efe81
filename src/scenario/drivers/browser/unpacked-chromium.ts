import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type tarFs from 'tar-fs';

/** Optional package that contains a compressed headless Chromium for Linux. */
const packageName = '@sparticuz/chromium';
const executableName = 'chromium';
/**
 * Name of the start script, which sets the paths of libraries and, if the machine has none, of fonts, and executes
 * the browser.
 */
const starterName = 'start-chromium';
const starter = `#!/bin/sh
here=$(dirname "$0")
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/${executableName}" "$@"
`;
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
/** Archives of the package: the browser, a folder of its libraries, and a folder of fonts. */
const browserArchive = 'chromium.br';
const folderArchives = ['al2023.tar.br', 'fonts.tar.br'];
/** File mode that lets only the owner execute the browser. */
const executableMode = 0o700;
const chunkBytes = 2 ** 21;

/** Environment variables by name, which determine the location of the unpacked browser. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Unpacking operations of this process, by target folder. */
const unpacking = new Map<string, Promise<string>>();

/**
 * Unpacks the Chromium of the optional package once into a cache of the project: `node_modules/.cache/nudgelab`, or
 * the user's cache if that is not writable. The package's own code is not used, because it unpacks into a shared
 * folder of the machine. Concurrent processes unpack separately, and the first to finish renames its folder.
 * Libraries and fonts are included, because a minimal machine lacks some. Returns the path, or `null` if the
 * package is missing or built for another platform.
 */
export async function unpackedChromium(env: Environment): Promise<string | null> {
  if (platform() !== 'linux' || arch() !== 'x64') return null;
  const folder = packageFolder();
  if (folder === null) return null;
  const archives = join(folder, 'bin');
  if (!existsSync(join(archives, browserArchive))) return null;
  const target = join(cacheFolder(folder, env), `chromium-${readVersion(folder)}-with-libraries`);
  const known = unpacking.get(target) ?? unpackOnce(archives, target);
  unpacking.set(target, known);
  return known.finally(() => unpacking.delete(target));
}

async function unpackOnce(archives: string, target: string): Promise<string> {
  const started = join(target, starterName);
  if (existsSync(started)) return started;
  const apart = mkdtempSync(`${target}-unpacking-`);
  const { extract } = loadTar(archives);
  try {
    await unpack(
      join(archives, browserArchive),
      createWriteStream(join(apart, executableName), { mode: executableMode }),
    );
    for (const archive of folderArchives) await unpack(join(archives, archive), extract(apart));
    await writeFile(join(apart, 'fonts.conf'), fontSettings);
    await writeFile(join(apart, starterName), starter, { mode: executableMode });
    await rename(apart, target).catch((error: unknown) => {
      // Another process was faster, and its browser is identical.
      if (!existsSync(started)) throw error;
    });
    return started;
  } finally {
    await rm(apart, { recursive: true, force: true });
  }
}

/** Returns the archive reader, a dependency of the package itself, so it is installed with the package. */
function loadTar(archives: string): typeof tarFs {
  return createRequire(join(archives, '..', 'package.json'))('tar-fs') as typeof tarFs;
}

async function unpack(archive: string, into: NodeJS.WritableStream): Promise<void> {
  const content = createReadStream(archive, { highWaterMark: chunkBytes });
  await pipeline(content, createBrotliDecompress({ chunkSize: chunkBytes }), into);
}

function packageFolder(): string | null {
  try {
    // The entry point is in a subfolder of the package.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    return null;
  }
}

function readVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** Returns the first of the two folders that can be created. */
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
