import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type tarFs from 'tar-fs';

/** The optional package that brings a headless Chromium for Linux inside itself, compressed. */
const packageName = '@sparticuz/chromium';
const executableName = 'chromium';
/** What is started: it shows the browser its libraries, and fonts where the machine has none, and becomes it. */
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
/** The browser alone, a folder of the libraries that it is linked with, and one of fonts. */
const browserArchive = 'chromium.br';
const folderArchives = ['al2023.tar.br', 'fonts.tar.br'];
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
 * Libraries and fonts come with it, since a bare machine lacks some. Returns the path, or `null` where the package is
 * missing or made for another machine.
 */
export async function unpackedChromium(env: Environment): Promise<string | null> {
  if (platform() !== 'linux' || arch() !== 'x64') return null;
  const folder = packageFolder();
  if (folder === null) return null;
  const archives = join(folder, 'bin');
  if (!existsSync(join(archives, browserArchive))) return null;
  const target = join(cacheFolder(folder, env), `chromium-${versionOf(folder)}-with-libraries`);
  const known = unpacking.get(target) ?? unpackOnce(archives, target);
  unpacking.set(target, known);
  return known.finally(() => unpacking.delete(target));
}

async function unpackOnce(archives: string, target: string): Promise<string> {
  const started = join(target, starterName);
  if (existsSync(started)) return started;
  const apart = mkdtempSync(`${target}-unpacking-`);
  const { extract } = tarOf(archives);
  try {
    await unpack(
      join(archives, browserArchive),
      createWriteStream(join(apart, executableName), { mode: executableMode }),
    );
    for (const archive of folderArchives) await unpack(join(archives, archive), extract(apart));
    await writeFile(join(apart, 'fonts.conf'), fontSettings);
    await writeFile(join(apart, starterName), starter, { mode: executableMode });
    await rename(apart, target).catch((error: unknown) => {
      // Another process was faster, and its browser is the same one.
      if (!existsSync(started)) throw error;
    });
    return started;
  } finally {
    await rm(apart, { recursive: true, force: true });
  }
}

/** The reader of archives that the package itself depends on; who installs the one has the other. */
function tarOf(archives: string): typeof tarFs {
  return createRequire(join(archives, '..', 'package.json'))('tar-fs') as typeof tarFs;
}

async function unpack(archive: string, into: NodeJS.WritableStream): Promise<void> {
  const content = createReadStream(archive, { highWaterMark: chunkBytes });
  await pipeline(content, createBrotliDecompress({ chunkSize: chunkBytes }), into);
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
