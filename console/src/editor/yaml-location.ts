/** A step down into the data of a YAML text: a key of a map, or an item of a list. */
export type Step = { readonly key: string } | 'item';

/** Where a cursor stands in the data of a YAML text. */
export interface YamlPlace {
  /** The way down to the map, the list or the value that it stands in. */
  readonly path: readonly Step[];
  /** Whether a key is written there, or a value. */
  readonly kind: 'key' | 'value';
  /** What is written of it so far. */
  readonly word: string;
}

interface Level {
  readonly column: number;
  readonly step: Step;
}

const keyForm = /^("[^"]*"\s*|'[^']*'\s*|[^\s"'{[\]},#&*!|>%@`-][^:#]*):(?:\s+|$)/;

/**
 * Where a cursor stands, by indentation and by brackets of its own line: a text that is being written is seldom valid YAML.
 * Takes the text up to the cursor.
 */
export function yamlPlace(before: string): YamlPlace {
  const lines = before.split('\n');
  const last = lines.length - 1;
  const levels: Level[] = [];
  for (const line of lines.slice(0, last)) descend(levels, line);
  return placeInLine(levels, lines[last] ?? '');
}

/** Follows one whole line. Returns its rest behind dashes and key, and the column that a key would have there. */
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
    // Items may stand as far in as the key of their list.
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

/** Where a cursor stands behind a key: in brackets that are open, or in the value itself. */
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

/** Quoted texts in one piece, even without their end; signs of brackets; and everything else. */
const bracketParts = /"[^"]*"?|'[^']*'?|[{}[\],:]|[^"'{}[\],:]+/g;

/** Whether a key comes next in a bracket. */
function awaitsKey(bracket: Bracket | undefined): boolean {
  return bracket?.isMap === true && bracket.key === null;
}

/** Follows a sign. Takes the brackets that are open, the sign, and the word before it. */
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
