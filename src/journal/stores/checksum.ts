const prime = 0x01000193;

/** What a checksum begins with: the offset of FNV-1a. */
export const checksumStart = 0x811c9dc5 | 0;

/**
 * A checksum against damage, not against malice: FNV-1a over the UTF-16 units of a text. Takes the text and the checksum of
 * what came before it, so that the checksum of a whole is that of its parts in turn. Returns a signed integer of 32 bits.
 */
export function checksum(text: string, before: number = checksumStart): number {
  let sum = before;
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), prime);
  return sum;
}
