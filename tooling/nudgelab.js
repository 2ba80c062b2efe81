/**
 * Starts the program, as the npm scripts do: the one that was bundled from the current sources, if there is one, because it
 * starts in half the time, and otherwise the sources. This file is plain JavaScript and enables the compile cache before the
 * first TypeScript file is loaded. Cached modules need no transformation, and loading the transformer of Node.js takes longer
 * than reading half of the program. If the folder is not writable, only the cache is unavailable.
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findProgram } from './program-sources.js';

// The entry of the sources reports an old Node.js, but only one that can load them.
if (!process.features.typescript) {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const oldest = engines.node.replace('>=', '');
  process.stderr.write(
    `error runtime-too-old: Node ${process.versions.node} cannot load TypeScript; this program needs Node ${oldest}.\n` +
      `Run it through npm scripts (npm start, npm run serve), or install Node ${oldest} or later.\n`,
  );
  process.exit(2);
}

const bundled = findProgram();
if (bundled !== null) {
  await import(pathToFileURL(bundled).href);
} else {
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/nudgelab/modules', import.meta.url)));
  await import('../src/cli/main.ts');
}
