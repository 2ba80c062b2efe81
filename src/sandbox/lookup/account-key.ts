import type { LookupType } from '../../contract/lookup.schema.ts';
import { digestOfParts } from '../../core/secrets.ts';

/**
 * Normalizes a query for matching. An email address is trimmed and converted to lower case, and a username is
 * unchanged.
 */
export function normalizedQuery(type: LookupType, query: string): string {
  return type === 'email' ? query.trim().toLowerCase() : query;
}

/**
 * Computes the key of a tool's result for a query: a digest of random seed, type, query and tool in 64 hexadecimal
 * digits. Everything about the account is derived from the key, but the query cannot be.
 */
export function createAccountKey(seed: number, type: LookupType, query: string, toolId: string): string {
  return digestOfParts('lookup', seed, type, normalizedQuery(type, query), toolId);
}
