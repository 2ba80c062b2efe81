import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

const top = join(import.meta.dirname, '..');
const place = /\bimport\.meta\.(url|dirname)\b/g;

/** Modules that are found by their path at runtime: threads, and the entry of gate modules. */
const threads = globSync('src/**/{*-thread,pdf-worker}.ts', { cwd: top });

function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(top) || !code.includes('import.meta.')) return null;
      const own = relative(top, id).replace(/\.ts$/, '.js');
      return code.replace(place, (_, key: string) => `__place_${key}(${JSON.stringify(own)})`);
    },
    renderChunk(code, chunk) {
      return code.replace(/__place_(url|dirname)\(["'`]([^"'`]+)["'`]\)/g, (_, key: string, own: string) => {
        const path = relative(dirname(chunk.fileName), key === 'url' ? own : dirname(own));
        return key === 'url' ? `new URL(${JSON.stringify(path)},import.meta.url).href` : `(import.meta.dirname+${JSON.stringify(`/${path}`)})`;
      });
    },
  };
}

const entries = ['src/index.ts','src/client/control-client.ts','src/testing/cucumber.ts','src/contract/gate.ts','src/testing/playwright.ts','src/properties/properties.ts','src/testing/vitest.ts','src/cli/main.ts', ...threads];
const t = performance.now();
const bundle = await rolldown({
  cwd: top,
  input: Object.fromEntries(entries.map((e) => [e.replace(/\.ts$/, ''), join(top, e)])),
  external: (id) => !id.startsWith('@oxc-project') && !id.startsWith('\0') && !id.startsWith('.') && !id.startsWith('/'),
  platform: 'node',
  plugins: [keepPlaces()],
});
const out = await bundle.write({
  dir: process.argv[2]!, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: false, mangle: { toplevel: false, keepNames: true }, codegen: { removeWhitespace: true } },
});
console.log(out.output.length, performance.now() - t);
