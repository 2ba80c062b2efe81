/**
 * Starts the program from its sources, as the npm scripts do. This is plain JavaScript and turns the cache of compiled modules
 * on before the first TypeScript file is read: what the cache holds needs no transforming, and loading Node's transform alone
 * takes longer than reading half of the program. A folder that cannot be written to costs the cache and nothing else.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/nudgelab/modules', import.meta.url)));
await import('../src/cli/main.ts');
