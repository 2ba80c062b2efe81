import { createHash } from 'node:crypto';
import { CeremonyError } from './ceremony-error.ts';

/** Maximum number of sites that a browser accepts in a list of related origins (WebAuthn Level 3, 5.11.1). */
const relatedLabelsMax = 5;

/**
 * Determines the relying party id of a ceremony as a browser does. The id in the options is valid if it is the
 * origin's host, a parent domain of it, or a relying party that lists the origin as related. Without an id, the
 * host is used. The origin must be secure: https, or http on localhost. A parent with one label, such as `com`, is
 * rejected. Browsers reject all public suffixes, but that list is not included here. Throws CeremonyError
 * `foreign-relying-party` if the id is invalid.
 */
export function createRelyingParty(
  origin: string,
  requestedId: string | undefined,
  relatedOrigins: readonly string[] = [],
): string {
  const host = findSecureHost(origin);
  if (host === null) throw new CeremonyError('foreign-relying-party');
  if (requestedId === undefined || requestedId === host) return host;
  const isParent = requestedId.includes('.') && !isAddress(host) && host.endsWith(`.${requestedId}`);
  if (!isParent && !isRelated(origin, relatedOrigins)) throw new CeremonyError('foreign-relying-party');
  return requestedId;
}

/**
 * Checks whether a list of related origins contains an origin. If the list has too many sites, only the first ones
 * count.
 */
function isRelated(origin: string, relatedOrigins: readonly string[]): boolean {
  const labels = new Set<string>();
  for (const listed of relatedOrigins) {
    const label = URL.parse(listed)?.hostname.split('.').at(-2) ?? listed;
    if (!labels.has(label) && labels.size >= relatedLabelsMax) continue;
    labels.add(label);
    if (URL.parse(listed)?.origin === origin) return true;
  }
  return false;
}

function findSecureHost(origin: string): string | null {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return null;
  const local = url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) return null;
  return isAddress(url.hostname) ? null : url.hostname;
}

/** Checks whether a host is an IP address. An IP address is not a domain, so it cannot be a relying party id. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
}

/** Computes the SHA-256 hash of text or bytes. */
export function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
