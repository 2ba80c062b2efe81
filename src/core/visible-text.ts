/**
 * Invisible characters that move the cursor, end a line, change the text direction, or are not valid characters.
 */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/** Last control character with a Unicode control picture. The first control picture is the next constant. */
const picturedMax = 0x1f;
const firstPicture = 0x2400;
const deleteCharacter = 0x7f;
const deletePicture = '\u2421';

/**
 * Converts a text to one line without invisible characters. An escape character becomes `␛`, a line break `␊`, and
 * a character without a control picture `<U+202E>`. Unlike backslash escapes, these cannot be confused with a path,
 * and JSON does not change them.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, visibleCharacter);
}

/** Returns the visible form of an invisible character. */
export function visibleCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= picturedMax) return String.fromCodePoint(firstPicture + code);
  return code === deleteCharacter ? deletePicture : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/**
 * Makes all texts in data visible, including the keys of objects and maps. Values that need no change are returned
 * as they are. Instances of classes other than maps and sets are not changed.
 */
export function visibleValues<T>(data: T): T {
  return visible(data, new Map()) as T;
}

/** Makes a value visible. `begun` contains the values in progress, because data can contain circular references. */
function visible(value: unknown, begun: Map<object, unknown>): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (begun.has(value)) return begun.get(value);
  begun.set(value, value);
  const shown = visibleParts(value, begun);
  begun.set(value, shown);
  return shown;
}

function visibleParts(value: object, begun: Map<object, unknown>): unknown {
  if (Array.isArray(value)) {
    const parts = value.map((part) => visible(part, begun));
    return parts.some((part, index) => part !== value[index]) ? parts : value;
  }
  if (value instanceof Map)
    return new Map([...value].map(([key, inner]) => [visible(key, begun), visible(inner, begun)]));
  if (value instanceof Set) return new Set([...value].map((member) => visible(member, begun)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value);
  const shown = entries.map(([key, inner]) => [visibleText(key), visible(inner, begun)] as const);
  const isSame = shown.every(([key, inner], index) => key === entries[index]?.[0] && inner === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(shown);
}
