import { isPlainObject } from '../../core/merge-patch.ts';

/** Maximum line length in characters; longer lines are broken, as formatters do. */
const lineCharactersMax = 120;

const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * Formats a value as TypeScript code: on one line if it is short, otherwise with one line per key or item.
 * @param indent - indentation of the line
 * @param besides - number of other characters on the line
 */
export function literal(value: unknown, indent = 0, besides = 0): string {
  const line = inline(value);
  const isShort = indent + besides + line.length <= lineCharactersMax;
  if (isShort || !(Array.isArray(value) || isPlainObject(value))) return line;
  const pad = ' '.repeat(indent + 2);
  const parts = Array.isArray(value)
    ? value.map((item) => `${pad}${literal(item, indent + 2, 1)},`)
    : listEntries(value).map(([key, inner]) => {
        const name = formatKey(key);
        return `${pad}${name}: ${literal(inner, indent + 2, name.length + 3)},`;
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.join('\n')}\n${' '.repeat(indent)}${close}`;
}

function inline(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isPlainObject(value)) return Object.is(value, -0) ? '-0' : String(JSON.stringify(value) ?? 'undefined');
  const entries = listEntries(value);
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([key, inner]) => `${formatKey(key)}: ${inline(inner)}`).join(', ')} }`;
}

function listEntries(value: object): readonly [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined);
}

/** Formats an object key. `__proto__` is written as a computed key because a plain one would set the prototype. */
function formatKey(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return identifier.test(key) ? key : quoted(key);
}

/** Formats text in single quotes, with nonprintable characters as escape sequences. */
function quoted(text: string): string {
  const body = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  const single = body.replaceAll("'", "\\'").replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escaped);
  return text.includes("'") && !text.includes('"')
    ? JSON.stringify(text).replaceAll(/[\u2028\u2029]/g, escaped)
    : `'${single}'`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Converts text to a variable name that is not in `taken`.
 * @param otherwise - name to use if no valid characters remain
 */
export function variableName(text: string, taken: ReadonlySet<string>, otherwise: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('');
  const base = identifier.test(joined) && !reserved.has(joined) ? joined : otherwise;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}${number}`;
  return name;
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Words that cannot be variable names in a module. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments as async await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected public ' +
    'return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);
