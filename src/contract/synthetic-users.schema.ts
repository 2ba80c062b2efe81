import { z } from 'zod';
import { syntheticDaysMax, syntheticSignInsMax, usersMax } from '../core/limits.ts';
import { boundedText } from './bounded-text.ts';
import { userFactsSchema } from './facts.schema.ts';
import { profileSchema } from './sandbox.schema.ts';

/** Maximum number of types of synthetic users. */
const userTypesMax = 1_000;

/** Facts and profile that the users of one type share. Their ids and names are generated. */
const typicalUserSchema = userFactsSchema
  .omit({ id: true })
  .extend(profileSchema.partial().omit({ userPrincipalName: true, displayName: true }).shape);

/** Type of synthetic users with its share of all users. */
const userTypeSchema = z.strictObject({
  share: z.number().positive().max(1_000_000),
  user: typicalUserSchema.prefault({}),
});

/** Typical users, by their registered methods. The shares are percentages. */
const usualTypes = [
  { share: 36, user: { methods: ['sms'] } },
  { share: 9, user: { methods: ['voice'] } },
  { share: 9, user: { methods: ['sms', 'voice'] } },
  { share: 14, user: { methods: ['authenticator-totp'] } },
  { share: 14, user: { methods: ['authenticator-push'] } },
  { share: 6, user: { methods: ['sms', 'authenticator-push'] } },
  { share: 2, user: { methods: ['hardware-totp'] } },
  { share: 10, user: { type: 'guest', methods: ['sms'] } },
] as const satisfies readonly z.input<typeof userTypeSchema>[];

/** Sign-ins of the synthetic users before the sandbox is created, which only the sign-in log shows. */
const syntheticSignInsSchema = z.strictObject({
  count: z.int().min(1).max(syntheticSignInsMax),
  days: z.int().min(1).max(syntheticDaysMax).default(30),
});
export type SyntheticSignInsDescription = z.output<typeof syntheticSignInsSchema>;

/**
 * Description of synthetic users. Each user is computed from the random seed and the user's number when it is needed,
 * so any number of them takes no memory.
 */
export const syntheticUsersSchema = z.strictObject({
  count: z.int().min(1).max(usersMax),
  seed: z.int().min(0).max(0xffff_ffff).default(1),
  domain: boundedText({
    min: 1,
    max: 253,
    pattern: /^[a-z0-9][a-z0-9.-]*$/,
    allowed: 'must consist of lower-case letters, digits, dots and hyphens',
  }).default('example.test'),
  types: z
    .array(userTypeSchema)
    .min(1)
    .max(userTypesMax)
    .prefault([...usualTypes]),
  signIns: syntheticSignInsSchema.optional(),
});
export type SyntheticUsersDescription = z.output<typeof syntheticUsersSchema>;
