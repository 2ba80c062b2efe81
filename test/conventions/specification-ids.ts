import { type Expression, Visitor } from 'oxc-parser';
import type { TextFile } from './repository.ts';
import { parse } from './syntax.ts';

/** Ids of the rules about applications (`CL`) and about the directory API (`DIR`), first and last of each range. */
const ranges: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>> = {
  CL: [
    [1, 8],
    [10, 18],
    [20, 27],
    [30, 36],
    [40, 43],
    [50, 53],
    [60, 61],
    [65, 68],
    [70, 73],
    [80, 89],
  ],
  DIR: [
    [1, 11],
    [20, 30],
    [35, 38],
    [40, 43],
    [50, 55],
    [60, 68],
    [70, 73],
    [75, 77],
    [80, 80],
    [90, 93],
  ],
};

/** Lists the ids of all rules that a test has to name, in their order. */
export function listSpecificationIds(): readonly string[] {
  return Object.entries(ranges).flatMap(([prefix, parts]) =>
    parts.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => `${prefix}${first + at}`)),
  );
}

const runners = ['describe', 'it', 'suite', 'test'];
const idPattern = /\b(?:CL|DIR)\d+\b/g;
const leadingIds = /^(?:(?:CL|DIR)\d+\b[\s,:]*)+/;

/**
 * Lists the ids that titles of tests name: in the first argument of a runner, or at the beginning of a row of a table.
 *
 * @param file - a test
 */
export function listTitleIds(file: TextFile): readonly string[] {
  const found: string[] = [];
  const note = (text: string | null | undefined) => found.push(...((text ?? '').match(idPattern) ?? []));
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      if (!runners.includes(getRootName(callee)) || title === undefined) return;
      if (title.type === 'Literal' && typeof title.value === 'string') note(title.value);
      if (title.type === 'TemplateLiteral') for (const { value } of title.quasis) note(value.cooked);
    },
    ArrayExpression: ({ elements: [first] }) => {
      if (first?.type === 'Literal' && typeof first.value === 'string') note(leadingIds.exec(first.value)?.[0]);
    },
  }).visit(parse(file).program);
  return found;
}

/** Returns the first name of `a.b.c` or `a.b(c)`, or an empty text if the callee begins with no name. */
function getRootName(node: Expression): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return getRootName(node.object);
  return node.type === 'CallExpression' ? getRootName(node.callee) : '';
}
