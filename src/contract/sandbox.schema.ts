import { z } from 'zod';
import type { UserFacts } from '../../machines/vocabulary.ts';
import type { Immutable } from '../core/immutable.ts';
import { boundedText } from './bounded-text.ts';
import { contextSchema } from './context.schema.ts';
import { documentProfiles } from './document.schema.ts';
import { userFactsSchema } from './facts.schema.ts';
import { pageLanguages } from './page-controls.ts';
import { passkeySettingsSchema } from './passkey-settings.schema.ts';

/** What of a person is needed to sign in; test data of fixtures, never real credentials. */
export const profileSchema = z.strictObject({
  userPrincipalName: z.string().min(1).max(320),
  displayName: z.string().max(256),
  password: z.string().min(1).max(256),
  /** The code of the second factor, whatever its method. */
  code: z.string().regex(/^\d{6}$/, 'six digits'),
  /** Directory roles, by name or template id: delegated tokens of this user carry them. */
  roles: z.array(z.string().min(1).max(256)).max(100).optional(),
});
export type UserProfile = Immutable<z.infer<typeof profileSchema>>;

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

/** The longest logo, in characters of its data address. */
const logoCharactersMax = 65_536;

/** How a tenant's pages look. */
const brandingSchema = z.strictObject({
  name: z.string().min(1).max(64),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'a color as # and six hexadecimal digits')
    .optional(),
  logo: boundedText({
    max: logoCharactersMax,
    pattern: /^data:image\/(png|webp|jpeg|svg\+xml);base64,[A-Za-z0-9+/=]+$/,
    allowed: 'an image as a data address in base64',
  }).optional(),
});
export type Branding = z.infer<typeof brandingSchema>;

/** Settings of a tenant that no rule reads. */
export const tenantSettingsSchema = z.strictObject({
  /** The name that the authenticator value has on the wire. */
  authenticatorWireName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,63}$/, 'a letter, then up to 63 letters or digits')
    .refine((name) => name.toLowerCase() !== 'fido2', 'any name but that of the other method, fido2')
    .meta({ not: { type: 'string', pattern: '^[Ff][Ii][Dd][Oo]2$' } })
    .default('vendorAuthenticator'),
  branding: brandingSchema.optional(),
  /** What the facts of an attempt are derived from where it leaves them open. */
  context: contextSchema.optional(),
  /** Whether an application's sign-in ends with the question to stay signed in. */
  askToStaySignedIn: z.boolean().optional(),
  /** The language of the sign-in pages for browsers that do not request one. */
  language: z.enum(pageLanguages).optional(),
  /** How the pages use passkeys; without it, as plainly as WebAuthn allows. */
  passkeys: passkeySettingsSchema.optional(),
  /** How faithful the document records API is: the sane reading, or the quirks of the public implementation. */
  documents: z.strictObject({ profile: z.enum(documentProfiles).default('seed') }).optional(),
});
export type TenantSettings = z.infer<typeof tenantSettingsSchema>;
