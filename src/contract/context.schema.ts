import { z } from 'zod';
import { allUsersId } from '../../machines/membership.ts';
import { operatingSystems, targetTypes } from '../../machines/vocabulary.ts';
import { attemptPatchSchema } from './facts.schema.ts';

/**
 * What surrounds a sign-in and is no fact of the rules itself: the tenant's conditional-access policies, its networks, terms
 * of use and other providers. The facts of an attempt are derived from these where the attempt leaves them open (A49).
 */

const id = z.string().min(1).max(256);

/** What an administrator sets by hand: more than this is a mistake. */
const listMax = 100;
const targetsMax = 1_000;

const target = z.strictObject({ targetType: z.enum(targetTypes), id });

/** Whom a setting is for: everyone unless it is said, and an exclusion wins (A14). */
const scope = {
  includeTargets: z
    .array(target)
    .max(targetsMax)
    .default([{ targetType: 'group', id: allUsersId }]),
  excludeTargets: z.array(target).max(targetsMax).default([]),
};
const scopeSchema = z.strictObject(scope);
export type Scope = z.infer<typeof scopeSchema>;

/** A condition holds for what is included, or for everything without `include`, and never for what is excluded. */
function conditionOn<Value extends z.ZodType>(value: Value) {
  return z
    .strictObject({ include: z.array(value).max(listMax).optional(), exclude: z.array(value).max(listMax).optional() })
    .optional();
}

/** What a policy asks for where its conditions hold. */
const grants = ['block', 'require-compliant-device', 'require-mfa'] as const;

/** A conditional-access policy for the action "register security information" (R4, R13.3). */
const registrationPolicy = z.strictObject({
  id,
  enabled: z.boolean().default(true),
  ...scope,
  platforms: conditionOn(z.enum(operatingSystems)),
  /** Names of `namedLocations`; a sign-in from none of them is in no `include`. */
  networks: conditionOn(id),
  grant: z.enum(grants),
});
export type RegistrationPolicy = z.infer<typeof registrationPolicy>;

const termsOfUse = z.strictObject({
  id,
  ...scope,
  /** Shown on each sign-in; else until the user has accepted terms of use once. */
  everyTime: z.boolean().default(true),
});

/** What surrounds the sign-ins of a tenant; every key is optional. */
export const contextSchema = z
  .strictObject({
    /** The networks that a sign-in can be said to come from. */
    namedLocations: z.array(id).max(listMax).default([]),
    /** Ids of the devices that are managed and in order. */
    compliantDevices: z.array(id).max(targetsMax).default([]),
    conditionalAccess: z.array(registrationPolicy).max(listMax).default([]),
    termsOfUse: z.array(termsOfUse).max(listMax).default([]),
    /** Whose sign-ins are sent to another service by custom controls (R13.5). */
    customControls: scopeSchema.nullable().default(null),
    /** Who gives the second factor at another provider (R3). */
    externalMfa: scopeSchema.nullable().default(null),
    /** Where guests give the second factor (A21). */
    guestMfa: z.enum(['service', 'home-tenant']).default('service'),
  })
  .superRefine(({ namedLocations, conditionalAccess }, { addIssue }) => {
    conditionalAccess.forEach(({ networks }, index) => {
      for (const side of ['include', 'exclude'] as const) {
        const unknown = networks?.[side]?.find((name) => !namedLocations.includes(name));
        if (unknown === undefined) continue;
        addIssue({
          code: 'custom',
          message: `"${unknown}" is none of namedLocations: ${namedLocations.join(', ') || 'there are none'}`,
          path: ['conditionalAccess', index, 'networks', side],
        });
      }
    });
  });
export type SignInContext = z.infer<typeof contextSchema>;

/**
 * What may be said of an attempt: its facts, and the network that it comes from. The network is none of the facts: policies
 * read it, and the rules read what the policies make of it.
 */
export const attemptInputSchema = attemptPatchSchema.extend({ network: id.optional() });
export type AttemptInput = z.infer<typeof attemptInputSchema>;
