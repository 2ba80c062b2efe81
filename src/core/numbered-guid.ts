const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Returns a GUID that starts with a number.
 *
 * @param number - number below 2^32
 * @param words - two random words, from which the rest is formed
 */
export function numberedGuid(number: number, words: Int32Array): string {
  const tail = toHex(words[0] ?? 0) + toHex(words[1] ?? 0);
  return `${toHex(number)}-${tail.slice(0, 4)}-4${tail.slice(4, 7)}-8${tail.slice(7, 10)}-${tail.slice(4, 16)}`;
}

/** Returns the number that a GUID in this form starts with, or `NaN` for another text. */
export function parseGuidNumber(id: string): number {
  return guid.test(id) ? Number.parseInt(id.slice(0, 8), 16) : Number.NaN;
}

const guidStart = /^([0-9a-f]{1,7}$|[0-9a-f]{8}(?:$|-))/;

/** Returns the numbers that GUIDs with a given beginning start with, or `null` if no GUID begins so. */
export function parseGuidStart(text: string): { readonly from: number; readonly to: number } | null {
  const [hex] = guidStart.exec(text) ?? [];
  if (hex === undefined) return null;
  const known = hex.slice(0, 8);
  const from = Number.parseInt(known.padEnd(8, '0'), 16);
  return { from, to: from + 16 ** (8 - known.length) };
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
