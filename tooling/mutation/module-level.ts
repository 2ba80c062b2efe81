import { readFileSync } from 'node:fs';
import type { Mutant } from '@stryker-mutator/api/core';
import { parseSync, Visitor } from 'oxc-parser';

interface Range {
  readonly start: number;
  readonly end: number;
}

const known = new Map<string, { readonly lineStarts: readonly number[]; readonly bodies: readonly Range[] }>();

/**
 * Tells whether a mutant is executed as its module loads, and never again. Where a test is the first to import the module, StrykerJS
 * counts that test alone as one that reaches it, although every later test works with what was made of it.
 */
export function isModuleLevel({ fileName, location }: Pick<Mutant, 'fileName' | 'location'>): boolean {
  const { lineStarts, bodies } = partsOf(fileName);
  const offset = (lineStarts[location.start.line] ?? 0) + location.start.column;
  return !bodies.some(({ start, end }) => start <= offset && offset < end);
}

/** Where the lines of a file begin, and its functions and classes, whose parts are executed when they are called. */
function partsOf(fileName: string): { readonly lineStarts: readonly number[]; readonly bodies: readonly Range[] } {
  const held = known.get(fileName);
  if (held !== undefined) return held;
  const text = readFileSync(fileName, 'utf8');
  const bodies: Range[] = [];
  const note = ({ start, end }: Range): void => {
    bodies.push({ start, end });
  };
  new Visitor({
    ArrowFunctionExpression: note,
    FunctionDeclaration: note,
    FunctionExpression: note,
    ClassBody: note,
  }).visit(parseSync(fileName, text, { sourceType: 'module', lang: 'ts' }).program);
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  const parts = { lineStarts, bodies };
  known.set(fileName, parts);
  return parts;
}
