/**
 * `node tooling/package.ts`: packs what would be published, unpacks it elsewhere, and holds it to what is promised of it: its
 * entries and their types, its size, and what it needs. There the shipped scenarios run and the public surface loads beside
 * nothing but what the package cannot do without, so that a file missing from it, or an import that holds in the sources alone,
 * is found here; each optional part says what to install. Then specs are generated, checked and run in a project that has the
 * package installed with everything.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkWithoutOptionalParts, folderApart, linkPackages } from './bare-project.ts';
import { freshProject, run, runGeneratedSpecs } from './fresh-project.ts';
import { countBytes, entryFaults, installedBytes, neededPackages, sizeFaults } from './package-audit.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const folder = folderApart('nudgelab-package-');
try {
  run('npm', ['pack', '--silent', '--pack-destination', folder], top);
  const tarball = join(folder, tarballIn(folder));
  const files = run('tar', ['-xvzf', tarball], folder).trim().split('\n');
  const unpacked = join(folder, 'package');
  const [unpackedBytes, wholeBytes] = [countBytes(unpacked), installedBytes(unpacked, top)];
  const faults = [...(await entryFaults(unpacked, tarball)), ...sizeFaults(unpackedBytes, wholeBytes)];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  linkPackages(unpacked, top, [...neededPackages(top), 'node_modules/@types/node', 'node_modules/undici-types']);
  checkWithoutOptionalParts(unpacked);
  rmSync(join(unpacked, 'node_modules'), { recursive: true });
  const project = freshProject(folder, unpacked, join(top, 'node_modules'));
  const passed = runGeneratedSpecs(project);
  console.log(
    `${files.length} files packed, ${megabytes(unpackedBytes)} unpacked, ${megabytes(wholeBytes)} installed; the shipped ` +
      `scenarios pass on them without optional parts, and ${passed} generated tests of a fresh project`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** The name of the one file that `npm pack` wrote into the folder. */
function tarballIn(path: string): string {
  const [name = ''] = readdirSync(path);
  return name;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
