import { readFileSync } from 'node:fs';
import type { Mutant } from '@stryker-mutator/api/core';
import { parseSync, Visitor } from 'oxc-parser';

interface Range {
  readonly start: number;
  readonly end: number;
}

const known = new Map<string, { readonly lineStarts: readonly number[]; readonly bodies: readonly Range[] }>();

/**
 * Checks whether a mutant is executed only while its module loads. StrykerJS attributes such a mutant only to the
 * test that imports the module first, although all later tests use the result.
 */
export function isModuleLevel({ fileName, location }: Pick<Mutant, 'fileName' | 'location'>): boolean {
  const { lineStarts, bodies } = parseParts(fileName);
  const offset = (lineStarts[location.start.line] ?? 0) + location.start.column;
  return !bodies.some(({ start, end }) => start <= offset && offset < end);
}

/**
 * Returns the line starts of a file and the ranges of its functions and classes, whose bodies are executed when
 * they are called.
 */
function parseParts(fileName: string): { readonly lineStarts: readonly number[]; readonly bodies: readonly Range[] } {
  const cached = known.get(fileName);
  if (cached !== undefined) return cached;
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
