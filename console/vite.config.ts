import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The mock server serves the console below `/_console`, and is built beside what the package publishes. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/_console/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    // Includes the licenses of the bundled packages.
    license: true,
    // Preloading a module requires an inline script, which the content security policy rejects.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
