import { aaguidTable } from '../../../contract/aaguids.ts';
import type { PasskeySettings, SignedMetadata, TestMetadata } from '../../../contract/passkey-settings.schema.ts';

/** Made once for each description; settings that change are others. */
const made = new WeakMap<TestMetadata, SignedMetadata>();

/**
 * The signed metadata that the settings of a tenant name: its own, or those that the built-in test root signs about the models of
 * some passkey types. Returns `null` where the settings name none.
 */
export async function signedMetadata(metadata: PasskeySettings['metadata']): Promise<SignedMetadata | null> {
  if (metadata === undefined || 'blob' in metadata) return metadata ?? null;
  const known = made.get(metadata);
  if (known !== undefined) return known;
  // Loaded by those who use it, as the software authenticators are.
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
