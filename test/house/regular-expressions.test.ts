import { Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { readTextFiles, repositoryFiles, type TextFile } from './repository.ts';
import { parse } from './syntax.ts';

/**
 * Lengths of the texts that are tried, the shortest first: in a short one shows what grows with a power of two, in a long one what
 * grows with the square.
 */
const lengths = [30, 2_000, 30_000] as const;

/** Ms of the processor that one search may take: a linear one takes a tenth of one, a quadratic one a second. */
const searchMsMax = 150;

interface Found {
  readonly place: string;
  readonly expression: RegExp;
}

function expressionsIn(file: TextFile): readonly Found[] {
  const found: Found[] = [];
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node) || node.regex === null || node.regex === undefined) return;
      const { pattern, flags } = node.regex as { readonly pattern: string; readonly flags: string };
      found.push({ place: `${file.path}: /${pattern}/${flags}`, expression: new RegExp(pattern, flags) });
    },
  });
  visitor.visit(parse(file).program);
  return found;
}

const quick: readonly string[] = [
  'a',
  '0',
  'A',
  ' ',
  '\t',
  '\n',
  '-',
  '_',
  '.',
  '/',
  '=',
  '@',
  ',',
  ':',
  ';',
  '"',
  "'",
  '<',
  '>',
  '&',
  '%',
  '+',
  '*',
  '(',
  '[',
  '{',
  '\\',
  '|',
  '~',
  '#',
  '\u00e9',
];

/** What is repeated: characters that expressions repeat, and what stands in the expression itself. */
function unitsFor({ source }: RegExp): readonly string[] {
  const own = source.replaceAll(/[\\^$.*+?()[\]{}|]/g, ' ').split(' ');
  return [...new Set([...quick, ...own.filter((part) => part !== '').slice(0, 8)])];
}

function slowestMs(expression: RegExp): number {
  for (const length of lengths) {
    for (const unit of unitsFor(expression)) {
      // In the end stands what no expression wants, so that it goes back and tries everything else.
      const text = `${unit.repeat(Math.ceil(length / unit.length))}\u0000`;
      const ms = searchMs(expression, text);
      if (ms > searchMsMax) return ms;
    }
  }
  return 0;
}

/** Time of this thread alone, so that a busy machine plays no part; what is compiled first is asked again. */
function searchMs(expression: RegExp, text: string): number {
  let quickest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 2 && quickest > searchMsMax; time += 1) {
    const before = process.threadCpuUsage();
    text.search(expression);
    const { user, system } = process.threadCpuUsage(before);
    quickest = Math.min(quickest, (user + system) / 1_000);
  }
  return quickest;
}

const files = readTextFiles(repositoryFiles().filter((path) => /^(src|machines)\/.*\.ts$/.test(path)));
const found = files.flatMap(expressionsIn);

describe('regular expressions', () => {
  it('the check knows a slow one when it sees it', { timeout: 120_000 }, () => {
    for (const slow of [/\s+$/, /a*b/]) expect(slowestMs(slow)).toBeGreaterThan(searchMsMax);
    expect(slowestMs(/^[a-z]{1,64}$/)).toBe(0);
  });

  it('none of the program takes more than its length for a text, whatever stands in that', { timeout: 240_000 }, () => {
    expect(found.length).toBeGreaterThan(150);
    const slow = found
      .map(({ place, expression }) => ({ place, ms: slowestMs(expression) }))
      .filter(({ ms }) => ms > 0);
    expect(slow).toEqual([]);
  });
});
