import { z } from 'zod';
import { lengthBounded } from './bounded-text.ts';
import { credentialKeys, profileSchema } from './sandbox.schema.ts';
import { claimNameSchema, claimValueSchema } from './user-claims.schema.ts';

/** Parts of a user that a claim can have as its value. */
const userParts = ['id', 'type', 'roles', 'groups', 'methods', 'userPrincipalName', 'displayName'] as const;

const profilePrefix = 'profile.';
const userClaimPrefix = `${profilePrefix}claims.`;

/** All parts of a user by name, those of the profile with their paths. Credentials are never in a token. */
const claimSources: readonly string[] = [...userParts, ...listPaths(profileSchema.omit(credentialKeys), profilePrefix)];

function listPaths(schema: z.ZodObject, prefix: string): readonly string[] {
  return Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).flatMap(([key, part]) => {
    const inner = part instanceof z.ZodOptional ? part.unwrap() : part;
    const path = `${prefix}${key}`;
    return inner instanceof z.ZodObject ? [path, ...listPaths(inner, `${path}.`)] : [path];
  });
}

const sourceCharactersMax = 300;

const claimSource = lengthBounded({ min: 1, max: sourceCharactersMax })
  .superRefine((text, context) => {
    if (claimSources.includes(text) || (text.startsWith(userClaimPrefix) && text !== userClaimPrefix)) return;
    context.addIssue({ code: 'invalid_value', values: [...claimSources], input: text });
  })
  .meta({ anyOf: [{ enum: [...claimSources] }, { pattern: '^profile\\.claims\\..' }] });

const groupId = z.string().min(1).max(256);
const groupsMax = 1_000;

const itemText = 'must be the name of a claim, {name, value}, or {name, from}';

/** Claim of a client: one of the user's claims by name, a fixed value, or a part of the user. */
const claimItem = z.union(
  [
    claimNameSchema,
    z
      .strictObject({
        name: claimNameSchema,
        /** Fixed value. */
        value: claimValueSchema.optional(),
        /** Part of the user that is the value. */
        from: claimSource.optional(),
        /** Whether groups are listed by id or by name. Defaults to `id`. */
        as: z.enum(['id', 'name']).optional(),
        /** Groups that are listed. Without it, all groups of the user are. */
        only: z.array(groupId).min(1).max(groupsMax).optional(),
      })
      .refine((item) => 'value' in item !== (item.from !== undefined), {
        error: 'must have either value or from',
      })
      .refine(({ from, as }) => as === undefined || from === 'groups', {
        path: ['as'],
        error: 'must be omitted unless from is groups',
      })
      .refine(({ from, only }) => only === undefined || from === 'groups', {
        path: ['only'],
        error: 'must be omitted unless from is groups',
      })
      .meta({
        oneOf: ['value', 'from'].map((key) => ({ type: 'object', properties: { [key]: true }, required: [key] })),
        if: { not: { type: 'object', properties: { from: { const: 'groups' } }, required: ['from'] } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
        then: { type: 'object', properties: { as: false, only: false } },
      }),
  ],
  { error: itemText },
);

/** Configured claim of a client. */
export type ClaimItem = z.output<typeof claimItem>;

const itemsMax = 100;

const claimItems = z
  .array(claimItem)
  .max(itemsMax)
  .superRefine((items, context) => {
    const names = items.map(getClaimName);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue;
      context.addIssue({ code: 'custom', path: [index], message: `"${name}" is listed twice`, input: items[index] });
    }
  });

/** Returns the name of a configured claim. */
export function getClaimName(item: ClaimItem): string {
  return typeof item === 'string' ? item : item.name;
}

/**
 * Claims that a client receives in addition to those of the scopes, by the place where it receives them.
 *
 * @see CL70
 */
export const clientClaimsSchema = z
  .strictObject({
    idToken: claimItems.optional(),
    accessToken: claimItems.optional(),
    userinfo: claimItems.optional(),
  })
  .meta({ description: 'The claims that the client receives in addition to those of the scopes.' });
export type ClaimTarget = keyof z.output<typeof clientClaimsSchema>;

const roleName = z.string().min(1).max(256);
const rolesMax = 100;
const roleHoldersMax = 1_000;

/**
 * Roles of users at a client, by the id of a user or group.
 *
 * @see CL72
 */
export const userRolesSchema = z
  .record(z.string().min(1).max(256), z.array(roleName).min(1).max(rolesMax))
  .refine(
    (roles) => Object.keys(roles).length <= roleHoldersMax,
    `must have at most ${roleHoldersMax} users and groups`,
  )
  .meta({ maxProperties: roleHoldersMax, examples: [{ ada: ['Orders.Approve'] }] });
