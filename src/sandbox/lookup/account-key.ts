import type { LookupType } from '../../contract/lookup.schema.ts';
import { digestOfParts } from '../../core/secrets.ts';

/** A query as it is matched: an email address trimmed and in lower case, a username as it stands. */
export function normalizedQuery(type: LookupType, query: string): string {
  return type === 'email' ? query.trim().toLowerCase() : query;
}

/**
 * What a tool's knowledge of a query is known by: a digest of seed, type, query and tool, in 64 hexadecimal digits. Everything
 * about the account follows from it, and the query does not.
 */
export function createAccountKey(seed: number, type: LookupType, query: string, toolId: string): string {
  return digestOfParts('lookup', seed, type, normalizedQuery(type, query), toolId);
}
