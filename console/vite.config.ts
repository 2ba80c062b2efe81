import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The console is served by the mock server below `/_console`, and is built beside what the package publishes. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/_console/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    // The licenses of what is bundled go with it.
    license: true,
    // A module that is preloaded would need a script in line, which the content policy refuses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
