import type { GalleryScheme } from '../contract/gallery.schema.ts';

/** Style sheets of a page. */
export interface PageStyles {
  /** Style sheet of all pages. */
  readonly common: string;
  /** Style sheet of the tenant. Empty if it has none. */
  readonly brand: string;
}

/** Attributes that only a running sign-in needs, or that move the focus. */
const runningAttributes = / (?:data-options|data-upgrade|data-signals|data-leave|data-shown)="[^"]*"| autofocus/g;

/** Icon of every page, which keeps browsers from requesting one. */
const emptyIcon = 'data:,';

/**
 * Converts a page to one file that shows a color scheme whatever the reader's system prefers: without scripts, links and
 * tokens.
 */
export function toStaticPage(document: string, { common, brand }: PageStyles, scheme: GalleryScheme): string {
  const style = inScheme(common, scheme);
  return document
    .replaceAll(/<script\b[^<>]*><\/script>\n?/g, '')
    .replaceAll(/<link rel="stylesheet"[^<>]*>\n?/g, '')
    .replace('<meta name="color-scheme" content="light dark">', `<meta name="color-scheme" content="${scheme}">`)
    .replace('</head>', () => `<style>\n${style}${brand}</style>\n</head>`)
    .replaceAll(runningAttributes, '')
    .replaceAll(/(<input type="hidden" name="[^"]*") value="[^"]*"/g, '$1')
    .replaceAll(/<form method="post" action="[^"]*"/g, '<form action="#"')
    .replaceAll(/ href="([^"]*)"/g, (whole, target) => (target === emptyIcon ? whole : ' href="#"'))
    .replaceAll(/ target="_blank"/g, '');
}

/** Replaces the condition of the dark scheme by its result. */
function inScheme(style: string, scheme: GalleryScheme): string {
  return style
    .replaceAll('@media (prefers-color-scheme: dark)', scheme === 'dark' ? '@media all' : '@media not all')
    .replaceAll('color-scheme: light dark', `color-scheme: ${scheme}`);
}
