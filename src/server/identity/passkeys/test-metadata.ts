import { aaguidTable } from '../../../contract/aaguids.ts';
import type { PasskeySettings, SignedMetadata, TestMetadata } from '../../../contract/passkey-settings.schema.ts';

/** Cache by metadata description. Changed settings are new objects. */
const made = new WeakMap<TestMetadata, SignedMetadata>();

/**
 * Returns the signed metadata in the tenant settings: a custom BLOB, or one that the built-in test root signs for some
 * passkey types. Returns `null` if the settings contain none.
 */
export async function signedMetadata(metadata: PasskeySettings['metadata']): Promise<SignedMetadata | null> {
  if (metadata === undefined || 'blob' in metadata) return metadata ?? null;
  const known = made.get(metadata);
  if (known !== undefined) return known;
  // This module is loaded on demand, like the software authenticators.
  const { metadataBlob } = await import('../../../authenticators/metadata-blob.ts');
  const { types, compromised, nextUpdate } = metadata;
  const models = aaguidTable
    .filter(({ type }) => types.includes(type))
    .map(({ aaguid, type, name }) => ({
      aaguid,
      description: name,
      ...(compromised.includes(type) ? { statuses: ['ATTESTATION_KEY_COMPROMISE'] } : {}),
    }));
  const { blob, roots } = metadataBlob({ models, nextUpdate });
  const signed = { blob, roots: [...roots] };
  made.set(metadata, signed);
  return signed;
}
