import { z } from 'zod';
import { allUsersId } from '../../machines/membership.ts';
import type { AttemptKind } from '../../machines/own/own-ruleset.ts';
import { operatingSystems, targetTypes } from '../../machines/vocabulary.ts';
import { attemptPatchSchema } from './facts.schema.ts';

/**
 * Sign-in context: conditional access policies, named locations, terms of use, and external providers of a tenant. The
 * rules do not read these settings directly. Facts that an attempt does not set are derived from them (A49).
 */

const id = z.string().min(1).max(256);

/** Maximum number of entries in a list that administrators maintain manually; longer lists are likely mistakes. */
const listMax = 100;
const targetsMax = 1_000;

const target = z.strictObject({ targetType: z.enum(targetTypes), id });

/** Users that a setting applies to: all users by default. Exclusions take precedence (A14). */
const scope = {
  includeTargets: z
    .array(target)
    .max(targetsMax)
    .default([{ targetType: 'group', id: allUsersId }]),
  excludeTargets: z.array(target).max(targetsMax).default([]),
};
const scopeSchema = z.strictObject(scope);
export type Scope = z.infer<typeof scopeSchema>;

/**
 * Creates the schema of a condition. It matches everything if `include` is missing, and it never matches excluded
 * values.
 */
function conditionOn<Value extends z.ZodType>(value: Value) {
  return z
    .strictObject({ include: z.array(value).max(listMax).optional(), exclude: z.array(value).max(listMax).optional() })
    .optional();
}

/** Access controls that a policy enforces if its conditions match. */
const grants = ['block', 'require-compliant-device', 'require-mfa'] as const;

/** Conditional access policy for the action "register security information" (R4, R13.3). */
const registrationPolicy = z.strictObject({
  id,
  enabled: z.boolean().default(true),
  ...scope,
  platforms: conditionOn(z.enum(operatingSystems)),
  /** Names from `namedLocations`. A sign-in without a named location matches no `include`. */
  networks: conditionOn(id),
  grant: z.enum(grants),
});
export type RegistrationPolicy = z.infer<typeof registrationPolicy>;

const termsOfUse = z.strictObject({
  id,
  ...scope,
  /** `true` shows the terms at every sign-in; `false` shows them until the user has accepted terms of use once. */
  everyTime: z.boolean().default(true),
});

/** Sign-in context of a tenant. Every key is optional. */
export const contextSchema = z
  .strictObject({
    /** Named locations from which attempts can originate. */
    namedLocations: z.array(id).max(listMax).default([]),
    /** Ids of managed devices that comply with the tenant's requirements. */
    compliantDevices: z.array(id).max(targetsMax).default([]),
    conditionalAccess: z.array(registrationPolicy).max(listMax).default([]),
    termsOfUse: z.array(termsOfUse).max(listMax).default([]),
    /** Users whose sign-ins are redirected to another service by custom controls (R13.5). */
    customControls: scopeSchema.nullable().default(null),
    /** Users who complete MFA with an external provider (R3). */
    externalMfa: scopeSchema.nullable().default(null),
    /** Provider of the second factor for guest users (A21). */
    guestMfa: z.enum(['service', 'home-tenant']).default('service'),
  })
  .superRefine(({ namedLocations, conditionalAccess }, { addIssue }) => {
    conditionalAccess.forEach(({ networks }, index) => {
      for (const side of ['include', 'exclude'] as const) {
        const unknown = networks?.[side]?.find((name) => !namedLocations.includes(name));
        if (unknown === undefined) continue;
        addIssue({
          code: 'custom',
          message: `"${unknown}" is not in namedLocations: ${namedLocations.join(', ') || 'none are defined'}`,
          path: ['conditionalAccess', index, 'networks', side],
        });
      }
    });
  });
export type SignInContext = z.infer<typeof contextSchema>;

/**
 * Input for an attempt: its facts and its named location. The location itself is not a fact, because only conditional
 * access policies read it. The rules read the facts that these policies produce.
 */
export const attemptInputSchema = attemptPatchSchema.extend({ network: id.optional() });
export type AttemptInput = z.infer<typeof attemptInputSchema> & SessionInput;

const attemptKinds = ['signIn', 'signUp', 'newSession'] as const satisfies readonly AttemptKind[];

/** Parts of a sign-in that only own campaigns read (OC20). */
export const sessionInputFields = {
  session: z.enum(['same', 'new']).optional().describe('Session of the sign-in; a new one by default.'),
  kind: z.enum(attemptKinds).optional().describe('Kind of the sign-in.'),
  browserId: id.optional().describe('Id of the browser; that of the device and its browser by default.'),
};
export type SessionInput = z.infer<z.ZodObject<typeof sessionInputFields>>;
