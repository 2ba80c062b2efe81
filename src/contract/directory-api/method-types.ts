import { z } from 'zod';
import { perUserMfaStates, preferredMethods } from '../sandbox.schema.ts';
import type { ResourceType } from './resource-type.ts';

const text = z.string().nullable();
const instant = z.iso.datetime();

const method = { id: z.string(), createdDateTime: instant.nullable() };
const named = { ...method, displayName: text };
const nothing = z.null().or(z.string());
const keyStrength = z.enum(['normal', 'weak', 'unknown']);

/** Telephones of a user. */
export const phoneTypes = ['mobile', 'alternateMobile', 'office'] as const;

/** Reasons for which a temporary access pass can or cannot be used. */
const accessPassReasons = ['EnabledByPolicy', 'DisabledByPolicy', 'Expired', 'NotYetValid', 'OneTimeUsed'] as const;

/** Schemas of the registered methods of a user, by the name of their type. */
const methodSchemas = {
  passwordAuthenticationMethod: z.strictObject({ ...method, password: nothing }),
  phoneAuthenticationMethod: z.strictObject({
    ...method,
    phoneNumber: z.string(),
    phoneType: z.enum(phoneTypes),
    smsSignInState: z.enum(['notAllowedByPolicy', 'ready']),
  }),
  emailAuthenticationMethod: z.strictObject({ ...method, emailAddress: z.string() }),
  fido2AuthenticationMethod: z.strictObject({
    ...named,
    aaGuid: z.string(),
    attestationCertificates: z.array(z.string()).readonly(),
    attestationLevel: z.enum(['attested', 'notAttested']),
    model: text,
    passkeyType: z.enum(['deviceBound', 'synced']),
  }),
  vendorAuthenticatorAuthenticationMethod: z.strictObject({ ...named, deviceTag: text, phoneAppVersion: text }),
  softwareOathAuthenticationMethod: z.strictObject({ ...method, secretKey: nothing }),
  hardwareOathAuthenticationMethod: z.strictObject({ ...method, device: nothing }),
  temporaryAccessPassAuthenticationMethod: z.strictObject({
    ...method,
    isUsable: z.boolean(),
    isUsableOnce: z.boolean(),
    lifetimeInMinutes: z.int(),
    methodUsabilityReason: z.enum(accessPassReasons),
    startDateTime: instant,
    temporaryAccessPass: nothing,
  }),
  windowsHelloForBusinessAuthenticationMethod: z.strictObject({ ...named, keyStrength }),
  platformCredentialAuthenticationMethod: z.strictObject({ ...named, keyStrength, platform: z.enum(['macOS']) }),
  externalAuthenticationMethod: z.strictObject({ ...named, configurationId: z.string() }),
  qrCodePinAuthenticationMethod: z.strictObject(method),
} as const;

/** Names of the types of registered methods. */
export type MethodTypeName = keyof typeof methodSchemas;

/** Values of the properties of a registered method. */
export type MethodResource<Type extends MethodTypeName> = z.output<(typeof methodSchemas)[Type]>;

const methodBase = 'authenticationMethod';

function toMethodType(name: MethodTypeName): ResourceType {
  return { name, schema: methodSchemas[name], base: methodBase };
}

/** Types of registered methods. */
export const methodTypes = Object.fromEntries(
  (Object.keys(methodSchemas) as MethodTypeName[]).map((name) => [name, toMethodType(name)]),
) as Readonly<Record<MethodTypeName, ResourceType>>;

/** Names of all types of registered methods, in the order in which lists contain them. */
export const methodTypeNames = Object.keys(methodSchemas) as readonly MethodTypeName[];

const reportedPreferences = z.enum([...preferredMethods, 'none']);

