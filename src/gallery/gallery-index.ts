import { html } from 'ghtml';
import { reportStyle } from '../report/html-report-parts.ts';
import type { GalleryVersion, GalleryView } from '../server/gallery-service.ts';

/** Style sheet of the index, in addition to the report style. */
const indexStyle = `
.versions{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;list-style:none}.versions [aria-current]{font-weight:600;color:var(--text);text-decoration:none}
.states{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:1rem;padding:0;list-style:none}
.states>li{padding:1rem;background:var(--card);border:1px solid var(--edge);border-radius:8px;min-width:0}
.states h3{margin-top:0;font-size:1rem}
.shot{height:19.2rem;overflow:hidden;border:1px solid var(--edge);border-radius:6px}
.shot iframe{width:166.67%;height:32rem;border:0;transform:scale(.6);transform-origin:0 0}
.states ol{margin:.5rem 0;padding-inline-start:1.5rem;overflow-wrap:anywhere}
pre{margin:.5rem 0;padding:.5rem;overflow-x:auto;background:var(--ground);border-radius:4px;font-size:.8125rem}
`;

/** Returns the file name of a page in a folder with all versions. */
export function galleryPageFile(state: string, { brand, language, scheme }: GalleryVersion): string {
  return `pages/${brand}.${language}.${scheme}.${state}.html`;
}

/** Returns the file name of the index of a version. The first version has the name that browsers open. */
export function galleryIndexFile(version: GalleryVersion, versions: readonly GalleryVersion[]): string {
  const { brand, language, scheme } = version;
  return version === versions[0] ? 'index.html' : `${brand}.${language}.${scheme}.html`;
}

/**
 * Renders the index of one version: every state with a preview, the steps that lead to it, and the sandbox in which they
 * begin.
 *
 * @param version one of the versions
 * @param versions all versions in the folder, for the links
 */
export function renderGalleryIndex(
  { states }: GalleryView,
  version: GalleryVersion,
  versions: readonly GalleryVersion[],
): string {
  const byPage = Map.groupBy(states, ({ page }) => page);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; frame-src 'self' file:; img-src data:">
<title>Sign-in pages: ${nameVersion(version)}</title>
<link rel="icon" href="data:,">
<style>!${reportStyle}!${indexStyle}</style>
</head>
<body>
<main>
<h1>Sign-in pages</h1>
<p>${states.length} states of ${byPage.size} pages: ${nameVersion(version)}. To repeat one, create its sandbox with
<code>POST /_control/v1/sandboxes</code>, and follow the steps at the URL of that sandbox.</p>
<nav aria-label="Versions"><ul class="versions">!${versions.map(
    (one) =>
      html`<li><a href="${galleryIndexFile(one, versions)}"!${one === version ? ' aria-current="page"' : ''}>${nameVersion(one)}</a></li>`,
  )}</ul></nav>
!${[...byPage].map(
    ([page, shown]) => html`<section aria-labelledby="${page}"><h2 id="${page}">${page}</h2>
<ul class="states">!${shown.map((state) => renderState(state, version))}</ul></section>
`,
  )}
</main>
</body>
</html>
`;
}

/** Renders one state. The preview cannot be used, so screen readers and keyboards skip it; the link opens the page. */
function renderState({ state, steps, sandbox, path }: GalleryView['states'][number], version: GalleryVersion): string {
  const file = galleryPageFile(state, version);
  return html`<li id="state-${state}"><h3><a href="${file}">${state}</a></h3>
<div class="shot" inert><iframe src="${file}" title="${state}" loading="lazy" sandbox tabindex="-1"></iframe></div>
<ol>!${steps.map((step) => html`<li>${step}</li>`)}</ol>
<details><summary>Sandbox of ${state}</summary><p>Start path: <code>/s/ID${path}</code></p><pre tabindex="0">${JSON.stringify(sandbox, null, 2)}</pre></details></li>
`;
}

function nameVersion({ brand, language, scheme }: GalleryVersion): string {
  return `${brand}, ${language}, ${scheme}`;
}
