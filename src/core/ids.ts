import { createHash, randomUUID } from 'node:crypto';

/**
 * Creates a random id that no other run repeats. It is used for secrets and tokens, which a replay does not have to
 * reproduce.
 */
export function randomId(): string {
  return randomUUID();
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns `true` for a GUID in its usual form with hyphens. */
export function isGuid(text: string): boolean {
  return guid.test(text);
}

/** Namespace of domain names (RFC 9562, section 6.6). */
const domainNamespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** Namespace of the ids that this program derives from names. */
const ownNamespace = nameBasedUuid('nudgelab.invalid', domainNamespace);

/** Creates a UUID from a name (RFC 9562, version 5). Equal names give equal ids on every machine. */
export function nameBasedUuid(name: string, namespace: string = ownNamespace): string {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  const bytes = digest.subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = bytes.toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
