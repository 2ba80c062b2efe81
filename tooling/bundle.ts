/**
 * Bundles the program into chunks: a command loads a few files instead of several hundred modules, and users install
 * three packages instead of fifty. Every entry shares the chunks, so each class exists once for modules of users.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type Plugin, type PluginContext, rolldown } from 'rolldown';
import type { Config } from '../src/cli/config.ts';
import { defaultSandboxPlan } from '../src/cli/serve/default-sandbox.ts';
import { type ServeArguments, serveOptions } from '../src/cli/serve/serve-options.ts';
import { computeModelDigest } from '../src/journal/model-digest.ts';
import { programText } from '../src/queue/program-text.ts';
import { describeThirdParties } from './third-parties.ts';

const top = fileURLToPath(new URL('..', import.meta.url)).slice(0, -1);

interface PackageFile {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Modules that are loaded together, and another beginning whose modules are already loaded then. */
interface Beginning {
  readonly modules: readonly string[];
  readonly after?: string;
}

const run = 'cli/run/run-scenarios.ts';
const serve = 'cli/serve/serve.ts';

/**
 * Modules with which a use of the program begins, or which it loads later. The modules that the same beginnings load
 * become one chunk, so each use loads few files and nothing else.
 */
const beginnings: readonly Beginning[] = [
  { modules: ['cli/main.ts'] },
  { modules: ['cli/program.ts'] },
  { modules: [run, 'cli/run.command.ts'] },
  { modules: [serve] },
  { modules: ['index.ts'] },
  { modules: ['scenario/drivers/http.driver.ts'], after: run },
  { modules: ['authenticators/software-authenticator.ts', 'authenticators/profiles.ts'], after: run },
  { modules: ['scenario/drivers/model.driver.ts'], after: run },
  { modules: ['server/control-api/control-api.route.ts'], after: serve },
  { modules: ['sandbox/directory-api/directory-responder.ts'], after: serve },
  { modules: ['server/identity/identity-pages.route.ts'], after: serve },
  { modules: ['server/oidc/oidc.route.ts'], after: serve },
  { modules: ['forecast/forecast-thread.ts'] },
];

/** Package that control tokens load, and the provider too. Without a chunk of its own, it would be in the provider's. */
const tokenLibrary = '/node_modules/jose/';

/** Package that most commands load, though not the schemas of `run` and `serve`. */
const schemaLibrary = '/node_modules/zod/';

/** Package that users install for its types and for gate modules. It is bundled all the same, because it has a hundred modules. */
const typesOnly = 'zod';

/**
 * Bundles the sources to `dist/`.
 *
 * @param dist - folder of the build output, in which entries keep the paths of their sources
 */
export async function bundleProgram(dist: string): Promise<void> {
  const file = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as PackageFile;
  const installed = Object.keys({ ...file.dependencies, ...file.peerDependencies }).filter(
    (name) => name !== typesOnly,
  );
  const bundle = await rolldown({
    cwd: top,
    input: Object.fromEntries(listEntries(file).map((entry) => [entry, join(top, `${entry}.ts`)])),
    external: (id, importer) =>
      (id.startsWith('node:') && !isDeferred(id, importer)) ||
      installed.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'node',
    // Chunks of several beginnings need it; no entry exports more than its source.
    preserveEntrySignatures: 'allow-extension',
    // The packages use `eval` only to name functions of old runtimes.
    checks: { eval: false },
    plugins: [keepPlaces(), writeConstants(await computeConstants()), deferProcesses(), takeBuiltins()],
  });
  const { output } = await bundle.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: createGrouping(), debugName: 'beginnings' }],
    },
    // Functions and classes keep their names, so that stack traces stay readable.
    minify: { compress: false, mangle: { toplevel: false, keepNames: true }, codegen: { removeWhitespace: true } },
  });
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  importDirectly(chunks, dist);
  writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), describeThirdParties(chunks.flatMap((one) => one.moduleIds)));
  await bundle.close();
}

/**
 * Makes dynamic imports load the chunk that contains the module, and removes the files that only export it again. Otherwise, a
 * command would load eight of those files.
 */
