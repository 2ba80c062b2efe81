const fnvOffset = 0xcbf2_9ce4_8422_2325n;
const fnvPrime = 0x100_0000_01b3n;

/**
 * Replaces `src/core/digest.ts` in the browser, whose own SHA-256 is asynchronous. The digest distinguishes the rulesets
 * of one page, and nothing else reads it: it is the 64-bit FNV-1a hash of the text.
 */
export function computeSha256(text: string): string {
  let hash = fnvOffset;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * fnvPrime);
  return hash.toString(16).padStart(16, '0');
}

/** Computes a short digest of a text. */
export function computeDigest(text: string): string {
  return computeSha256(text);
}
