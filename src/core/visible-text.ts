/** Characters that move a cursor, end a line, turn the direction of a text or are no characters: none of them is seen where it stands. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/** The last of the control characters that Unicode has pictures of, and the first of those pictures. */
const picturedMax = 0x1f;
const firstPicture = 0x2400;
const deleteCharacter = 0x7f;
const deletePicture = '\u2421';

/**
 * A text on one line in which everything is seen: `␛` stands for an escape character, `␊` for a line break, `<U+202E>` for what has no
 * picture. Unlike a backslash with a letter these are not taken for a part of a path, and JSON leaves them as they are.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, visibleCharacter);
}

/** One character that is not seen, as it is shown. */
export function visibleCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= picturedMax) return String.fromCodePoint(firstPicture + code);
  return code === deleteCharacter ? deletePicture : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/**
 * Data whose texts are all visible, keys of objects and of maps as well. What needs no change is returned itself; instances of classes
 * other than maps and sets are left as they are.
 */
export function visibleValues<T>(data: T): T {
  return visible(data, new Map()) as T;
}

/** Takes what was begun already: data may hold itself. */
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
    return new Map([...value].map(([key, held]) => [visible(key, begun), visible(held, begun)]));
  if (value instanceof Set) return new Set([...value].map((held) => visible(held, begun)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value);
  const shown = entries.map(([key, held]) => [visibleText(key), visible(held, begun)] as const);
  const isSame = shown.every(([key, held], index) => key === entries[index]?.[0] && held === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(shown);
}
