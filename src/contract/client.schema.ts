import { z } from 'zod';
import { readCertificateKey } from '../core/certificate-key.ts';
import { boundedText, lengthBounded } from './bounded-text.ts';
import { clientAuthMethods, listAuthMethods, signingSecretBytesMin } from './client-auth-methods.ts';
import { clientClaimsSchema, userRolesSchema } from './client-claims.schema.ts';
import { clientPermissions } from './client-permissions.ts';
import { originPattern } from './origin-pattern.ts';
import { permissionSchema, refreshScopeRules, resourceSchema } from './resource.schema.ts';
import { signingAlgorithms } from './signing-algorithms.ts';

/** Response types of the authorization endpoint that a client can be given. `token` is never issued there. */
export const responseTypes = ['code', 'id_token', 'code id_token'] as const;
export type ResponseType = (typeof responseTypes)[number];

/** Grants that a client needs to be given, in addition to those that follow from its kind. */
const clientGrants = ['device_code'] as const;

/** Types of access tokens in their header: that of RFC 9068, and that of other JWTs. */
export const accessTokenTypes = ['at+jwt', 'JWT'] as const;
export type AccessTokenType = (typeof accessTokenTypes)[number];

const refreshLifetimeMax = 365 * 86_400;

/** Maximum number of permissions of a client. */
const permissionsMax = 1_000;

const permissions = z.array(permissionSchema).max(permissionsMax);

/** URL schemes that are not allowed because the browser itself would execute or open the URL. */
const ownSchemes = /^(?:javascript|data|file|vbscript|about|blob):/i;

const address = lengthBounded({ max: 2_048 })
  .check(z.url({ error: 'must be an absolute URL' }))
  .refine((text) => !ownSchemes.test(text), 'must be the URL of an application, not a javascript:, data: or file: URL')
  .refine((text) => !text.includes('#'), 'must be a URL without a fragment')
  .meta({
    pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^#]*$',
    not: { type: 'string', pattern: '^(javascript|data|file|vbscript|about|blob):' },
  });

/** Origin in the format of the `Origin` header: without a path and without the default port of the scheme. */
const origin = lengthBounded({ max: 2_048 })
  .refine(
    (text) => URL.parse(text)?.origin === text && text !== 'null',
    'must be an origin as browsers send it, such as https://app.example:8443',
  )
  .meta({ pattern: originPattern, examples: ['https://app.example:8443'] });

const keyPart = boundedText({ min: 1, max: 2_048, pattern: /^[\w-]+$/, allowed: 'must be base64url without padding' });

const keyNames = {
  kid: z.string().min(1).max(256).optional(),
  alg: z.enum(['RS256', 'PS256', 'ES256']).optional(),
  use: z.literal('sig').optional(),
};

/** Public key as a JWK (RFC 7517). Private key parameters are rejected. */
const publicKey = z.discriminatedUnion('kty', [
  z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: keyPart, y: keyPart, ...keyNames }),
  z.strictObject({ kty: z.literal('RSA'), n: keyPart, e: keyPart, ...keyNames }),
]);

/** Maximum number of characters of a certificate, whose usual size is two thousand. */
const certificateCharactersMax = 16_384;

const certificate = lengthBounded({ max: certificateCharactersMax })
  .refine(
    (pem) => readCertificateKey(pem) !== null,
    'must be a certificate in PEM format with an RSA key or a P-256 key',
  )
  .meta({ pattern: '^-----BEGIN CERTIFICATE-----' });

/** Creates a condition of a published schema with the schema that applies if it is met. */
function when(
  properties: object,
  consequence: object,
  required: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const condition = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  return { if: condition, then: { type: 'object', ...consequence } };
}

const secretMethods = clientAuthMethods.filter(isBySecret);
const containsMethods = (methods: readonly string[]): object => ({
  authMethods: { type: 'array', items: { type: 'string' }, contains: { enum: methods } },
});
const onlyMethods = (methods: readonly string[]): object => ({
  properties: { authMethods: { type: 'array', items: { enum: methods } } },
});
const wantsSecret = { properties: { secret: true }, required: ['secret'] };

