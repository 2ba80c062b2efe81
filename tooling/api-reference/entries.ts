import { readFileSync } from 'node:fs';
import { docCommentBefore, isDocComment, parseDocComment } from './doc-comment.ts';
import { findFunction } from './signature.ts';
import { type Declaration, SourceModule } from './source-module.ts';

/** Exported name of an entry point, resolved to its declaration. */
export interface Export {
  readonly name: string;
  readonly declaration: Declaration;
  /** True if only the type is exported. */
  readonly isTypeOnly: boolean;
}

/** Entry point of the package: a name that `import` accepts. */
export interface Entry {
  /** Import name, such as `nudgelab/vitest`. */
  readonly name: string;
  /** Path of the source file, relative to the repository root. */
  readonly path: string;
  /** Doc comment of the module; empty if it has none. */
  readonly text: string;
  readonly exports: readonly Export[];
}

/**
 * Reads the entry points of the package from `exports` in package.json.
 *
 * @returns every entry point with types, in the order of package.json
 * @throws Error if an exported name cannot be resolved to a declaration in the sources
 */
export function packageEntries(): readonly Entry[] {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return [];
    const path = target.types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts');
    return [createEntry(`${manifest.name}${subpath.slice(1)}`, SourceModule.at(path))];
  });
}

/**
 * Reads the exports of one entry point.
 *
 * @param name - name that `import` accepts
 * @param module - source file of the entry point
 * @returns the entry point with its exports, sorted by name
 * @throws Error if an exported name cannot be resolved to a declaration in the sources
 */
export function createEntry(name: string, module: SourceModule): Entry {
  const exports = module.exportedNames.map((exported) => {
    const declaration = module.exported(exported);
    if (declaration === null) {
      throw new Error(`${module.path}: the export ${exported} is not declared in the sources.`);
    }
    return { name: exported, declaration, isTypeOnly: module.exportsType(exported) };
  });
  return { name, path: module.path, text: moduleText(module), exports };
}

/** Returns the first comment of a file if it does not belong to a declaration. */
function moduleText({ comments, text }: SourceModule): string {
  const [first] = comments;
  if (first === undefined || first.start !== 0 || !isDocComment(first)) return '';
  return /^\n\n/.test(text.slice(first.end)) ? parseDocComment(first.value).text : '';
}

/**
 * Lists the exports that the reference cannot describe.
 *
 * @param entries - entry points of the package
 * @returns `entry: name` of every export without a doc comment
 */
export function undocumentedExports(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ name: entry, exports }) =>
    exports
      .filter(({ declaration: { start, module } }) => docCommentBefore(start, module.comments, module.text) === null)
      .map(({ name }) => `${entry}: ${name}`),
  );
}

/**
 * Lists the functions whose doc comments lack tags.
 *
 * @param entries - entry points of the package
 * @returns `entry: name` of every function that lacks `@returns`, or that has parameters but no `@param`
 */
export function untaggedFunctions(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ name: entry, exports }) =>
    exports.filter(({ declaration }) => lacksTags(declaration)).map(({ name }) => `${entry}: ${name}`),
  );
}

function lacksTags(declaration: Declaration): boolean {
  const { start, module } = declaration;
  const node = findFunction(declaration);
  if (node === null) return false;
  const comment = docCommentBefore(start, module.comments, module.text);
  if (comment === null) return true;
  const { params, returns } = parseDocComment(comment.value);
  const { returnType } = node;
  const returned = returnType ? module.text.slice(returnType.start, returnType.end) : '';
  const returnsNothing = /^:\s*(void|Promise<void>)$/.test(returned);
  return (params.length === 0 && node.params.length > 0) || (returns === null && !returnsNothing);
}
