import type { SeededCredential } from '../../src/core/seeded-key.ts';

/**
 * Replaces `src/core/seeded-key.ts` in the browser, where no passkey signs anything. The key is empty, and the id is
 * the seed text, so different passkeys have different ids.
 */
export function seededCredential(seedText: string): SeededCredential {
  const privateKey = { kty: 'OKP', crv: 'Ed25519', x: '', d: '' } as const;
  return { id: seededCredentialId(seedText), publicKey: '', privateKey };
}

/** Returns the seed text as id of a credential. */
export function seededCredentialId(seedText: string): string {
  return seedText;
}
