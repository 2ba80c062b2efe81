/** Builds the pages of the documentation site. `npm run site` runs this file after it has copied the pages to site/staged/. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';

const site = fileURLToPath(new URL('..', import.meta.url));

/**
 * Moves the scripts in the head of each page to one file. VitePress would shorten them with a function of Vite that needs esbuild,
 * and a content policy would have to allow them.
 */
function moveScripts(head: (readonly [string, ...unknown[]])[]): void {
  const scripts = head.filter(([tag]) => tag === 'script');
  head.splice(0, head.length, ...head.filter(([tag]) => tag !== 'script'));
  writeFileSync(`${site}staged/public/head.js`, `${scripts.map(([, , text]) => String(text)).join(';\n')}\n`);
}

await build(site, { onAfterConfigResolve: ({ site: { head } }) => moveScripts(head) });
