import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { leanPages } from '../lean-pages.ts';
import { navigation, pageTitle, siteAddress } from '../navigation.ts';

/** Colors of code with enough contrast for small text. */
const codeThemes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;

/** Replaces a module in the playground, because browsers cannot load the original. */
function inPlayground(
  find: RegExp | string,
  name: string,
): { readonly find: RegExp | string; readonly replacement: string } {
  return { find, replacement: fileURLToPath(new URL(`../playground/${name}.ts`, import.meta.url)) };
}

/** Returns the heading id that code hosts use, so the same links work there and on the site. */
function headingId(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

export default defineConfig({
  title: 'NudgeLab',
  description: 'Documentation of NudgeLab, a test harness for registration campaigns.',
  lang: 'en-US',
  srcDir: 'staged',
  srcExclude: ['public/**'],
  outDir: 'built-next',
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['link', { rel: 'stylesheet', href: '/site.css' }],
  ],
  // Addresses of a server that the reader starts.
  ignoreDeadLinks: [/^http:\/\/localhost/],
  // The data of the site is a separate file, because the content security policy allows no inline script.
  metaChunk: true,
  // Linked pages are loaded only when the reader follows the link.
  router: { prefetchLinks: false },
  markdown: { theme: codeThemes, anchor: { slugify: headingId } },
  transformHtml: (html) => html.replace('</head>', '<script src="/head.js"></script></head>'),
  vite: {
    logLevel: 'error',
    plugins: [leanPages()],
    build: { chunkSizeWarningLimit: 2_000 },
    resolve: {
      alias: [
        inPlayground('node:async_hooks', 'node-async-hooks'),
        inPlayground(/^.*\/core\/seeded-key\.ts$/, 'seeded-key'),
        inPlayground(/^.*\/core\/time-limit\.ts$/, 'time-limit'),
        inPlayground(/^.*\/core\/digest\.ts$/, 'digest'),
        inPlayground(/^.*\/built-in-text\.ts$/, 'built-in-text'),
        inPlayground(/^.*\/data-file\.ts$/, 'data-file'),
      ],
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Playground', link: '/playground' },
      { text: 'Commands', link: '/reference/cli' },
      { text: 'Glossary', link: '/reference/glossary' },
    ],
    sidebar: navigation.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ path }) => ({ text: pageTitle(path), link: siteAddress(path) })),
    })),
  },
});
