import { markHeader } from './hand-over-mark.ts';

/** Headers that belong to one connection (RFC 9110, section 7.6.1), and the mark, which each server sets itself. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
  markHeader,
]);

/**
 * Returns the headers of a message without those of its connection, in their order and spelling, as names and values in
 * turn. `also` names further headers to leave out.
 */
export function listEndToEnd(rawHeaders: readonly string[], also: readonly string[] = []): string[] {
  const pairs: (readonly [name: string, value: string])[] = [];
  const left = new Set<string>(also);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    pairs.push([name, value]);
    if (name.toLowerCase() !== 'connection') continue;
    for (const named of value.split(',')) left.add(named.trim().toLowerCase());
  }
  return pairs.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return ofConnection.has(lower) || left.has(lower) ? [] : [name, value];
  });
}
