import { parseSync, Visitor } from 'oxc-parser';

/** Where a text is read: its kind decides how many of a sample are drawn from it. */
export const textKinds = ['doc comment', 'help', 'interface', 'docs', 'test title', 'changelog', 'message'] as const;
export type TextKind = (typeof textKinds)[number];

/** A text that people read, without code. */
export interface TextPart {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly kind: TextKind;
  readonly text: string;
}

/** Attributes of elements that people read. */
const readAttributes: readonly string[] = ['label', 'title', 'legend', 'aria-label', 'alt'];

const titleCalls = /^(?:test|it|describe)$/;

/** Lists the texts of a file; none for a file of another format. */
export function listTexts(path: string, source: string): readonly TextPart[] {
  if (path.endsWith('.md')) return markdownTexts(path, source);
  return /\.tsx?$/.test(path) ? codeTexts(path, source) : [];
}

function markdownTexts(path: string, source: string): readonly TextPart[] {
  const kind = path === 'CHANGELOG.md' ? 'changelog' : 'docs';
  const parts: TextPart[] = [];
  let isCode = false;
  /** The line that the next one continues; `null` where a new text begins. */
  let open: { readonly line: number; text: string } | null = null;
  const end = (): void => {
    if (open !== null) parts.push({ path, line: open.line, kind, text: withoutCode(open.text) });
    open = null;
  };
  for (const [index, line] of source.split('\n').entries()) {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || startsText(line) || !isProse(line)) end();
    if (isCode || !isProse(line)) continue;
    const text = line.replace(/^\s*(#+|[-*]|\d+\.)\s+/, '').trim();
    if (/^\s*\|/.test(line)) {
      parts.push(...line.split('|').map((cell) => ({ path, line: index + 1, kind, text: withoutCode(cell) }) as const));
    } else {
      open = open === null ? { line: index + 1, text } : { line: open.line, text: `${open.text} ${text}` };
      if (line.startsWith('#')) end();
    }
  }
  end();
  return parts.filter(({ text }) => /\p{L}/u.test(text));
}

/** Whether a line of Markdown holds prose: not blank, nor an element, a rule of a table or the address of a link. */
function isProse(line: string): boolean {
  return line.trim() !== '' && !/^\s*(```|~~~|<|\[[^\]]+\]:)/.test(line) && !/^\|[\s:|-]+\|$/.test(line);
}

/** Whether a line of Markdown starts a text: a heading, an item of a list or a row of a table. */
function startsText(line: string): boolean {
  return /^\s*(#|[-*] |\d+\. |\|)/.test(line);
}

function codeTexts(path: string, source: string): readonly TextPart[] {
  const lang = path.endsWith('.tsx') ? 'tsx' : 'ts';
  const { program, comments } = parseSync(path, source, { sourceType: 'module', lang });
  const starts = lineStarts(source);
  const parts: TextPart[] = [];
  const isTest = /\.test\.tsx?$/.test(path);
  const isHelp = /^src\/cli\/.*(\.command|options?)\.ts$/.test(path);
  const add = (offset: number, kind: TextKind, text: string): void => {
    const plain = withoutCode(text.replaceAll(/\s+/g, ' '));
    // A text of one word is a name as often as not.
    if (/\p{L} +\p{L}/u.test(plain)) parts.push({ path, line: lineOf(starts, offset), kind, text: plain });
  };
  for (const { value, start } of comments) {
    if (!/^\s*(biome|eslint|@ts|v8|vitest)/.test(value)) add(start, 'doc comment', value.replaceAll(/^[ \t]*\*/gm, ''));
  }
  const titles = new Set<number>();
  /** Attributes that no one reads, such as classes. */
  const unread = new Set<number>();
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = source.slice(callee.start, callee.end).split(/[.(]/)[0] ?? '';
      if (isTest && titleCalls.test(name) && first !== undefined) titles.add(first.start);
    },
    Literal: ({ value, start }) => {
      if (typeof value === 'string' && !unread.has(start)) add(start, kindOf(start), value);
    },
    TemplateLiteral: ({ quasis, start }) => {
      add(start, kindOf(start), quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
    JSXText: ({ value, start }) => add(start, 'interface', value),
    JSXAttribute: ({ name, value }) => {
      if (value?.type === 'Literal' && !readAttributes.includes(String(name.name))) unread.add(value.start);
    },
  }).visit(program);
  return parts;

  function kindOf(start: number): TextKind {
    if (titles.has(start)) return 'test title';
    if (path.startsWith('console/') || path.includes('/identity/texts/')) return 'interface';
    return isHelp ? 'help' : 'message';
  }
}

/** Removes what is code in a text: spans in backticks, addresses of links, and elements. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/`[^`]*`/g, '…')
    .replaceAll(/\]\([^()\s]*\)/g, ']')
    .replaceAll(/https?:\S+/g, '…')
    .trim();
}

function lineStarts(source: string): readonly number[] {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
