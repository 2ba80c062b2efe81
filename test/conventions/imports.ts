import { posix } from 'node:path';
import { type Expression, type StringLiteral, Visitor } from 'oxc-parser';
import { lineAt, type TextFile } from './repository.ts';
import { parse } from './syntax.ts';

/** One place where a file names another module, by whichever form: static, export-from, `import()`, `import('…').Type`. */
export interface Import {
  readonly path: string;
  readonly line: number;
  /** What is written, or `null` where `import()` is given a computed name. */
  readonly specifier: string | null;
  /** True when only types come over, so that nothing is loaded at run time. */
  readonly typeOnly: boolean;
  /** True for `import()`, which loads the module when it is called and not when the file is. */
  readonly lazy: boolean;
}

/** What an import leads to: a file of the repository, a module of Node, or a package by its name. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'package'; readonly name: string };

/** Reads every import of a TypeScript file, in the order in which they stand. Throws when the file cannot be parsed. */
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

/** Tells what a specifier leads to from the file at `path`. */
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