/** Rules between keys for the published schema. The program itself checks the refinements. */
const publishedRules = [
  when({ authMethods: false, kind: { enum: ['web', 'service'] } }, wantsSecret),
  when(containsMethods(secretMethods), wantsSecret, ['authMethods']),
  when(
    containsMethods(['client_secret_jwt']),
    { properties: { secret: { type: 'string', minLength: signingSecretBytesMin } } },
    ['authMethods'],
  ),
  when({ kind: { const: 'public' } }, { properties: { secret: false } }, ['kind']),
  when({ kind: { const: 'service' } }, { properties: { grants: false } }, ['kind']),
  when({ kind: { const: 'public' } }, onlyMethods(['none']), ['kind']),
  when({ kind: { const: 'service' } }, onlyMethods(clientAuthMethods.filter((method) => method !== 'none')), ['kind']),
  when(
    containsMethods(['private_key_jwt']),
    {
      anyOf: ['jwks', 'certificates'].map((key) => ({ type: 'object', properties: { [key]: true }, required: [key] })),
    },
    ['authMethods'],
  ),
  when(
    {
      authMethods: {
        type: 'array',
        items: { enum: clientAuthMethods.filter((method) => method !== 'private_key_jwt') },
      },
    },
    { properties: { jwks: false, certificates: false } },
  ),
  when(
    { kind: { enum: ['web', 'public'] }, anyLoopbackRedirect: { const: false }, grants: false },
    {
      properties: { redirectUris: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['redirectUris'],
    },
  ),
];

/**
 * OAuth client that can request tokens. Clients are test data, like users.
 * - `web` clients run on a server and have a secret.
 * - `public` clients run in a browser or on a device, have no secret, and use PKCE.
 * - `service` clients act on their own behalf with client credentials.
 */
export const clientSchema = z
  .strictObject({
    id: z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters without spaces'),
    name: z.string().min(1).max(256).optional(),
    kind: z.enum(['web', 'public', 'service']).default('web'),
    /** Client secret, which is test data and never a real secret. */
    secret: z
      .string()
      .regex(/^[\x20-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters')
      .optional(),
    /**
     * Allowed authentication methods. Defaults to `none` for public clients, otherwise to the secret in the header or
     * body.
     */
    authMethods: z.array(z.enum(clientAuthMethods)).min(1).max(clientAuthMethods.length).optional(),
    /** Public keys of the client for `private_key_jwt`. */
    jwks: z.strictObject({ keys: z.array(publicKey).min(1).max(10) }).optional(),
    /** Certificates in PEM format whose keys are also for `private_key_jwt`. */
    certificates: z.array(certificate).min(1).max(10).optional(),
    /** Response types that the client may request. Defaults to `code`. */
    responseTypes: z.array(z.enum(responseTypes)).min(1).max(responseTypes.length).optional(),
    /** Requires PKCE with S256 also for a client that has a secret. Public clients always need it. */
    requirePkce: z.boolean().optional(),
    /** Requires pushed authorization requests (RFC 9126). */
    requirePar: z.boolean().optional(),
    /** Additional grants: `device_code` for devices without a browser (RFC 8628). */
    grants: z.array(z.enum(clientGrants)).min(1).max(clientGrants.length).optional(),
    /** Single-page application: its refresh tokens expire after 24 hours, which rotation does not extend. */
    spa: z.boolean().optional(),
    /** Lifetime of refresh tokens. Defaults to 90 days. */
    refreshLifetimeSeconds: z.int().min(1).max(refreshLifetimeMax).optional(),
    redirectUris: z.array(address).max(100).default([]),
    postLogoutRedirectUris: z.array(address).max(100).default([]),
    /** Allows redirects to every loopback URL, with any port and path, for applications on the local machine. */
    anyLoopbackRedirect: z.boolean().default(false),
    /** Origins whose pages may call the endpoints for this client, in addition to the origins of its redirect URIs. */
    corsOrigins: z.array(origin).max(100).optional(),
    /** Proof of possession (DPoP, RFC 9449): `allowed` binds tokens to the key of a proof, `required` needs a proof. */
    dpop: z.enum(['off', 'allowed', 'required']).optional(),
    /** URL that the signed-out page loads in a frame (OpenID Connect Front-Channel Logout). */
    frontchannelLogoutUri: address.optional(),
    /** Adds `iss` and `sid` to that URL. */
    frontchannelLogoutSessionRequired: z.boolean().optional(),
    /** URL that receives logout tokens (OpenID Connect Back-Channel Logout). */
    backchannelLogoutUri: address.optional(),
    /** Adds `sid` to the logout tokens of this client. */
    backchannelLogoutSessionRequired: z.boolean().optional(),
    /** Algorithm that signs the ID tokens of this client. */
    signingAlgorithm: z.enum(signingAlgorithms).default('ES256'),
    /** Format of access tokens for the API of the client, or for the APIs of the sandbox. */
    accessToken: z
      .strictObject({
        /** Type in the header of the token. Defaults to `at+jwt`, in the tenant form to `JWT`. */
        typ: z.enum(accessTokenTypes).optional(),
        /** Algorithm that signs the token. Defaults to ES256, in the tenant form to RS256. */
        alg: z.enum(signingAlgorithms).optional(),
      })
      .optional(),
    /** Claims in tokens and userinfo in addition to those of the scopes. Those of access tokens are like their format. */
    claims: clientClaimsSchema.optional(),
    /** Roles of users at the client, in the claim `roles` of ID tokens. */
    userRoles: userRolesSchema.optional(),
    /** Permissions that users can delegate to the client. */
    permissions: permissions.default([...clientPermissions]),
    /** Permissions that the client has without a user. */
    appRoles: permissions.default([]),
    /** API of the client, which it and other clients request tokens for. */
    resource: resourceSchema.optional(),
    /** Scopes that a refresh can add. Defaults to the setting of the sandbox. */
    refreshScopes: z.enum(refreshScopeRules).optional(),
    /**
     * Consent setting: with `granted`, an administrator has consented for all users; otherwise users are prompted for
     * it.
     */
    consent: z.enum(['granted', 'required']).default('granted'),
    accessTokenLifetimeSeconds: z.int().min(1).max(86_400).default(3_600),
  })
  .refine((client) => client.secret !== undefined || !listAuthMethods(client).some(isBySecret), {
    path: ['secret'],
    error: 'must be set for clients that authenticate with a secret, and omitted for authMethods [private_key_jwt]',
  })
  .refine(({ kind, secret }) => kind !== 'public' || secret === undefined, {
    path: ['secret'],
    error: 'must be omitted: a public client cannot keep a secret',
  })
  .refine(({ secret = '', authMethods = [] }) => !authMethods.includes('client_secret_jwt') || signs(secret), {
    path: ['secret'],
    error: `client_secret_jwt requires a secret of at least ${signingSecretBytesMin} bytes`,
  })
  .refine(({ kind, authMethods = [] }) => kind !== 'public' || authMethods.every((method) => method === 'none'), {
    path: ['authMethods'],
    error: 'must be [none]: a public client has no credentials',
  })
  .refine(({ kind, authMethods = [] }) => kind !== 'service' || !authMethods.includes('none'), {
    path: ['authMethods'],
    error: 'must not contain none: a service must authenticate',
  })
  .refine(({ jwks, certificates, authMethods = [] }) => hasKeys(jwks ?? certificates, authMethods), {
    path: ['jwks'],
    error: 'must be set, or certificates, if, and only if, authMethods contains private_key_jwt',
  })
  .refine((client) => client.redirectUris.length > 0 || isWithoutRedirect(client), {
    path: ['redirectUris'],
    error: 'must contain at least one URI, unless anyLoopbackRedirect is true or grants contains device_code',
  })
  .refine(({ kind, grants }) => kind !== 'service' || grants === undefined, {
    path: ['grants'],
    error: 'must be omitted: a service acts without a user',
  })
  .meta({ allOf: publishedRules });

/** Properties that decide whether a client needs a redirect URI. */
interface RedirectNeeds {
  readonly kind: 'web' | 'public' | 'service';
  readonly anyLoopbackRedirect: boolean;
  readonly grants?: readonly (typeof clientGrants)[number][] | undefined;
}

function isWithoutRedirect({ kind, anyLoopbackRedirect, grants = [] }: RedirectNeeds): boolean {
  return kind === 'service' || anyLoopbackRedirect || grants.includes('device_code');
}

function hasKeys(keys: object | undefined, authMethods: readonly string[]): boolean {
  return (keys !== undefined) === authMethods.includes('private_key_jwt');
}

function isBySecret(method: string): boolean {
  return method.startsWith('client_secret_');
}

/** Returns `true` if the secret is long enough to sign. Secrets are ASCII, so the character count is the byte count. */
function signs(secret: string): boolean {
  return secret.length >= signingSecretBytesMin;
}

/** Client of a sandbox with all defaults applied. */
export type Client = z.output<typeof clientSchema>;
