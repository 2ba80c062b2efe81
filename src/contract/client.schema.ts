import { z } from 'zod';
import { boundedText, lengthBounded } from './bounded-text.ts';
import { clientAuthMethods, listAuthMethods, signingSecretBytesMin } from './client-auth-methods.ts';
import { clientPermissions } from './client-permissions.ts';

const permissions = z.array(z.enum(clientPermissions));

/** Schemes that lead to no application: a browser would run or read something itself. */
const ownSchemes = /^(?:javascript|data|file|vbscript|about|blob):/i;

const address = lengthBounded({ max: 2_048 })
  .check(z.url({ error: 'an absolute address is wanted' }))
  .refine((text) => !ownSchemes.test(text), 'an address of an application, which javascript:, data: or file: is not')
  .refine((text) => !text.includes('#'), 'an address without a fragment')
  .meta({
    pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^#]*$',
    not: { type: 'string', pattern: '^(javascript|data|file|vbscript|about|blob):' },
  });

/** The form of an origin in published schemas: a scheme and an authority, without a path. */
export const originPattern = '^[a-z][a-z0-9+.-]*://[^/?#@\\s]+$';

/** As browsers write it in `Origin`: no path, no port that the scheme has anyway. */
const origin = lengthBounded({ max: 2_048 })
  .refine(
    (text) => URL.parse(text)?.origin === text && text !== 'null',
    'an origin as browsers send it, such as https://app.example:8443',
  )
  .meta({ pattern: originPattern, examples: ['https://app.example:8443'] });

const keyPart = boundedText({ min: 1, max: 2_048, pattern: /^[\w-]+$/, allowed: 'base64url without padding' });

const keyNames = {
  kid: z.string().min(1).max(256).optional(),
  alg: z.enum(['RS256', 'PS256', 'ES256']).optional(),
  use: z.literal('sig').optional(),
};

/** A public key as a JWK (RFC 7517): what is private has no place here, and is refused. */
const publicKey = z.discriminatedUnion('kty', [
  z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: keyPart, y: keyPart, ...keyNames }),
  z.strictObject({ kty: z.literal('RSA'), n: keyPart, e: keyPart, ...keyNames }),
]);

/** A condition of a published schema, and what holds where it is met. */
function when(properties: object, held: object, required: readonly string[] = []): Readonly<Record<string, unknown>> {
  const condition = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  return { if: condition, then: { type: 'object', ...held } };
}

const secretMethods = clientAuthMethods.filter(isBySecret);
const containsMethods = (methods: readonly string[]): object => ({
  authMethods: { type: 'array', items: { type: 'string' }, contains: { enum: methods } },
});
const onlyMethods = (methods: readonly string[]): object => ({
  properties: { authMethods: { type: 'array', items: { enum: methods } } },
});
const wantsSecret = { properties: { secret: true }, required: ['secret'] };

