import { createHash } from 'node:crypto';

/**
 * Words that no file may contain, as digests: the list would break its own rule if it spelt them. Brands, because the project
 * simulates no one vendor's product; tools and their makers, because a source tells what it does and not what it was typed
 * with. To add a word, print `computeDigest('the word')` in lower case; two words are separated by a blank.
 */
export const forbiddenDigests: ReadonlyMap<string, string> = new Map([
  ['7f3a98bcabcb3fe7', 'a brand'],
  ['61cdb98914b84354', 'a brand'],
  ['49fb29e7b982307d', 'a brand'],
  ['9fbf261b62c1d7c0', 'a brand'],
  ['916ded5b21bcfe2f', 'a brand'],
  ['c857d09db23e6822', 'a tool or its maker'],
  ['c70eca6b0f88f44d', 'a tool or its maker'],
  ['60965168ce762e94', 'a tool or its maker'],
  ['7d3194f79e645c42', 'a tool or its maker'],
  ['3ea125d0bff386e6', 'a tool or its maker'],
  ['5d72436256ada538', 'a tool or its maker'],
  ['57de4cf40144bdf7', 'a tool or its maker'],
  ['5eff592cc497fccb', 'a tool or its maker'],
  ['c5f9d8f01eaaecc5', 'a tool or its maker'],
  ['cdcbb68a3444fdd6', 'a tool or its maker'],
  ['ee662f0a4316976d', 'a tool or its maker'],
]);

/** The digest under which a word or pair of words is listed: the first 16 hex digits of its SHA-256. */
export function computeDigest(words: string): string {
  return createHash('sha256').update(words).digest('hex').slice(0, 16);
}
