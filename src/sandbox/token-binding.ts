import type { JWTPayload } from 'jose';

/** Algorithms of DPoP proofs (CL42). */
export const dpopAlgorithms = ['ES256', 'RS256', 'PS256'] as const;

/** Returns the thumbprint of the key that a token is bound to. `null` if the bearer can use it. */
export function findBinding({ cnf }: JWTPayload): string | null {
  const { jkt } = (cnf ?? {}) as { readonly jkt?: unknown };
  return typeof jkt === 'string' ? jkt : null;
}
