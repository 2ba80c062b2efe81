import { createRequire, type LoadHookContext, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { TimeOver, withinTime } from '../../../core/time-limit.ts';
import { impureModules, watchGlobals, withoutWatch } from '../../../core/watched-globals.ts';

/** Loaded file of a gate. */
export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
  /** Modules of Node.js with the clock, chance or the network that it imports, and globals that it used while loading. */
  readonly impure: readonly string[];
}

const load = createRequire(import.meta.url);
const loaded = new Map<string, LoadedModule>();

/** Time in milliseconds after which loading a module is stopped. */
const loadMsMax = 5_000;

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** File of `nudgelab/gate`, which modules can import without an installed package. */
const gateUrl = new URL(`../../../contract/gate.${extension}`, import.meta.url).href;

/**
 * Loads the file of a gate as an ES module, in TypeScript or JavaScript. A changed file is loaded again, its imports
 * are not.
 *
 * @param path - real path of the file
 * @param digest - digest of its source
 * @returns its exports, and what it uses besides them
 * @throws whatever the module throws, and a `SyntaxError` for invalid source
 */
export function loadModule(path: string, digest: string): LoadedModule {
  const name = `nudgelab-gate:${digest}:${path}`;
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = `${pathToFileURL(path).href}?gate=${digest}`;
  // Node.js caches a required file by its path. The entry has a path of its own for each source.
  const entry = `${pathToFileURL(path).href}.${digest}.mjs`;
  const impure = new Set<string>();
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === name) return { url: entry, format: 'module', shortCircuit: true };
      if (specifier === 'nudgelab/gate') return next(gateUrl, context);
      const resolved = resolveOwn(
        specifier,
        () => next(specifier, context),
        (parentURL) => next(specifier, { ...context, parentURL }),
      );
      if (impureModules.has(resolved.url)) impure.add(resolved.url);
      return resolved;
    },
    load: (url, context, next) => {
      // Another library can have replaced the functions that Node.js reads files with, and use the clock there.
      if (url !== entry) return withoutWatch(() => next(url, asModule(url, context)));
      return { format: 'module', source: `export * as gate from ${JSON.stringify(file)};`, shortCircuit: true };
    },
  });
  try {
    const { gate } = watchGlobals(
      () => withinTime(loadMsMax, () => load(name) as { readonly gate: Readonly<Record<string, unknown>> }),
      (used) => impure.add(used),
    );
    const module = { exports: gate, impure: [...impure] };
    loaded.set(name, module);
    return module;
  } catch (error) {
    throw error instanceof TimeOver ? new Error(`loading it takes more than ${loadMsMax / 1_000} s`) : error;
  } finally {
    hooks.deregister();
  }
}

/** Resolves `zod` from this package where the module's own folder has none, because a schema needs it. */
function resolveOwn<T>(specifier: string, usual: () => T, from: (parentUrl: string) => T): T {
  try {
    return usual();
  } catch (error) {
    if (specifier !== 'zod') throw error;
    return from(import.meta.url);
  }
}

/** Treats the user's own files as ES modules, whatever the type of their package is. */
function asModule(url: string, context: LoadHookContext): LoadHookContext {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return context;
  const format = { commonjs: 'module', 'commonjs-typescript': 'module-typescript' }[String(context.format)];
  return format === undefined ? context : { ...context, format };
}
