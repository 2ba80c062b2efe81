import { z } from 'zod';
import type { UserFacts } from '../../machines/vocabulary.ts';
import type { Immutable } from '../core/immutable.ts';
import { boundedText } from './bounded-text.ts';
import { contextSchema } from './context.schema.ts';
import { dialectSettingSchema } from './directory-api/dialect.schema.ts';

import { userFactsSchema } from './facts.schema.ts';
import { identitySettingsSchema } from './identity-settings.schema.ts';
import { pageLanguages } from './page-controls.ts';
import { passkeySettingsSchema } from './passkey-settings.schema.ts';
import { userClaimsSchema } from './user-claims.schema.ts';

/**
 * Behavior profiles: `seed` follows the specification, `upstream` reproduces the quirks of the public implementation
 * (U).
 */
export const documentProfiles = ['seed', 'upstream'] as const;
export type DocumentProfile = (typeof documentProfiles)[number];

/** Text that the directory API shows, such as a name. */
const shownText = z.string().min(1).max(256);
const instant = z.iso.datetime({ offset: true });

/** Methods of the second factor that a user can prefer, as the registration report names them. */
export const preferredMethods = ['push', 'oath', 'voiceMobile', 'voiceAlternateMobile', 'voiceOffice', 'sms'] as const;
export type PreferredMethod = (typeof preferredMethods)[number];

/** States of MFA per user, which no rule reads. */
export const perUserMfaStates = ['disabled', 'enabled', 'enforced'] as const;

/** Lifetime of a temporary access pass in minutes: at most 30 days. */
export const accessPassMinutesMin = 10;
export const accessPassMinutesMax = 43_200;

/** Temporary access pass without its code, which is not stored. */
const accessPassSchema = z.strictObject({
  createdDateTime: instant,
  startDateTime: instant,
  lifetimeInMinutes: z.int().min(accessPassMinutesMin).max(accessPassMinutesMax),
  isUsableOnce: z.boolean(),
});

/** Email address of a user, as a method of authentication. */
export const emailAddress = boundedText({
  max: 256,
  pattern: /^[^\s@]+@[^\s@]+$/,
  allowed: 'must be an email address',
});

/** Directory data of a user, which no rule reads. */
const userDirectorySchema = z.strictObject({
  givenName: shownText.optional(),
  surname: shownText.optional(),
  mail: shownText.optional(),
  mailNickname: z.string().min(1).max(64).optional(),
  jobTitle: shownText.optional(),
  department: shownText.optional(),
  createdDateTime: instant.optional(),
  accountEnabled: z.boolean().optional(),
  phones: z
    .strictObject({
      mobile: shownText.optional(),
      alternateMobile: shownText.optional(),
      office: shownText.optional(),
    })
    .optional(),
  email: emailAddress.optional(),
  preferredMethod: z.enum(preferredMethods).optional(),
  isSystemPreferredAuthenticationMethodEnabled: z.boolean().optional(),
  perUserMfaState: z.enum(perUserMfaStates).optional(),
  passwordlessPhone: z.boolean().optional(),
  temporaryAccessPass: accessPassSchema.optional(),
});

export type UserDirectory = Immutable<z.infer<typeof userDirectorySchema>>;

/** Sign-in data of a user: test data of fixtures, never real credentials. */
export const profileSchema = z.strictObject({
  userPrincipalName: z.string().min(1).max(320),
  displayName: z.string().max(256),
  password: z.string().min(1).max(256),
  /** Code for the second factor, regardless of its method. */
  code: z.string().regex(/^\d{6}$/, 'six digits'),
  /** Directory roles by name or template id, included in delegated tokens of the user. */
  roles: z.array(z.string().min(1).max(256)).max(100).optional(),
  /** Data that only the directory API shows. */
  directory: userDirectorySchema.optional(),
  /** Claims that clients can receive about the user. */
  claims: userClaimsSchema.optional(),
});
export type UserProfile = Immutable<z.infer<typeof profileSchema>>;

/** Keys of a profile that lists and exported files omit. */
export const credentialKeys = { password: true, code: true } as const;

/** Returns a user or a profile without credentials. */
export function withoutCredentials<User extends Pick<UserProfile, 'password' | 'code'>>({
  password: _password,
  code: _code,
  ...rest
}: User): Omit<User, 'password' | 'code'> {
  return rest;
}

/** User in the control API and in fixtures: facts and profile in one object. */
export const sandboxUserSchema = userFactsSchema.extend(profileSchema.partial().shape);

/** User of a sandbox with a complete profile. */
export type SandboxUser = UserFacts & UserProfile;

/** Maximum length of the logo's data URL in characters. */
const logoCharactersMax = 65_536;

/** Branding of a tenant's sign-in pages. */
const brandingSchema = z.strictObject({
  name: z.string().min(1).max(64),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a color: # and six hexadecimal digits')
    .optional(),
  logo: boundedText({
    max: logoCharactersMax,
    pattern: /^data:image\/(png|webp|jpeg|svg\+xml);base64,[A-Za-z0-9+/=]+$/,
    allowed: 'must be an image as a base64 data URL',
  }).optional(),
});
export type Branding = z.infer<typeof brandingSchema>;

