import { parseSync, Visitor } from 'oxc-parser';

/** Kinds of texts. The kind determines the number of sentences in a sample. */
export const textKinds = ['doc comment', 'help', 'interface', 'docs', 'test title', 'changelog', 'message'] as const;
export type TextKind = (typeof textKinds)[number];

/** Text for people, without code. */
export interface TextPart {
  readonly path: string;
  /** Line number, starting at 1. */
  readonly line: number;
  readonly kind: TextKind;
  readonly text: string;
}

/** Attributes of elements whose values people read. */
const readAttributes: readonly string[] = ['label', 'title', 'legend', 'aria-label', 'alt'];

const titleCalls = /^(?:test|it|describe)$/;

/** Lists the texts of a file. The list is empty for an unsupported format. */
export function listTexts(path: string, source: string): readonly TextPart[] {
  if (path.endsWith('.md')) return markdownTexts(path, source);
  return /\.tsx?$/.test(path) ? codeTexts(path, source) : [];
}

function markdownTexts(path: string, source: string): readonly TextPart[] {
  const kind = path === 'CHANGELOG.md' ? 'changelog' : 'docs';
  const parts: TextPart[] = [];
  let isCode = false;
  /** Text that the next line continues; `null` if a new text starts. */
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

/**
 * Checks whether a Markdown line contains prose, which excludes blank lines, elements, table rules and link URLs.
 */
function isProse(line: string): boolean {
  return line.trim() !== '' && !/^\s*(```|~~~|<|\[[^\]]+\]:)/.test(line) && !/^\|[\s:|-]+\|$/.test(line);
}

/** Checks whether a Markdown line starts a text: a heading, a list item or a table row. */
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
    // A text of a single word is often a name.
    if (/\p{L} +\p{L}/u.test(plain)) parts.push({ path, line: getLine(starts, offset), kind, text: plain });
  };
  for (const { value, start } of comments) {
    if (!/^\s*(biome|eslint|@ts|v8|vitest)/.test(value)) add(start, 'doc comment', value.replaceAll(/^[ \t]*\*/gm, ''));
  }
  const titles = new Set<number>();
  /** Attributes whose values people do not read, such as classes. */
  const unread = new Set<number>();
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = source.slice(callee.start, callee.end).split(/[.(]/)[0] ?? '';
      if (isTest && titleCalls.test(name) && first !== undefined) titles.add(first.start);
    },
    Literal: ({ value, start }) => {
      if (typeof value === 'string' && !unread.has(start)) add(start, getKind(start), value);
    },
    TemplateLiteral: ({ quasis, start }) => {
      add(start, getKind(start), quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
    JSXText: ({ value, start }) => add(start, 'interface', value),
    JSXAttribute: ({ name, value }) => {
      if (value?.type === 'Literal' && !readAttributes.includes(String(name.name))) unread.add(value.start);
    },
  }).visit(program);
  return parts;

  function getKind(start: number): TextKind {
    if (titles.has(start)) return 'test title';
    if (path.startsWith('console/') || path.includes('/identity/texts/')) return 'interface';
    return isHelp ? 'help' : 'message';
  }
}

/** Removes code from a text: spans in backticks, link URLs and elements. */
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

function getLine(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
