import { z } from 'zod';
import type { UserFacts } from '../../machines/vocabulary.ts';
import { userFactsSchema } from './facts.schema.ts';

/** What of a person is needed to sign in; test data of fixtures, never real credentials. */
export const profileSchema = z.strictObject({
  userPrincipalName: z.string().min(1).max(320),
  displayName: z.string().max(256),
  password: z.string().min(1).max(256),
  /** The code of the second factor, whatever its method. */
  code: z.string().regex(/^\d{6}$/, 'six digits'),
});
export type UserProfile = z.infer<typeof profileSchema>;

/** A user as the control API and fixtures carry it: facts and profile in one object. */
export const sandboxUserSchema = userFactsSchema.extend(profileSchema.partial().shape);

/** A user of a sandbox, complete. */
export type SandboxUser = UserFacts & UserProfile;

const passwordDefault = 'correct horse';
const codeDefault = '123456';

/** Fills the profile of a parsed user from the id: `<id>@example.test`, the id as name, test password and code. */
export function completeUser(user: z.output<typeof sandboxUserSchema>): SandboxUser {
  return {
    ...user,
    userPrincipalName: user.userPrincipalName ?? `${user.id}@example.test`,
    displayName: user.displayName ?? user.id,
    password: user.password ?? passwordDefault,
    code: user.code ?? codeDefault,
  };
}

/** Settings of a tenant that no rule reads. */
export const tenantSettingsSchema = z.strictObject({
  /** The name that the authenticator value has on the wire. */
  authenticatorWireName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,63}$/, 'a letter, then up to 63 letters or digits')
    .refine((name) => name.toLowerCase() !== 'fido2', 'any name but that of the other method, fido2')
    .default('vendorAuthenticator'),
});
export type TenantSettings = z.infer<typeof tenantSettingsSchema>;