const groupDirectorySchema = z.strictObject({
  displayName: shownText.optional(),
  description: z.string().max(1024).optional(),
  mailNickname: z.string().min(1).max(64).optional(),
  createdDateTime: instant.optional(),
});

/** Maximum number of groups with directory data, and of domains. */
const describedGroupsMax = 10_000;
const verifiedDomainsMax = 100;

/** Maximum number of days that logs contain, and maximum number of minutes until a row appears: one day. */
const logDaysMax = 36_500;
const logDelayMinutesMax = 1_440;
/** Maximum age of registration reports in hours: 30 days. */
const reportLagHoursMax = 720;

/** Directory data of a tenant, and the behavior of the directory API. */
const tenantDirectorySchema = z.strictObject({
  displayName: shownText.optional(),
  /** Verified domains; the first one is the default. */
  verifiedDomains: z.array(shownText).min(1).max(verifiedDomainsMax).optional(),
  /** Data of groups by id. */
  groups: z
    .record(z.string().min(1).max(256), groupDirectorySchema)
    .refine(
      (groups) => Object.keys(groups).length <= describedGroupsMax,
      `must have at most ${describedGroupsMax} groups`,
    )
    .meta({ maxProperties: describedGroupsMax })
    .optional(),
  /** Ids in responses: those of the facts, or GUIDs derived from them. */
  wireIds: z.enum(['facts', 'guid']).optional(),
  /** Response to a known collection that is not simulated: an error, or an empty list. */
  unknownResource: z.enum(['error', 'empty']).optional(),
  /** `false` accepts filters of directory lists without `ConsistencyLevel` and `$count`. */
  strictQueries: z.boolean().optional(),
  /** Order of the responses of a batch: as sent, or shuffled by the random seed of the sandbox. */
  batchOrder: z.enum(['sent', 'shuffled']).optional(),
  /** `true` leaves the properties of the policy that the provider has only under `/beta` out of `/v1.0`. */
  betaOnly: z.boolean().optional(),
  /** Users who can reset their own password, as the registration report shows it. */
  sspr: z.strictObject({ state: z.enum(['none', 'all']) }).optional(),
  /** Age of the state that the registration reports show, in hours. */
  reportLagHours: z.int().min(0).max(reportLagHoursMax).optional(),
  /** URL that replaces the base URL in responses, for a proxy that uses another host name. */
  publicRoot: z.url({ protocol: /^https?$/ }).optional(),
  /** Properties of sign-ins under `/v1.0`: those of the provider, or all. */
  v1SignIns: z.enum(['provider', 'full']).optional(),
  /** Rows of the sign-in log: one for each attempt, or also the interruptions before its end. */
  signInRows: z.enum(['attempt', 'real']).optional(),
  /** Number of days that logs contain. Default: 30 with a paid subscription, 7 otherwise. */
  auditRetentionDays: z.int().min(1).max(logDaysMax).optional(),
  /** Number of minutes after which a row appears in a log. */
  auditDelayMinutes: z.int().min(0).max(logDelayMinutesMax).optional(),
  /** Values in audit rows of the policy: the changed properties, or always the whole policy. */
  auditPolicy: z.enum(['changes', 'whole']).optional(),
  /** `true` adds the facts to every row of reports and logs. */
  annotateFacts: z.boolean().optional(),
});

/** Settings of a tenant that no rule reads. */
export const tenantSettingsSchema = z.strictObject({
  /** Name of the authenticator method in the policy API, unless it is the default: the name of the dialect. */
  authenticatorWireName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,63}$/, 'must start with a letter, followed by up to 63 letters or digits')
    .refine((name) => name.toLowerCase() !== 'fido2', 'must not be fido2, the name of the other method')
    .meta({ not: { type: 'string', pattern: '^[Ff][Ii][Dd][Oo]2$' } })
    .default('vendorAuthenticator'),
  /** Names that the policy API and the directory API use on the wire. */
  dialect: dialectSettingSchema.optional(),
  branding: brandingSchema.optional(),
  /** Sign-in context from which missing attempt facts are derived. */
  context: contextSchema.optional(),
  /** `true` prompts users of an application to stay signed in at the end of a sign-in. */
  askToStaySignedIn: z.boolean().optional(),
  /** `true` shows the verdict and its reason in the footer of the last page of a sign-in, for testers. */
  showVerdict: z.boolean().optional(),
  /** Language of the sign-in pages for browsers that do not request one. */
  language: z.enum(pageLanguages).optional(),
  /** Passkey settings of the pages. Without them, the pages use only the required WebAuthn options. */
  passkeys: passkeySettingsSchema.optional(),
  /** Directory data of the tenant, and the behavior of the directory API. */
  directory: tenantDirectorySchema.optional(),
  /** Sign-ins of applications. */
  identity: identitySettingsSchema.optional(),
  /** Behavior of the document records API: the specification, or the quirks of the public implementation. */
  documents: z.strictObject({ profile: z.enum(documentProfiles).default('seed') }).optional(),
});
export type TenantSettings = z.infer<typeof tenantSettingsSchema>;
