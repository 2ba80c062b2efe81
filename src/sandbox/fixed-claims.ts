import type { ClaimItem } from '../contract/client-claims.schema.ts';

/** Returns the configured claims with fixed values, which are also in tokens without a user (CL70). */
export function listFixedClaims(items: readonly ClaimItem[] = []): Record<string, unknown> {
  const fixed = items.flatMap((item) =>
    typeof item === 'string' || item.from !== undefined ? [] : [[item.name, item.value] as const],
  );
  return Object.fromEntries(fixed);
}
