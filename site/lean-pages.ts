import type { Plugin } from 'vite';

/** The hash in the file name of a page; the build for the server has none. */
const hashed = /\.[-\w]+\.js$/;

/** Text that the HTML of a page already contains, between the marks of VitePress. */
const staticText = /['"`]__VP_STATIC_START__[\s\S]*?__VP_STATIC_END__['"`]/g;

/**
 * Writes the second form of each page, which the browser loads first: its script without the text that its HTML
 * contains. VitePress 1 adds these files to the bundle in a way that Rolldown, the bundler of Vite 8, ignores.
 */
export function leanPages(): Plugin {
  return {
    name: 'lean-pages',
    generateBundle: {
      // The plugin of VitePress removes the marks.
      order: 'pre',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.isEntry || !hashed.test(chunk.fileName)) continue;
          if (chunk.facadeModuleId?.endsWith('.md') !== true) continue;
          const fileName = chunk.fileName.replace(/\.js$/, '.lean.js');
          this.emitFile({ type: 'asset', fileName, source: chunk.code.replaceAll(staticText, '""') });
        }
      },
    },
  };
}
