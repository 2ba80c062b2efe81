import { readFileSync } from 'node:fs';
import { docCommentBefore, isDocComment, parseDocComment } from './doc-comment.ts';
import { findFunction } from './signature.ts';
import { type Declaration, SourceModule } from './source-module.ts';

/** An exported name of an entry, resolved to its declaration. */
export interface Export {
  readonly name: string;
  readonly declaration: Declaration;
  /** Whether only the type is exported. */
  readonly isTypeOnly: boolean;
}

/** An entry of the package: a name that `import` takes. */
export interface Entry {
  /** Such as `nudgelab/vitest`. */
  readonly name: string;
  /** The source file from the top of the repository. */
  readonly path: string;
  /** The doc comment of the module; empty if it has none. */
  readonly text: string;
  readonly exports: readonly Export[];
}

/**
 * Reads the entries of the package from `exports` of package.json.
 *
 * @returns every entry with types, in the order of package.json
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
 * Reads the exports of one entry.
 *
 * @param name - the name that `import` takes
 * @param module - the source file of the entry
 * @returns the entry with its exports, sorted by name
 * @throws Error if an exported name cannot be resolved to a declaration in the sources
 */
export function createEntry(name: string, module: SourceModule): Entry {
  const exports = module.exportedNames.map((exported) => {
    const declaration = module.exported(exported);
    if (declaration === null) {
      throw new Error(`${module.path}: the export ${exported} has no declaration in the sources.`);
    }
    return { name: exported, declaration, isTypeOnly: module.exportsTypeOf(exported) };
  });
  return { name, path: module.path, text: moduleText(module), exports };
}

/** The first comment of a file, if it belongs to no declaration. */
function moduleText({ comments, text }: SourceModule): string {
  const [first] = comments;
  if (first === undefined || first.start !== 0 || !isDocComment(first)) return '';
  return /^\n\n/.test(text.slice(first.end)) ? parseDocComment(first.value).text : '';
}

/**
 * Lists the exports that the reference cannot describe.
 *
 * @param entries - the entries of the package
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
 * @param entries - the entries of the package
 * @returns `entry: name` of every function without `@returns`, or with parameters and without `@param`
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