function importDirectly(chunks: readonly OutputChunk[], dist: string): void {
  const imports = new Map<string, { readonly chunk: string; readonly module: string }>();
  for (const { fileName, code, isEntry } of chunks) {
    const forwarding = /^import\{([^}]*)\}from"\.\/([^"]+)";export\{([^}]*)\};\s*$/.exec(code);
    if (isEntry || forwarding === null) continue;
    const [, given = '', chunk = '', exported = ''] = forwarding;
    const own = exported.split(',').map((one) => one.split(' as ').toReversed());
    const module = own.map(([name, local = name]) => `${name}:${local}`).join();
    imports.set(basename(fileName), { chunk, module: `({${given.replaceAll(' as ', ':')}})=>({${module}})` });
    rmSync(join(dist, fileName));
  }
  for (const { fileName, code } of chunks) {
    if (imports.has(basename(fileName))) continue;
    const direct = code.replace(/\bimport\([`"]([^`"]+)[`"]\)/g, (whole, path: string) => {
      const found = imports.get(basename(path));
      if (found === undefined) return whole;
      return `import(${JSON.stringify(`${dirname(path)}/${found.chunk}`)}).then(${found.module})`;
    });
    writeFileSync(join(dist, fileName), direct);
  }
}

/** Lists the entries without their extension: those of the package, and modules that others name by a path. */
function listEntries({ bin, exports }: PackageFile): readonly string[] {
  const targets = Object.values(exports).flatMap((one) => (typeof one === 'string' ? [] : [one.default]));
  const published = [...Object.values(bin), ...targets].map((path) =>
    path.replace(/^(\.\/)?dist\//, '').replace(/\.js$/, ''),
  );
  const named = globSync('src/**/*.ts', { cwd: top }).flatMap((path) =>
    [...readFileSync(join(top, path), 'utf8').matchAll(/new URL\(`(\.[^`$]+)\.\$\{extension\}`/g)].map(
      ([, name = '']) => join(dirname(path), name),
    ),
  );
  return [...new Set([...published, ...named])];
}

type ModuleInfos = Pick<PluginContext, 'getModuleInfo'>;

/** Creates the function that names the chunk of a module after the beginnings that load it. */
function createGrouping(): (id: string, context: ModuleInfos) => string | null {
  let names: ReadonlyMap<string, string> | null = null;
  return (id, context) => {
    names ??= nameByBeginnings(context);
    return names.get(id) ?? (id.includes(tokenLibrary) ? 'tokens' : null);
  };
}

/**
 * Names the chunk of each module. What `run` and `serve` load is divided only by whether other commands need it too, because
 * these two load the most files. All else is divided by every command. The options of both are one chunk, which their help
 * loads and nothing else.
 */
function nameByBeginnings(context: ModuleInfos): ReadonlyMap<string, string> {
  const uses = new Map<string, string[]>();
  const addUse = (id: string, use: string): unknown => uses.set(id, [...(uses.get(id) ?? []), use]);
  for (const { modules, after } of beginnings) {
    const known = listLoaded(after === undefined ? [] : [after], context);
    for (const id of listLoaded(modules, context)) if (!known.has(id)) addUse(id, modules.join());
  }
  const frequent = listLoaded([run, serve], context);
  const commands = listCommands(context);
  for (const id of listLoaded(commands, context)) if (frequent.has(id)) addUse(id, 'commands');
  for (const module of commands) {
    for (const id of listLoaded([module], context)) if (!frequent.has(id)) addUse(id, module);
  }
  const options = listLoaded(['cli/run.command.ts', 'cli/serve.command.ts'], context);
  const alike = Map.groupBy(new Set([...uses.keys(), ...options]), (id) => {
    if (options.has(id)) return 'options';
    return id.includes(schemaLibrary) ? schemaLibrary : uses.get(id)?.join(' ');
  });
  return new Map([...alike.values()].flatMap((ids, index) => ids.map((id) => [id, `shared-${index}`] as const)));
}

/** Lists what commands load when they run, except for those that begin a run or a server. */
function listCommands(context: ModuleInfos): readonly string[] {
  const source = join(top, 'src');
  const commands = globSync('cli/*.command.ts', { cwd: source }).toSorted();
  const lazy = commands.flatMap((path) => context.getModuleInfo(join(source, path))?.dynamicallyImportedIds ?? []);
  const express = join(top, 'node_modules/express/index.js');
  return lazy
    .filter((id) => id.startsWith(join(source, 'cli/')))
    .map((id) => relative(source, id))
    .filter((module) => module !== run && !listLoaded([module], context).has(express));
}

/** Lists the modules that an import of the given ones loads. */
function listLoaded(modules: readonly string[], context: ModuleInfos): ReadonlySet<string> {
  const loaded = new Set(modules.map((module) => join(top, 'src', module)));
  for (const id of loaded) for (const next of context.getModuleInfo(id)?.importedIds ?? []) loaded.add(next);
  return loaded;
}

/** Keeps the meaning of paths beside a module, such as that of a stylesheet, when the module moves into a chunk. */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(join(top, 'src')) || !code.includes('import.meta.')) return null;
      const place = relative(top, id).replace(/\.ts$/, '.js');
      return code.replace(/\bimport\.meta\.(url|dirname)\b/g, (_, key: string) => `__place_${key}('${place}')`);
    },
    renderChunk(code, { fileName }) {
      return code.replace(/__place_(url|dirname)\(["'`]([^"'`]+)["'`]\)/g, (_, key: string, place: string) => {
        const path = relative(dirname(fileName), key === 'url' ? place : dirname(place));
        return key === 'url'
          ? `new URL(${JSON.stringify(path)},import.meta.url).href`
          : `(import.meta.dirname+${JSON.stringify(`/${path}`)})`;
      });
    },
  };
}

