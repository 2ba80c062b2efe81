import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { faultDelayMaxMs } from './fault.schema.ts';

/** What can be looked up. */
export const lookupTypes = ['email', 'username'] as const;
export type LookupType = (typeof lookupTypes)[number];

/** The word that stands for every tool of a type. */
export const allTools = 'all';

/** Characters of one query. */
export const lookupQueryCharactersMax = 320;

/** Fields that the results of some tools have besides those of every tool. */
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

/** Tools of one type, accounts, tokens and known answers that a sandbox may hold. */
const lookupToolsMax = 100;
export const lookupAccountsMax = 1_000;
export const lookupTokensMax = 200_000;
export const lookupKnownMax = 10_000;

const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a lower-case letter or digit, then up to 62 of those or hyphens');

/**
 * Control characters stand in no email address and in no username. They are named by number: the pattern is published, and not every
 * language of regular expressions knows their class.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses.
export const lookupQueryPattern = /^[^\u0000-\u001f\u007f-\u009f]*$/;

const query = boundedText({
  min: 1,
  max: lookupQueryCharactersMax,
  pattern: lookupQueryPattern,
  allowed: 'text without control characters',
});

/** One tool: a third-party site that is asked for accounts. The names are invented. */
export const lookupToolSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z]{2,32}$/, 'a single lower-case word')
    .refine((word) => word !== allTools, `any word but ${allTools}`)
    .meta({ not: { const: allTools } }),
  /** As people read it; without it, the identifier. */
  name: z.string().min(1).max(64).optional(),
  /** Fields of its results besides username, profile_url and avatar. */
  fields: z.array(z.enum(lookupFields)).max(lookupFields.length).default([]),
  /** How long it takes to answer, in ms of real time. */
  latencyMs: z.int().min(0).max(faultDelayMaxMs).default(0),
  /** The part of all queries that has an account there. */
  shareFound: z.number().min(0).max(1).default(0.3),
  /** A query that always has an account there, and one that never has; without them, made from the identifier. */
  knownQuery: query.optional(),
  unknownQuery: query.optional(),
  enabled: z.boolean().default(true),
});

/** A tool, complete. */
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

/** The tiers of accounts; they limit what Basic authentication may ask. */
export const lookupTiers = ['free', 'premium', 'unlimited'] as const;
export type LookupTier = (typeof lookupTiers)[number];

/** How a password is kept: the function, its parameters, salt and result. */
const passwordHash = z
  .string()
  .regex(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{16,}\$[\w-]{43}$/, 'a password hash of this program');

/** The email address of an account: the username of Basic authentication ends at its first colon (RFC 7617). */
export const lookupAccountEmail = boundedText({
  min: 3,
  max: lookupQueryCharactersMax,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses.
  pattern: /^[^\s:\u0000-\u001f\u007f-\u009f][^\s:@\u0000-\u001f\u007f-\u009f]*@[^\s:\u0000-\u001f\u007f-\u009f]+$/,
  allowed: 'an email address without a colon',
});

/** The alternatives of a published schema of which exactly one key is given. */
function eitherKey(...keys: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  return keys.map((key) => ({ type: 'object', required: [key], properties: { [key]: true } }));
}

/** Someone who may ask. The password is test data, and is kept as a hash alone. */
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
    error: 'give a password, or its hash',
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
const tokenText = z.string().regex(/^[\x21-\x7e]{8,256}$/, '8 to 256 printable ASCII characters without spaces');

/** A token of an account; it is kept as a hash alone. */
const lookupTokenSchema = z
  .strictObject({
    id,
    account: id,
    name: tokenName.optional(),
    token: tokenText.optional(),
    tokenHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
      .optional(),
  })
  .refine((token) => (token.token === undefined) !== (token.tokenHash === undefined), {
    path: ['token'],
    error: 'give a token, or its hash',
  })
  .meta({ oneOf: eitherKey('token', 'tokenHash') });

export interface LookupToken {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly tokenHash: string;
}

/** What the specification leaves to the fixture. */
export const lookupSettingsSchema = z.strictObject({
  /** The unit of X-RateLimit-Reset: seconds or ms since the epoch, or seconds from now. */
  resetUnit: z.enum(['epoch_s', 'epoch_ms', 'delta_s']).default('epoch_s'),
  /** What a call that is refused with 400, or 403 for a disabled tool, costs. A 429 costs nothing. */
  costOfRefused: z.int().min(0).max(1).default(0),
  /** What a call with `tool=all` costs. */
  costOfAll: z.int().min(0).max(lookupToolsMax).default(1),
});
export type LookupSettings = z.output<typeof lookupSettingsSchema>;

const fieldValue = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);

/** What a tool knows of one query, in place of what would be generated. */
export const lookupKnownSchema = z
  .strictObject({
    type: z.enum(lookupTypes).optional(),
    tool: z.string().max(32).optional(),
    query: query.optional(),
    /** What type, tool and query are kept as. */
    key: z
      .string()
      .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
      .optional(),
    found: z.boolean().default(true),
    username: z.string().max(256).optional(),
    fields: z.record(z.string().max(64), fieldValue).optional(),
  })
  .refine(
    ({ key, type, tool, query: asked }) => key !== undefined || [type, tool, asked].every((part) => part !== undefined),
    {
      error: 'type, tool and query are wanted',
    },
  )
  .meta({
    anyOf: [
      { type: 'object', required: ['key'], properties: { key: true } },
      { type: 'object', required: ['type', 'tool', 'query'], properties: { type: true, tool: true, query: true } },
    ],
  });

/** A known answer; the query is kept as a keyed hash alone. */
export interface KnownResponse {
  readonly key: string;
  readonly found: boolean;
  readonly username?: string | undefined;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** The lookup service of a sandbox as a fixture describes it; what is left out is as the program ships it. */
export const lookupSchema = z.strictObject({
  tools: lookupToolsSchema.optional(),
  accounts: z.array(lookupAccountSchema).max(lookupAccountsMax).optional(),
  tokens: z.array(lookupTokenSchema).max(lookupTokensMax).optional(),
  settings: lookupSettingsSchema.optional(),
  known: z.array(lookupKnownSchema).max(lookupKnownMax).optional(),
});

/** The lookup service of a sandbox, complete, without anything secret. */
export interface LookupSetup {
  readonly tools: Readonly<Record<LookupType, readonly LookupTool[]>>;
  readonly accounts: readonly LookupAccount[];
  readonly tokens: readonly LookupToken[];
  readonly settings: LookupSettings;
  readonly known: readonly KnownResponse[];
}
