/**
 * Segment of a resource path. A key in parentheses becomes a segment of its own, so `users('ada')` and `users/ada` are
 * the same.
 */
export interface PathSegment {
  /** Decoded text. */
  readonly text: string;
  /** `true` for a key in parentheses, which can only be an id. */
  readonly isKey: boolean;
  /** Named arguments in parentheses, by name in lower case, or `null` if there are none. */
  readonly named: ReadonlyMap<string, string> | null;
}

const withParentheses = /^([^()]*)\((.*)\)$/;
const argumentName = /^[A-Za-z]\w*$/;
const argumentValue = /^(?:'[^']*'|[^',()]*)$/;

/**
 * Splits the path below an API version into segments. A slash at the end is allowed.
 *
 * @param path - path as sent, which starts with a slash
 * @returns the segments, or `null` for a path that is malformed, such as one with two slashes in a row
 */
export function parseResourcePath(path: string): readonly PathSegment[] | null {
  const trimmed = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  if (trimmed === '') return path.length > 1 ? null : [];
  const segments: PathSegment[] = [];
  for (const part of trimmed.split('/')) {
    const text = decode(part);
    if (text === null || text === '') return null;
    const [, name, inside] = withParentheses.exec(text) ?? [];
    if (name === undefined || inside === undefined || name === '') {
      segments.push({ text, isKey: false, named: null });
      continue;
    }
    const content = inside.trim();
    const named = readNamed(content);
    segments.push({ text: name, isKey: false, named });
    if (content !== '' && named === null) segments.push({ text: unquote(content), isKey: true, named: null });
  }
  return segments;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Reads named arguments such as `roleTemplateId='…'`. Returns `null` for a key or for no arguments. */
function readNamed(content: string): ReadonlyMap<string, string> | null {
  if (content === '') return new Map();
  const named = new Map<string, string>();
  for (const part of content.split(',')) {
    const [name = '', ...rest] = part.split('=').map((word) => word.trim());
    const value = rest.join('=');
    if (rest.length === 0 || !argumentName.test(name) || !argumentValue.test(value)) return null;
    named.set(name.toLowerCase(), unquote(value));
  }
  return named;
}

/** Removes single quotes, in which two quotes stand for one. */
function unquote(text: string): string {
  const isQuoted = text.length >= 2 && text.startsWith("'") && text.endsWith("'");
  return isQuoted ? text.slice(1, -1).replaceAll("''", "'") : text;
}