/** Computes what the sources would compute at each start, by the paths of the modules that export it. */
async function computeConstants(): Promise<Readonly<Record<string, string>>> {
  const initial = Object.entries(serveOptions).map(([name, option]) => [name, option.initial]);
  const config = { fixtures: [] as readonly string[] } as Config;
  const plan = await defaultSandboxPlan(Object.fromEntries(initial) as ServeArguments, config, { nowMs: 0, cwd: top });
  const digests = { model: computeModelDigest(), program: programText() };
  return {
    [join(top, 'src/cli/serve/built-plan.ts')]: `export const builtPlan = ${JSON.stringify(plan)};`,
    [join(top, 'src/core/built-digests.ts')]: `export const builtDigests = ${JSON.stringify(digests)};`,
  };
}

/** Writes constants into the bundle. */
function writeConstants(constants: Readonly<Record<string, string>>): Plugin {
  return { name: 'write-constants', load: (id) => constants[id] ?? null };
}

const processes = 'node:child_process';

/** Returns true for the module that the parser of the command line needs only for subcommands that are programs. */
function isDeferred(id: string, importer: string | undefined): boolean {
  return id === processes && importer?.includes('/commander/') === true;
}

/** Lets the parser of the command line load `node:child_process` only for subcommands that are programs, which this one lacks. */
function deferProcesses(): Plugin {
  const deferred = `\0deferred ${processes}`;
  return {
    name: 'defer-processes',
    resolveId: (id, importer) => (isDeferred(id, importer) ? deferred : null),
    load: (id) =>
      id === deferred
        ? `export default { spawn: (...given) => process.getBuiltinModule(${JSON.stringify(processes)}).spawn(...given) };`
        : null,
  };
}

/**
 * Takes modules of Node from the process. An import reads every export of such a module, which loads what the program never
 * uses.
 */
function takeBuiltins(): Plugin {
  return {
    name: 'take-builtins',
    renderChunk: (code) =>
      code
        .replace(/^import "node:[\w/]+";$/gm, '')
        .replace(/^import (.+?) from "(node:[\w/]+)";$/gm, (_, clause: string, name: string) => {
          const [, whole, parts] = /^(?:\* as )?([\w$]+)?(?:, )?(?:\{(.*)\})?$/.exec(clause) ?? [];
          const taken = [
            ...(whole === undefined ? [] : [whole]),
            ...(parts === undefined ? [] : [`{${parts.replaceAll(' as ', ': ')}}`]),
          ];
          if (taken.length === 0) throw new Error(`The bundle imports ${name} in an unknown form: ${clause}`);
          return `const ${taken.map((one) => `${one} = globalThis.process.getBuiltinModule("${name}")`).join(', ')};`;
        }),
  };
}