/** The rules between keys as published schemas state them; the refinements of the schema are what the program checks. */
const publishedRules = [
  when({ authMethods: false, kind: { enum: ['web', 'service'] } }, wantsSecret),
  when(containsMethods(secretMethods), wantsSecret, ['authMethods']),
  when(
    containsMethods(['client_secret_jwt']),
    { properties: { secret: { type: 'string', minLength: signingSecretBytesMin } } },
    ['authMethods'],
  ),
  when({ kind: { const: 'public' } }, { properties: { secret: false } }, ['kind']),
  when({ kind: { const: 'public' } }, onlyMethods(['none']), ['kind']),
  when({ kind: { const: 'service' } }, onlyMethods(clientAuthMethods.filter((method) => method !== 'none')), ['kind']),
  when(containsMethods(['private_key_jwt']), { properties: { jwks: true }, required: ['jwks'] }, ['authMethods']),
  when(
    {
      authMethods: {
        type: 'array',
        items: { enum: clientAuthMethods.filter((method) => method !== 'private_key_jwt') },
      },
    },
    { properties: { jwks: false } },
  ),
  when(
    { kind: { enum: ['web', 'public'] }, anyLoopbackRedirect: { const: false } },
    {
      properties: { redirectUris: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['redirectUris'],
    },
  ),
];

/**
 * An application that may ask for tokens: test data, as users are.
 * - `web` runs on a server and has a secret; `public` runs in a browser or on a device, has none and proves itself by PKCE;
 *   `service` acts for itself alone, by client credentials.
 */
export const clientSchema = z
  .strictObject({
    id: z.string().regex(/^[\x21-\x7e]{1,256}$/, '1 to 256 printable ASCII characters without spaces'),
    name: z.string().min(1).max(256).optional(),
    kind: z.enum(['web', 'public', 'service']).default('web'),
    /** Test data; never a real secret. */
    secret: z
      .string()
      .regex(/^[\x20-\x7e]{1,256}$/, '1 to 256 printable ASCII characters')
      .optional(),
    /** How it proves itself; without it `none` for a public client, else its secret, in the header or in the body. */
    authMethods: z.array(z.enum(clientAuthMethods)).min(1).max(clientAuthMethods.length).optional(),
    /** Its public keys, for `private_key_jwt`. */
    jwks: z.strictObject({ keys: z.array(publicKey).min(1).max(10) }).optional(),
    redirectUris: z.array(address).max(100).default([]),
    postLogoutRedirectUris: z.array(address).max(100).default([]),
    /** Lets every address of a loopback name be redirected to, whatever its port and path: for applications on this machine. */
    anyLoopbackRedirect: z.boolean().default(false),
    /** Origins whose pages may call the endpoints for this client, besides those of its addresses to redirect to. */
    corsOrigins: z.array(origin).max(100).optional(),
    /** Signs the client's ID tokens. */
    signingAlgorithm: z.enum(['ES256', 'RS256']).default('ES256'),
    /** Permissions that users may delegate to it. */
    permissions: permissions.default([...clientPermissions]),
    /** Permissions that it has itself, without a user. */
    appRoles: permissions.default([]),
    /** Whether users are asked; `granted` stands for the consent of an administrator for everyone. */
    consent: z.enum(['granted', 'required']).default('granted'),
    accessTokenLifetimeSeconds: z.int().min(1).max(86_400).default(3_600),
  })
  .refine((client) => client.secret !== undefined || !listAuthMethods(client).some(isBySecret), {
    path: ['secret'],
    error: 'a client that proves itself by a secret needs one; with authMethods [private_key_jwt] it needs none',
  })
  .refine(({ kind, secret }) => kind !== 'public' || secret === undefined, {
    path: ['secret'],
    error: 'a public client cannot keep a secret',
  })
  .refine(({ secret = '', authMethods = [] }) => !authMethods.includes('client_secret_jwt') || signs(secret), {
    path: ['secret'],
    error: `client_secret_jwt needs a secret of ${signingSecretBytesMin} bytes or more`,
  })
  .refine(({ kind, authMethods = [] }) => kind !== 'public' || authMethods.every((method) => method === 'none'), {
    path: ['authMethods'],
    error: 'a public client keeps nothing that it could prove itself by: none is allowed',
  })
  .refine(({ kind, authMethods = [] }) => kind !== 'service' || !authMethods.includes('none'), {
    path: ['authMethods'],
    error: 'a service has to prove itself: any but none is allowed',
  })
  .refine(({ jwks, authMethods = [] }) => (jwks !== undefined) === authMethods.includes('private_key_jwt'), {
    path: ['jwks'],
    error: 'private_key_jwt among authMethods and jwks belong together',
  })
  .refine((client) => client.kind === 'service' || client.anyLoopbackRedirect || client.redirectUris.length > 0, {
    path: ['redirectUris'],
    error: 'give an address to redirect to, or anyLoopbackRedirect',
  })
  .meta({ allOf: publishedRules });

function isBySecret(method: string): boolean {
  return method.startsWith('client_secret_');
}

/** A secret is ASCII: it has as many bytes as characters. */
function signs(secret: string): boolean {
  return secret.length >= signingSecretBytesMin;
}

/** A client of a sandbox, complete. */
export type Client = z.output<typeof clientSchema>;
