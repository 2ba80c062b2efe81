import { existsSync, readFileSync } from 'node:fs';
import { type ResolveFnOutput, registerHooks } from 'node:module';

type Targets = Readonly<Record<string, string | { readonly default: string }>>;

/** Extension of the modules that run: those of the sources, or of a bundle. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Folder of the modules that run, in which those of a bundle have the paths of their sources. */
const running = new URL('../../', import.meta.url).href;

/** Folder of the package: that of the sources, and the one that contains the folder of a bundle. */
const top = extension === 'ts' ? running : new URL('../', running).href;

/** Path of a module in the sources, in the built package, or in a program that a checkout has bundled. */
const modulePath = /^(?:dist\/|\.program-[\da-f]+\/)?((?:src|machines)\/[^?#]+)\.[jt]s$/;

let areShared = false;

/**
 * Lets modules of users import the modules that run, by the name of the package or by a path in its folder. From
 * another form of the program, they would get classes of their own, and errors of those classes would be unexpected.
 */
export function shareRunningModules(): void {
  if (areShared) return;
  areShared = true;
  registerHooks({ resolve: createResolve(namedModules()) });
}

function createResolve(named: ReadonlyMap<string, string>): Parameters<typeof registerHooks>[0]['resolve'] {
  return (specifier, context, next) => {
    const url = named.get(specifier);
    if (url !== undefined) return { url, shortCircuit: true };
    const resolved = resolveShared(specifier, () => next(specifier, context));
    if (pathIn(context.parentURL ?? '') !== null) return resolved;
    const same = runningModule(resolved.url);
    return same === resolved.url ? resolved : { url: same, shortCircuit: true };
  };
}

/** Resolves `xstate` from this package where the module's own folder has none, because machines need it. */
function resolveShared(specifier: string, usual: () => ResolveFnOutput): ResolveFnOutput {
  try {
    return usual();
  } catch (error) {
    if (!/^xstate(?:\/|$)/.test(specifier)) throw error;
    return { url: import.meta.resolve(specifier), shortCircuit: true };
  }
}

/** Returns the URL of the same module in the form that runs, if it exists there on its own. */
function runningModule(url: string): string {
  const path = pathIn(url);
  const same = `${running}${path}.${extension}`;
  return path !== null && existsSync(new URL(same)) ? same : url;
}

/** Returns the path of a module of the program without the extension, or `null` for the URL of another module. */
function pathIn(url: string): string | null {
  return url.startsWith(top) ? (modulePath.exec(url.slice(top.length))?.[1] ?? null) : null;
}

/** Returns the URLs of the modules that the package exports, by the names that import them. */
function namedModules(): ReadonlyMap<string, string> {
  const { name, exports } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8')) as {
    readonly name: string;
    readonly exports: Targets;
  };
  const modules = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [[`${name}${path.slice(1)}`, runningModule(new URL(target.default, top).href)] as const],
  );
  return new Map(modules);
}
