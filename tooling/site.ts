/**
 * `npm run site` builds the documentation site to site/built/ if it was built from other sources or not at all; `--force` builds it
 * in any case. It fails on a link to a page or a heading that does not exist, and if the first page loads too much script.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageSite } from '../site/stage.ts';
import { installOnDemand } from './packages-on-demand.ts';
import { deadLinks, firstPageScript } from './site/built-site.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const site = join(top, 'site');
const [staged, next, built] = ['staged', 'built-next', 'built'].map((name) => join(site, name)) as [
  string,
  string,
  string,
];
const stamp = join(built, 'built-from');

/** Script that the first page may load, compressed, in bytes. */
const firstPageBytesMax = 100_000;

const sources = [
  ...globSync(
    [
      '*.md',
      'docs/**/*.{md,svg,json,png,webp}',
      'site/*.*',
      '{machines,src/contract,src/core,src/journal,src/sandbox,src/scenario,site/playground}/**/*.ts',
      '{machines/rulesets,rulesets}/*.ruleset.yaml',
      'site/.vitepress/**/*.ts',
    ],
    { cwd: top },
  )
    .filter((path) => !path.startsWith('site/.vitepress/.temp'))
    .toSorted(),
  'src/report/counterfactual-text.ts',
  'tooling/site.ts',
  'package-lock.json',
];
const digest = createHash('sha256');
for (const path of sources) digest.update(path).update(readFileSync(join(top, path)));
const builtFrom = digest.digest('hex');

const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === builtFrom;
if (!isCurrent || process.argv.includes('--force')) buildSite();
report();

/** Builds the pages in a process of their own, because this file is also checked and loaded without the packages of the site. */
function buildSite(): void {
  installOnDemand('site');
  for (const folder of [staged, next, built]) rmSync(folder, { recursive: true, force: true });
  stageSite(staged);
  execFileSync(process.execPath, [join(site, '.vitepress', 'build.ts')], { cwd: top, stdio: 'inherit' });
  writeFileSync(join(next, 'built-from'), builtFrom);
  renameSync(next, built);
}

/** Prints what was built, or what is wrong with it. */
function report(): void {
  const pages = globSync('**/*.html', { cwd: built });
  const faults = [...deadLinks(built, pages)];
  const script = firstPageScript(built);
  if (script.compressedBytes > firstPageBytesMax) {
    faults.push(`The first page loads ${script.compressedBytes} bytes of script; ${firstPageBytesMax} are allowed.`);
  }
  for (const fault of faults) console.log(fault);
  console.log(
    `${pages.length} pages in site/built; the first page loads ${kilobytes(script.compressedBytes)} of script ` +
      `(${kilobytes(script.bytes)} uncompressed)`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
