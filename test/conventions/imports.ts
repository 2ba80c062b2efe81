import { posix } from 'node:path';
import { type Expression, type StringLiteral, Visitor } from 'oxc-parser';
import { lineAt, type TextFile } from './repository.ts';
import { parse } from './syntax.ts';

/** Reference from a file to another module: static import, export-from, `import()` or `import('…').Type`. */
export interface Import {
  readonly path: string;
  readonly line: number;
  /** Specifier as written, or `null` if `import()` has a computed name. */
  readonly specifier: string | null;
  /** True if only types are imported, so nothing is loaded at runtime. */
  readonly typeOnly: boolean;
  /** True for `import()`, which loads the module when it is called and not with the file. */
  readonly lazy: boolean;
}

/** Target of an import: a file of the repository, a Node module, or a package. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'package'; readonly name: string };

/** Lists every import of a TypeScript file in source order. Throws if the file cannot be parsed. */
export function listImports(file: TextFile): readonly Import[] {
  const found: Import[] = [];
  const add = (offset: number, specifier: string | null, typeOnly: boolean, lazy = false): void => {
    found.push({ path: file.path, line: lineAt(file.text, offset), specifier, typeOnly, lazy });
  };
  new Visitor({
    ImportDeclaration: (node) => {
      const inlineTypes = node.specifiers.length > 0 && node.specifiers.every(isTypeSpecifier);
      add(node.start, node.source.value, node.importKind === 'type' || inlineTypes);
    },
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.start, node.source.value, node.exportKind === 'type');
    },
    ExportAllDeclaration: (node) => add(node.start, node.source.value, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.start, literalText(node.source), false, true),
    TSImportType: (node) => add(node.start, node.source.value, true),
    TSExternalModuleReference: (node) => add(node.start, node.expression.value, false),
  }).visit(parse(file).program);
  return found;
}

/** Resolves a specifier, relative to the file at `path`, to its target. */
export function resolveTarget(path: string, specifier: string): Target {
  if (specifier.startsWith('.')) return { kind: 'file', path: posix.join(posix.dirname(path), specifier) };
  if (specifier.startsWith('node:')) return { kind: 'node', name: specifier };
  const parts = specifier.split('/');
  return { kind: 'package', name: parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') };
}

function isTypeSpecifier(specifier: { readonly type: string; readonly importKind?: string }): boolean {
  return specifier.type === 'ImportSpecifier' && specifier.importKind === 'type';
}

function literalText(source: Expression): string | null {
  return isStringLiteral(source) ? source.value : null;
}

function isStringLiteral(source: Expression): source is StringLiteral {
  return source.type === 'Literal' && typeof source.value === 'string';
}
