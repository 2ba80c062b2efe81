/**
 * Starts the program from its sources, as the npm scripts do. This file is plain JavaScript and enables the compile
 * cache before the first TypeScript file is loaded. Cached modules need no transformation, and loading the
 * transformer of Node.js takes longer than reading half of the program. If the folder is not writable, only the
 * cache is unavailable.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/nudgelab/modules', import.meta.url)));
await import('../src/cli/main.ts');
