/**
 * `node tooling/console.ts`: builds the web console to dist/console/ when it is not there, or was built from other sources.
 * With `--anew` it is built in any case.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const top = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(top, 'dist/console/built-from');
const sources = [...globSync('console/**/*.{ts,tsx,css,html,json}', { cwd: top }).toSorted(), 'package-lock.json'];

const digest = createHash('sha256');
for (const path of sources) digest.update(path).update(readFileSync(join(top, path)));
const builtFrom = digest.digest('hex');

const isBuilt = existsSync(stamp) && readFileSync(stamp, 'utf8') === builtFrom;
if (!isBuilt || process.argv.includes('--anew')) {
  // A test runner that calls this says "test" of itself, and React would be built with all its development checks.
  process.env['NODE_ENV'] = 'production';
  await build({ configFile: join(top, 'console/vite.config.ts'), logLevel: 'warn' });
  writeFileSync(stamp, builtFrom);
}
