import { findCycles } from './cycles.ts';
import { type Import, listImports, resolveTarget } from './imports.ts';
import type { ModuleBoundary } from './module-boundary.ts';
import type { Fault, TextFile } from './repository.ts';

/** End of an import of a file's text. It loads no code. */
const rawSuffix = '?raw';

/** Result of the layers check: the number of imports, and every violation of the table. */
export interface LayersReport {
  readonly imports: number;
  readonly faults: readonly Fault[];
}

/**
 * Checks every import of the given source files, including type imports, against the table of module boundaries.
 * Reports modules, packages and Node modules that are not allowed, and cycles between modules and between files.
 */
export function inspectLayers(files: readonly TextFile[], modules: readonly ModuleBoundary[]): LayersReport {
  const known = new Set(files.map((file) => file.path));
  const imports = files.flatMap(listImports);
  const homeless = files
    .filter((file) => findModule(file.path, modules) === undefined)
    .map((file) => ({
      path: file.path,
      line: 0,
      message: 'stands in no module: give its folder a row in test/conventions/module-boundaries.ts.',
    }));
  const refused = imports.flatMap((one) => {
    const message = objection(one, modules, known);
    return message === null ? [] : [{ path: one.path, line: one.line, message }];
  });
  return { imports: imports.length, faults: [...homeless, ...refused, ...cycleFaults(imports, modules)] };
}

/** Explains the fault of one import and what to do instead. Returns `null` if the table allows it. */
function objection(one: Import, modules: readonly ModuleBoundary[], known: ReadonlySet<string>): string | null {
  const module = findModule(one.path, modules);
  if (module === undefined) return null;
  if (one.specifier === null) {
    if (module.loaders?.includes(one.path) === true) return null;
    return `imports a computed name: name the module, or list the file as a loader of ${module.path} in test/conventions/module-boundaries.ts.`;
  }
  const target = resolveTarget(one.path, one.specifier);
  if (target.kind === 'file') {
    if (isText(target.path)) return textObjection(module, target.path);
    if (!known.has(target.path)) return `imports ${target.path}, which is no source file.`;
    if (findModule(target.path, modules) === module || allows(module.imports, target.path)) return null;
    if (one.typeOnly) return typeObjection(module, target.path);
    return refusal(module, target.path, permitted(module));
  }
  const list = target.kind === 'node' ? module.node : module.packages;
  return list.includes(target.name) ? null : refusal(module, target.name, list.join(', ') || 'none of its kind');
}

function typeObjection(module: ModuleBoundary, path: string): string | null {
  return allows(module.importsTypesOf ?? [], path) ? null : refusal(module, `a type of ${path}`, permitted(module));
}

function isText(path: string): boolean {
  return path.endsWith(rawSuffix);
}

function textObjection({ texts = [], ...module }: ModuleBoundary, written: string): string | null {
  const path = written.slice(0, -rawSuffix.length);
  return allows(texts, path) ? null : refusal(module, `the text of ${path}`, texts.join(', ') || 'no texts');
}

function refusal(module: ModuleBoundary, what: string, legal: string): string {
  return `imports ${what}, but ${module.path} may import: ${legal}. ${module.instead}`;
}

function permitted(module: ModuleBoundary): string {
  const types = (module.importsTypesOf ?? []).map((path) => `types of ${path}`);
  return [...module.imports, ...types].join(', ') || 'nothing of the repository';
}

function allows(paths: readonly string[], target: string): boolean {
  return paths.some((path) => holds(path, target));
}

/** Checks whether a path covers a file: the file itself, a file in the folder, or a file beside it with its name. */
function holds(path: string, file: string): boolean {
  return file === path || file.startsWith(`${path}/`) || file.startsWith(`${path}.`);
}

/** Finds the module with the longest path that covers the file. */
function findModule(file: string, modules: readonly ModuleBoundary[]): ModuleBoundary | undefined {
  return modules
    .filter((module) => holds(module.path, file))
    .reduce<ModuleBoundary | undefined>(
      (best, module) => (best !== undefined && best.path.length >= module.path.length ? best : module),
      undefined,
    );
}

/**
 * Finds cycles between files and between modules. A file may lazily load another file that imports its types, as a
 * command does with its implementation. Between modules, even that is a cycle.
 */
function cycleFaults(imports: readonly Import[], modules: readonly ModuleBoundary[]): readonly Fault[] {
  const files = new Map<string, Set<string>>();
  const folders = new Map<string, Set<string>>();
  for (const one of imports) {
    const target = one.specifier === null ? null : resolveTarget(one.path, one.specifier);
    if (target?.kind !== 'file') continue;
    if (!one.lazy) connect(files, one.path, target.path);
    const [from, to] = [findModule(one.path, modules)?.path, findModule(target.path, modules)?.path];
    if (from !== undefined && to !== undefined && from !== to) connect(folders, from, to);
  }
  return [...findCycles(files), ...findCycles(folders)].map((members) => ({
    path: members[0] ?? '',
    line: 0,
    message: `stands in a cycle of imports: ${members.join(', ')}. Move what they share to a file that imports none of them.`,
  }));
}

function connect(graph: Map<string, Set<string>>, from: string, to: string): void {
  const successors = graph.get(from) ?? new Set();
  graph.set(from, successors.add(to));
}
