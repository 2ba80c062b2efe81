/** Step down into YAML data: a key of a map, or an item of a list. */
export type Step = { readonly key: string } | 'item';

/** Cursor location in the data of a YAML text. */
export interface YamlPlace {
  /** Path to the map, list or value that contains the cursor. */
  readonly path: readonly Step[];
  /** Type of the text at the cursor, a key or a value. */
  readonly kind: 'key' | 'value';
  /** Text of the key or value up to the cursor. */
  readonly word: string;
}

interface Level {
  readonly column: number;
  readonly step: Step;
}

const keyForm = /^("[^"]*"\s*|'[^']*'\s*|[^\s"'{[\]},#&*!|>%@`-][^:#]*):(?:\s+|$)/;

/**
 * Locates the cursor in a YAML text by the indentation and by the brackets of its line, because a text that is
 * being edited is rarely valid YAML. `before` is the text up to the cursor.
 */
export function yamlPlace(before: string): YamlPlace {
  const lines = before.split('\n');
  const last = lines.length - 1;
  const levels: Level[] = [];
  for (const line of lines.slice(0, last)) descend(levels, line);
  return placeInLine(levels, lines[last] ?? '');
}

/** Processes one complete line. Returns the text after its dashes and key, and the column of such a key. */
function descend(
  levels: Level[],
  line: string,
): { readonly rest: string; readonly hasKey: boolean; readonly column: number } {
  let column = line.length - line.trimStart().length;
  let rest = line.slice(column);
  if (rest === '' || rest.startsWith('#')) return { rest: '', hasKey: false, column };
  for (;;) {
    const dash = /^-(\s+|$)/.exec(rest);
    if (dash === null) break;
    // Items may have the same indentation as the key of their list.
    leave(levels, (level) => level.column > column || (level.column === column && level.step === 'item'));
    levels.push({ column, step: 'item' });
    column += Math.max(2, dash[0].length);
    rest = rest.slice(dash[0].length);
  }
  const key = keyForm.exec(rest);
  if (key === null) return { rest, hasKey: false, column };
  leave(levels, (level) => level.column >= column);
  levels.push({ column, step: { key: unquoted((key[1] ?? '').trimEnd()) } });
  return { rest: rest.slice(key[0].length), hasKey: true, column };
}

function placeInLine(levels: Level[], line: string): YamlPlace {
  const { rest, hasKey, column } = descend(levels, line);
  if (!hasKey && !/^[{[]/.test(rest)) {
    leave(levels, (level) => level.column >= column && !(level.column === column && level.step === 'item'));
    return { path: levels.map(({ step }) => step), kind: 'key', word: rest.trimStart() };
  }
  const path = levels.map(({ step }) => step);
  return inBrackets(path, rest);
}

interface Bracket {
  readonly isMap: boolean;
  key: string | null;
}

/** Locates the cursor after a key, either in open brackets or in the value itself. */
function inBrackets(path: readonly Step[], value: string): YamlPlace {
  const open: Bracket[] = [];
  let word = '';
  for (const part of value.match(bracketParts) ?? []) {
    if (!/^[{}[\],:]$/.test(part) || (part === ':' && !awaitsKey(open.at(-1)))) word += part;
    else {
      follow(open, part, word);
      word = '';
    }
  }
  const steps = open.flatMap(({ isMap, key }): readonly Step[] => {
    if (!isMap) return ['item'];
    return key === null ? [] : [{ key }];
  });
  return { path: [...path, ...steps], kind: awaitsKey(open.at(-1)) ? 'key' : 'value', word: word.trimStart() };
}

/**
 * Tokens of a flow value: a quoted text (its closing quote is optional), a bracket or separator, or any other text.
 */
const bracketParts = /"[^"]*"?|'[^']*'?|[{}[\],:]|[^"'{}[\],:]+/g;

/** Returns true if the next token in a bracket is a key. */
function awaitsKey(bracket: Bracket | undefined): boolean {
  return bracket?.isMap === true && bracket.key === null;
}

/** Updates the open brackets for a bracket or separator and the word before it. */
function follow(open: Bracket[], sign: string, word: string): void {
  const top = open.at(-1);
  if (sign === '{' || sign === '[') open.push({ isMap: sign === '{', key: null });
  else if (sign === '}' || sign === ']') open.pop();
  else if (top !== undefined) top.key = sign === ':' ? unquoted(word.trim()) : null;
}

function leave(levels: Level[], isLeft: (level: Level) => boolean): void {
  for (;;) {
    const top = levels.at(-1);
    if (top === undefined || !isLeft(top)) return;
    levels.pop();
  }
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  const isQuoted = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}
