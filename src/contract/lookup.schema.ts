import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { faultDelayMaxMs } from './fault.schema.ts';

/** Types of identifiers that can be looked up. */
export const lookupTypes = ['email', 'username'] as const;
export type LookupType = (typeof lookupTypes)[number];

/** Keyword that selects every tool of a type. */
export const allTools = 'all';

/** Maximum number of characters in a query. */
export const lookupQueryCharactersMax = 320;

/** Result fields that some tools have in addition to the common fields. */
export const lookupFields = [
  'name',
  'bio',
  'location',
  'language',
  'followers',
  'following',
  'posts',
  'verified',
  'created_at',
] as const;
export type LookupField = (typeof lookupFields)[number];

/** Maximum number of tools of one type in a sandbox. */
const lookupToolsMax = 100;
export const lookupAccountsMax = 1_000;
export const lookupTokensMax = 200_000;
export const lookupKnownMax = 10_000;

const id = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'must start with a lower-case letter or digit, followed by up to 62 of those or hyphens',
  );

/**
 * Email addresses and usernames never contain control characters. The pattern specifies them by code point because it
 * is published, and not every regular expression dialect supports a class for them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses.
export const lookupQueryPattern = /^[^\u0000-\u001f\u007f-\u009f]*$/;

const query = boundedText({
  min: 1,
  max: lookupQueryCharactersMax,
  pattern: lookupQueryPattern,
  allowed: 'must be text without control characters',
});

/** Tool that represents a third-party site with accounts. All names are fictitious. */
export const lookupToolSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z]{2,32}$/, 'must be a single lower-case word')
    .refine((word) => word !== allTools, `must not be ${allTools}`)
    .meta({ not: { const: allTools } }),
  /** Display name. Defaults to the id. */
  name: z.string().min(1).max(64).optional(),
  /** Result fields in addition to username, profile_url, and avatar. */
  fields: z.array(z.enum(lookupFields)).max(lookupFields.length).default([]),
  /** Response latency in milliseconds of real time. */
  latencyMs: z.int().min(0).max(faultDelayMaxMs).default(0),
  /** Share of all queries for which the tool finds an account. */
  shareFound: z.number().min(0).max(1).default(0.3),
  /** Query for which the tool always finds an account. Derived from the id if it is missing. */
  knownQuery: query.optional(),
  unknownQuery: query.optional(),
  enabled: z.boolean().default(true),
});

/** Tool with all defaults applied. */
export interface LookupTool {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly LookupField[];
  readonly latencyMs: number;
  readonly shareFound: number;
  readonly knownQuery: string;
  readonly unknownQuery: string;
  readonly enabled: boolean;
}

const tools = z.array(lookupToolSchema).min(1).max(lookupToolsMax);

export const lookupToolsSchema = z.strictObject({ email: tools, username: tools });

/** Account tiers, which determine the rate limits of Basic authentication. */
export const lookupTiers = ['free', 'premium', 'unlimited'] as const;
export type LookupTier = (typeof lookupTiers)[number];

/** Stored form of a password: hash function, parameters, salt, and hash. */
const passwordHash = z
  .string()
  .regex(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{16,}\$[\w-]{43}$/, 'must be a password hash created by NudgeLab');

/** Email address of an account. It has no colon, because the username of Basic authentication ends there (RFC 7617). */
export const lookupAccountEmail = boundedText({
  min: 3,
  max: lookupQueryCharactersMax,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses.
  pattern: /^[^\s:\u0000-\u001f\u007f-\u009f][^\s:@\u0000-\u001f\u007f-\u009f]*@[^\s:\u0000-\u001f\u007f-\u009f]+$/,
  allowed: 'must be an email address without a colon',
});

/** Alternatives in a published schema that each require exactly one of the keys. */
function eitherKey(...keys: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  return keys.map((key) => ({ type: 'object', required: [key], properties: { [key]: true } }));
}

