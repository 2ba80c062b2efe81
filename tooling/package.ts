/**
 * `node tooling/package.ts`: packs what would be published, unpacks it elsewhere, and there runs the shipped scenarios and loads
 * the public surface, so that a file missing from the package, or an import that holds in the sources alone, is found here. Then
 * specs are generated, checked and run in a project that has the package installed.
 */
import { mkdtempSync, readdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshProject, run, runGeneratedSpecs } from './fresh-project.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-package-'));
try {
  run('npm', ['pack', '--silent', '--pack-destination', folder], top);
  const files = run('tar', ['-xvzf', tarballIn(folder)], folder)
    .trim()
    .split('\n');
  const unpacked = join(folder, 'package');
  symlinkSync(join(top, 'node_modules'), join(unpacked, 'node_modules'));
  run(process.execPath, ['dist/src/cli/main.js', 'run', '--driver', 'model'], unpacked);
  run(process.execPath, ['--input-type=module', '--eval', "await import('nudgelab')"], unpacked);
  unlinkSync(join(unpacked, 'node_modules'));
  const project = freshProject(folder, unpacked, join(top, 'node_modules'));
  const passed = runGeneratedSpecs(project);
  console.log(
    `${files.length} files packed; the shipped scenarios pass on them, and ${passed} generated tests of a fresh project`,
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
