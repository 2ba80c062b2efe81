import { createHash } from 'node:crypto';
import { CeremonyError } from './ceremony-error.ts';

/** How many sites a browser accepts in a list of related origins (WebAuthn level 3, 5.11.1). */
const relatedLabelsMax = 5;

/**
 * The relying party id that holds in a ceremony, as a browser decides it: the one that the options name, if it is the host of
 * the origin or a parent domain of it, or if the relying party lists the origin as related, else the host. The origin must be
 * secure: https, or http on localhost. A parent of one label, such as `com`, is refused; browsers refuse all public suffixes, and
 * their list is not repeated here. Throws CeremonyError `foreign-relying-party`.
 */
export function createRelyingParty(
  origin: string,
  wished: string | undefined,
  relatedOrigins: readonly string[] = [],
): string {
  const host = secureHostOf(origin);
  if (host === null) throw new CeremonyError('foreign-relying-party');
  if (wished === undefined || wished === host) return host;
  const isParent = wished.includes('.') && !isAddress(host) && host.endsWith(`.${wished}`);
  if (!isParent && !isRelated(origin, relatedOrigins)) throw new CeremonyError('foreign-relying-party');
  return wished;
}

/** Whether a list of related origins names an origin; of a list with too many sites, only the first ones count. */
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

function secureHostOf(origin: string): string | null {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return null;
  const local = url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) return null;
  return isAddress(url.hostname) ? null : url.hostname;
}

/** An IP address is no domain, so it can be no relying party. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
}

/** SHA-256 of text or bytes. */
export function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
