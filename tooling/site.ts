/**
 * `npm run site` builds the documentation site to site/built/ if it was built from other sources or not at all; `--force` builds it
 * in any case. It fails on a link to a page or a heading that does not exist, and if the first page loads too much script.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { stageSite } from '../site/stage.ts';
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
if (!isCurrent || process.argv.includes('--force')) await buildSite();
report();

async function buildSite(): Promise<void> {
  for (const folder of [staged, next, built]) rmSync(folder, { recursive: true, force: true });
  stageSite(staged);
  await build(site, { onAfterConfigResolve: ({ site: { head } }) => moveScripts(head) });
  writeFileSync(join(next, 'built-from'), builtFrom);
  renameSync(next, built);
}

/**
 * Moves the scripts in the head of each page to one file. VitePress would shorten them with a function of Vite that needs esbuild,
 * and a content policy would have to allow them.
 */
function moveScripts(head: (readonly [string, ...unknown[]])[]): void {
  const scripts = head.filter(([tag]) => tag === 'script');
  head.splice(0, head.length, ...head.filter(([tag]) => tag !== 'script'));
  writeFileSync(join(staged, 'public/head.js'), `${scripts.map(([, , text]) => String(text)).join(';\n')}\n`);
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
