import { z } from 'zod';
import { passkeyTypes } from '../../machines/vocabulary.ts';
import { boundedText, lengthBounded } from './bounded-text.ts';

/** What pages may hint to a browser about the authenticator that the user is expected to use (WebAuthn level 3, 5.8.7). */
export const passkeyHints = ['security-key', 'client-device', 'hybrid'] as const;

const relatedOriginsMax = 100;
const originCharactersMax = 512;
const rootsMax = 20;

/** The longest metadata BLOB, in characters: bodies of API requests are not much longer. */
const blobCharactersMax = 786_432;
const certificateCharactersMax = 16_384;

const relatedOrigin = lengthBounded({ max: originCharactersMax })
  .refine((text) => URL.parse(text)?.origin === text && text.startsWith('https://'), {
    message: 'an origin with https and without a path, such as https://shop.example',
  })
  .meta({ pattern: '^https://[^/?#@\\s]+$', examples: ['https://shop.example'] });

const date = z.iso.date();

/** A metadata BLOB that is signed by the built-in test root and lists what the software authenticators attest. */
const testMetadataSchema = z.strictObject({
  types: z.array(z.enum(passkeyTypes)).min(1).describe('The passkey types whose models the BLOB lists.'),
  compromised: z
    .array(z.enum(passkeyTypes))
    .default([])
    .describe('Those among them whose attestation key is reported as compromised.'),
  nextUpdate: date.default('2049-12-31').describe('The date after which the BLOB is out of date.'),
});
export type TestMetadata = z.infer<typeof testMetadataSchema>;

/** A metadata BLOB of the tester’s own, and the roots that its signature has to lead to. */
const ownMetadataSchema = z.strictObject({
  blob: lengthBounded({ max: blobCharactersMax }).refine((text) => readMetadataBlob(text) !== null, {
    message: 'a BLOB of the FIDO Metadata Service, version 3: a signed JWT with no, nextUpdate and entries',
  }),
  roots: z
    .array(
      boundedText({
        max: certificateCharactersMax,
        pattern: /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s?$/,
        allowed: 'a certificate in PEM',
      }),
    )
    .min(1)
    .max(rootsMax),
});
export type SignedMetadata = z.infer<typeof ownMetadataSchema>;

/** How the pages of a tenant use passkeys; no rule reads it. */
export const passkeySettingsSchema = z.strictObject({
  conditionalCreate: z
    .boolean()
    .default(false)
    .describe('Whether pages have the browser create a passkey by itself after a sign-in with a password.'),
  hints: z.array(z.enum(passkeyHints)).max(passkeyHints.length).default([]),
  relatedOrigins: z
    .array(relatedOrigin)
    .max(relatedOriginsMax)
    .default([])
    .describe('Other origins whose pages may use the passkeys; `/.well-known/webauthn` lists them.'),
  prf: z.boolean().default(false).describe('Whether pages ask for the PRF extension.'),
  metadata: z
    .union([testMetadataSchema, ownMetadataSchema])
    .optional()
    .describe('The metadata that attestation is verified against; without it, any certificate attests a model.'),
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

/** What a metadata BLOB says, unverified; `null` for a text that is none. */
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
