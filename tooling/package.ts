/**
 * `node tooling/packages-on-demand.ts tooling/checkers node tooling/package.ts`: packs the package as for publication, unpacks it elsewhere, and checks its entry
 * points, types, size and dependencies. The built-in scenarios run there, and the public API is loaded, with only
 * the required dependencies installed. This reveals missing files and imports that work only in the sources. Each
 * optional part must name the package to install. Finally, specs are generated, checked and run in a project with
 * all dependencies.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkWithoutOptionalParts, folderApart, linkPackages } from './bare-project.ts';
import { entryFaults } from './checkers/entry-faults.ts';
import { freshProject, run, runGeneratedSpecs } from './fresh-project.ts';
import { countBytes, installedBytes, neededPackages, sizeFaults } from './package-audit.ts';

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
    `${files.length} files packed, ${megabytes(unpackedBytes)} unpacked, ${megabytes(wholeBytes)} installed; the bundled ` +
      `scenarios pass without optional packages, as do ${passed} generated tests in a new project`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the name of the single file that `npm pack` wrote to the folder. */
function tarballIn(path: string): string {
  const [name = ''] = readdirSync(path);
  return name;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