/** Account of the lookup API. The password is test data, and only its hash is stored. */
const lookupAccountSchema = z
  .strictObject({
    id,
    email: lookupAccountEmail,
    password: z.string().min(1).max(256).optional(),
    passwordHash: passwordHash.optional(),
    tier: z.enum(lookupTiers).default('free'),
    suspended: z.boolean().default(false),
  })
  .refine((account) => (account.password === undefined) !== (account.passwordHash === undefined), {
    path: ['password'],
    error: 'must contain either password or its hash',
  })
  .meta({ oneOf: eitherKey('password', 'passwordHash') });

export interface LookupAccount {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly tier: LookupTier;
  readonly suspended: boolean;
}

const tokenName = z.string().min(1).max(100);
const tokenText = z
  .string()
  .regex(/^[\x21-\x7e]{8,256}$/, 'must be 8 to 256 printable ASCII characters without spaces');

/** Token of an account. Only its hash is stored. */
const lookupTokenSchema = z
  .strictObject({
    id,
    account: id,
    name: tokenName.optional(),
    token: tokenText.optional(),
    tokenHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .optional(),
  })
  .refine((token) => (token.token === undefined) !== (token.tokenHash === undefined), {
    path: ['token'],
    error: 'must contain either token or its hash',
  })
  .meta({ oneOf: eitherKey('token', 'tokenHash') });

export interface LookupToken {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly tokenHash: string;
}

/** Settings that the specification leaves to the fixture. */
export const lookupSettingsSchema = z.strictObject({
  /** Unit of X-RateLimit-Reset: seconds or milliseconds since the epoch, or seconds from now. */
  resetUnit: z.enum(['epoch_s', 'epoch_ms', 'delta_s']).default('epoch_s'),
  /** Quota cost of a call that is rejected with 400, or with 403 for a disabled tool. A 429 costs nothing. */
  costOfRefused: z.int().min(0).max(1).default(0),
  /** Quota cost of a call with `tool=all`. */
  costOfAll: z.int().min(0).max(lookupToolsMax).default(1),
});
export type LookupSettings = z.output<typeof lookupSettingsSchema>;

const fieldValue = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);

/** Predefined result of a tool for one query, which replaces the generated result. */
export const lookupKnownSchema = z
  .strictObject({
    type: z.enum(lookupTypes).optional(),
    tool: z.string().max(32).optional(),
    query: query.optional(),
    /** Keyed hash of type, tool, and query. */
    key: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .optional(),
    found: z.boolean().default(true),
    username: z.string().max(256).optional(),
    fields: z.record(z.string().max(64), fieldValue).optional(),
  })
  .refine(
    ({ key, type, tool, query }) => key !== undefined || [type, tool, query].every((part) => part !== undefined),
    {
      error: 'must contain type, tool and query',
    },
  )
  .meta({
    anyOf: [
      { type: 'object', required: ['key'], properties: { key: true } },
      { type: 'object', required: ['type', 'tool', 'query'], properties: { type: true, tool: true, query: true } },
    ],
  });

/** Predefined result. Its query is stored only as a keyed hash. */
export interface KnownResponse {
  readonly key: string;
  readonly found: boolean;
  readonly username?: string | undefined;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** Lookup service of a sandbox in a fixture. Omitted parts use the built-in defaults. */
export const lookupSchema = z.strictObject({
  tools: lookupToolsSchema.optional(),
  accounts: z.array(lookupAccountSchema).max(lookupAccountsMax).optional(),
  tokens: z.array(lookupTokenSchema).max(lookupTokensMax).optional(),
  settings: lookupSettingsSchema.optional(),
  known: z.array(lookupKnownSchema).max(lookupKnownMax).optional(),
});

/** Complete lookup service of a sandbox without secrets. */
export interface LookupSetup {
  readonly tools: Readonly<Record<LookupType, readonly LookupTool[]>>;
  readonly accounts: readonly LookupAccount[];
  readonly tokens: readonly LookupToken[];
  readonly settings: LookupSettings;
  readonly known: readonly KnownResponse[];
}
