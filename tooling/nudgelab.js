/**
 * Starts the program, as the npm scripts do: the one that was bundled from the current sources, if there is one, because it
 * starts in half the time, and otherwise the sources. This file is plain JavaScript and enables the compile cache before the
 * first TypeScript file is loaded. Cached modules need no transformation, and loading the transformer of Node.js takes longer
 * than reading half of the program. If the folder is not writable, only the cache is unavailable.
 */

// The entry of the sources reports an old Node.js, but only one that can load them.
if (!process.features.typescript) {
  const { readFileSync } = await import('node:fs');
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const oldest = engines.node.replace('>=', '');
  process.stderr.write(
    `error runtime-too-old: Node ${process.versions.node} cannot load TypeScript; this program needs Node ${oldest}.\n` +
      `Run it through npm scripts (npm start, npm run serve), or install Node ${oldest} or later.\n`,
  );
  process.exit(2);
}

const { findProgram } = await import('./program-sources.js');
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url');
const bundled = findProgram();
if (bundled !== null) {
  await import(pathToFileURL(bundled).href);
} else {
  const cache = new URL('../node_modules/.cache/nudgelab/modules', import.meta.url);
  process.getBuiltinModule('node:module').enableCompileCache?.(fileURLToPath(cache));
  await import('../src/cli/main.ts');
}
