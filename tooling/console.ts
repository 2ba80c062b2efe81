/**
 * `node tooling/console.ts`: builds the web console to dist/console/ if it is missing or was built from other
 * sources. With `--force`, it is always built.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('..', import.meta.url));
const folder = join(top, 'dist/console');
const stamp = join(folder, 'built-from');
const sources = [
  ...globSync(['console/**/*.{ts,tsx,css,html,json}', 'src/client/*.ts'], { cwd: top }).toSorted(),
  'package-lock.json',
];

const digest = createHash('sha256');
for (const path of sources) digest.update(path).update(readFileSync(join(top, path)));
const builtFrom = digest.digest('hex');

const isBuilt = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === builtFrom;
if (!isBuilt() || process.argv.includes('--force')) {
  const { build } = await import('vite');
  // A test runner sets this variable to "test", which would build React with all of its development checks.
  process.env['NODE_ENV'] = 'production';
  // Several processes can build at the same time, such as test files. Each builds in its own folder, and the first
  // complete build is kept.
  const own = `${folder}-of-${process.pid}`;
  const before = `${own}-before`;
  await build({ configFile: join(top, 'console/vite.config.ts'), logLevel: 'warn', build: { outDir: own } });
  writeFileSync(join(own, 'built-from'), builtFrom);
  if (existsSync(folder) && (!isBuilt() || process.argv.includes('--force'))) renameSync(folder, before);
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!isBuilt()) throw error;
  }
  for (const left of [own, before]) rmSync(left, { recursive: true, force: true });
}
