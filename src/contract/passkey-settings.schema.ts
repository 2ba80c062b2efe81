import { z } from 'zod';
import { passkeyTypes } from '../../machines/vocabulary.ts';
import { boundedText, lengthBounded } from './bounded-text.ts';

/** Hints of pages to browsers about the expected authenticator (WebAuthn level 3, section 5.8.7). */
export const passkeyHints = ['security-key', 'client-device', 'hybrid'] as const;

const relatedOriginsMax = 100;
const originCharactersMax = 512;
const rootsMax = 20;

/** Maximum length of a metadata BLOB in characters, slightly below the size limit of API request bodies. */
const blobCharactersMax = 786_432;
const certificateCharactersMax = 16_384;

const relatedOrigin = lengthBounded({ max: originCharactersMax }).refine(
  (text) => URL.parse(text)?.origin === text && text.startsWith('https://'),
  { message: 'must be an https origin without a path, such as https://shop.example' },
);

const date = z.iso.date();

/** Metadata BLOB that the built-in test root signs and that lists the models that software authenticators attest. */
const testMetadataSchema = z.strictObject({
  types: z.array(z.enum(passkeyTypes)).min(1).describe('The passkey types whose models are listed in the BLOB.'),
  compromised: z
    .array(z.enum(passkeyTypes))
    .default([])
    .describe('Listed passkey types whose attestation key is reported as compromised.'),
  nextUpdate: date.default('2049-12-31').describe('The date after which the BLOB is outdated.'),
});
export type TestMetadata = z.infer<typeof testMetadataSchema>;

/** Custom metadata BLOB with the root certificates for its signature. */
const ownMetadataSchema = z.strictObject({
  blob: lengthBounded({ max: blobCharactersMax }).refine((text) => readMetadataBlob(text) !== null, {
    message: 'must be a FIDO Metadata Service BLOB, version 3: a signed JWT with no, nextUpdate and entries',
  }),
  roots: z
    .array(
      boundedText({
        max: certificateCharactersMax,
        pattern: /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s?$/,
        allowed: 'must be a PEM certificate',
      }),
    )
    .min(1)
    .max(rootsMax),
});
export type SignedMetadata = z.infer<typeof ownMetadataSchema>;

/** Passkey settings of a tenant's pages. No rule reads them. */
export const passkeySettingsSchema = z.strictObject({
  conditionalCreate: z
    .boolean()
    .default(false)
    .describe('Whether pages request automatic passkey creation (conditional create) after a sign-in with a password.'),
  hints: z.array(z.enum(passkeyHints)).max(passkeyHints.length).default([]),
  relatedOrigins: z
    .array(relatedOrigin)
    .max(relatedOriginsMax)
    .default([])
    .describe('Other origins whose pages may use the passkeys; `/.well-known/webauthn` lists them.'),
  prf: z.boolean().default(false).describe('Whether pages request the PRF extension.'),
  metadata: z
    .union([testMetadataSchema, ownMetadataSchema])
    .optional()
    .describe(
      'The metadata that attestation is verified against; without it, any certificate is accepted for a model.',
    ),
});
export type PasskeySettings = z.infer<typeof passkeySettingsSchema>;

const blobPayloadSchema = z.looseObject({
  no: z.int().min(1),
  nextUpdate: date,
  entries: z.array(
    z.looseObject({
      aaguid: z.string().optional(),
      statusReports: z.array(z.looseObject({ status: z.string() })).default([]),
    }),
  ),
});
export type MetadataPayload = z.infer<typeof blobPayloadSchema>;

/** Decodes the payload of a metadata BLOB without verifying its signature. Returns `null` if the text is not a BLOB. */
export function readMetadataBlob(blob: string): MetadataPayload | null {
  const [header = '', payload = '', signature = '', ...rest] = blob.split('.');
  if (header === '' || signature === '' || rest.length > 0) return null;
  try {
    const parsed = blobPayloadSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