const registrationDetailsSchema = z.strictObject({
  id: z.string(),
  isAdmin: z.boolean(),
  isMfaCapable: z.boolean(),
  isMfaRegistered: z.boolean(),
  isPasswordlessCapable: z.boolean(),
  isSsprCapable: z.boolean(),
  isSsprEnabled: z.boolean(),
  isSsprRegistered: z.boolean(),
  isSystemPreferredAuthenticationMethodEnabled: z.boolean(),
  lastUpdatedDateTime: instant,
  methodsRegistered: z.array(z.string()).readonly(),
  systemPreferredAuthenticationMethods: z.array(reportedPreferences).readonly(),
  userDisplayName: z.string(),
  userPreferredMethodForSecondaryAuthentication: reportedPreferences,
  userPrincipalName: z.string(),
  userType: z.enum(['member', 'guest']),
});

/** Values of the registration report of one user. */
export type RegistrationDetailsResource = z.output<typeof registrationDetailsSchema>;

/** User types and roles by which the registration summaries count. */
export const includedUserTypes = ['all', 'member', 'guest'] as const;
export type IncludedUserTypes = (typeof includedUserTypes)[number];
export const includedUserRoles = ['all', 'privilegedAdmin', 'admin', 'user'] as const;
export type IncludedUserRoles = (typeof includedUserRoles)[number];

const summary = {
  totalUserCount: z.int(),
  userRoles: z.enum(includedUserRoles),
  userTypes: z.enum(includedUserTypes),
};

/** Features of the summary by feature, in its order. */
export const registrationFeatures = [
  'ssprRegistered',
  'ssprEnabled',
  'ssprCapable',
  'passwordlessCapable',
  'mfaCapable',
] as const;

const binary = z.string();

const creationOptionsSchema = z.strictObject({
  challengeTimeoutDateTime: instant,
  publicKey: z.strictObject({
    rp: z.strictObject({ id: z.string(), name: z.string() }),
    user: z.strictObject({ id: binary, displayName: z.string(), name: z.string() }),
    challenge: binary,
    pubKeyCredParams: z.array(z.strictObject({ type: z.string(), alg: z.int() })).readonly(),
    timeout: z.int(),
    excludeCredentials: z
      .array(z.strictObject({ id: binary, type: z.string(), transports: z.array(z.string()).readonly() }))
      .readonly(),
    authenticatorSelection: z.strictObject({
      authenticatorAttachment: z.string(),
      requireResidentKey: z.boolean(),
      userVerification: z.string(),
    }),
    attestation: z.string(),
    extensions: z.record(z.string(), z.unknown()),
  }),
});

/** Options with which a client creates a passkey for a user. */
export type CreationOptionsResource = z.output<typeof creationOptionsSchema>;

/** Types of the settings of a user's methods, and of reports on registration. */
export const registrationTypes = {
  signInPreferences: {
    name: 'signInPreferences',
    schema: z.strictObject({
      isSystemPreferredAuthenticationMethodEnabled: z.boolean(),
      userPreferredMethodForSecondaryAuthentication: reportedPreferences,
    }),
  },
  strongAuthenticationRequirements: {
    name: 'strongAuthenticationRequirements',
    schema: z.strictObject({ perUserMfaState: z.enum(perUserMfaStates) }),
  },
  webauthnCredentialCreationOptions: {
    name: 'webauthnCredentialCreationOptions',
    schema: creationOptionsSchema,
  },
  userRegistrationDetails: { name: 'userRegistrationDetails', schema: registrationDetailsSchema },
  userRegistrationFeatureSummary: {
    name: 'userRegistrationFeatureSummary',
    schema: z.strictObject({
      ...summary,
      userRegistrationFeatureCounts: z
        .array(z.strictObject({ feature: z.enum(registrationFeatures), userCount: z.int() }))
        .readonly(),
    }),
  },
  userRegistrationMethodSummary: {
    name: 'userRegistrationMethodSummary',
    schema: z.strictObject({
      ...summary,
      userRegistrationMethodCounts: z
        .array(z.strictObject({ authenticationMethod: z.string(), userCount: z.int() }))
        .readonly(),
    }),
  },
} as const satisfies Readonly<Record<string, ResourceType>>;
