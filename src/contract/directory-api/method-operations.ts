import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import type { ScalarProperty } from '../odata/filter-properties.ts';
import { noOptions, type QueryRow, singleRow } from '../odata/query-row.ts';
import {
  accessPassMinutesMax,
  accessPassMinutesMin,
  emailAddress,
  perUserMfaStates,
  preferredMethods,
} from '../sandbox.schema.ts';
import { type AccessRow, directoryAccess } from './access.ts';
import { type MethodTypeName, methodTypeNames, phoneTypes } from './method-types.ts';
import { type DescribedResource, list, resource, single } from './resource-operation.ts';

const { methodReads, methodWrites, passkeyWrites, registrationReports } = directoryAccess;

/** Type that a client can send with a resource. */
const typed = { '@odata.type': z.string().optional() };

/** Number of a telephone: country code, number, and optionally an extension. */
const phoneNumber = boundedText({
  max: 40,
  pattern: /^\+\d{1,4} \d{3,15}(?:x\d{1,10})?$/,
  allowed: 'must be +{country} {number}, optionally with x{extension}',
});

const phoneSchema = z.strictObject({ ...typed, phoneNumber, phoneType: z.enum(phoneTypes) });

const phoneChangeSchema = z.strictObject({ ...typed, phoneNumber, phoneType: z.enum(phoneTypes).optional() });

const emailSchema = z.strictObject({ ...typed, emailAddress });

const accessPassSchema = z.strictObject({
  ...typed,
  startDateTime: z.iso.datetime({ offset: true }).nullable().optional(),
  lifetimeInMinutes: z.int().min(accessPassMinutesMin).max(accessPassMinutesMax).nullable().optional(),
  isUsableOnce: z.boolean().nullable().optional(),
});

const binary = z.string().min(1);

const passkeySchema = z.strictObject({
  ...typed,
  displayName: z.string().min(1).max(64).nullable().optional(),
  publicKeyCredential: z.strictObject({
    ...typed,
    id: binary,
    response: z.strictObject({ ...typed, clientDataJSON: binary, attestationObject: binary }),
    clientExtensionResults: z.record(z.string(), z.unknown()).nullable().optional(),
  }),
});

const preferencesSchema = z.strictObject({
  ...typed,
  isSystemPreferredAuthenticationMethodEnabled: z.boolean().optional(),
  userPreferredMethodForSecondaryAuthentication: z.enum(preferredMethods).optional(),
});

const requirementsSchema = z.strictObject({ ...typed, perUserMfaState: z.enum(perUserMfaStates) });

/** Bodies of the requests that change methods, as the contract parses them. */
export interface MethodBodies {
  readonly addPhoneMethod: z.output<typeof phoneSchema>;
  readonly updatePhoneMethod: z.output<typeof phoneChangeSchema>;
  readonly addEmailMethod: z.output<typeof emailSchema>;
  readonly updateEmailMethod: z.output<typeof emailSchema>;
  readonly addTemporaryAccessPass: z.output<typeof accessPassSchema>;
  readonly addFido2Method: z.output<typeof passkeySchema>;
  readonly updateSignInPreferences: z.output<typeof preferencesSchema>;
  readonly updateRequirements: z.output<typeof requirementsSchema>;
}

const base = '/users/{user}/authentication';

function listMethods(type: MethodTypeName, summary: string): DescribedResource {
  return list(type, singleRow, methodReads, summary);
}

function oneMethod(type: MethodTypeName, summary: string): DescribedResource {
  return single(type, singleRow, methodReads, summary);
}

function removal(summary: string, access: AccessRow = methodWrites): DescribedResource {
  return { summary, access, row: noOptions, result: 'nothing', types: [] };
}

function addition(type: MethodTypeName, summary: string, access: AccessRow = methodWrites): DescribedResource {
  return { summary, access, row: noOptions, result: 'object', types: [type], statuses: [201, 204] };
}

const beta = { isBeta: true } as const;

/** Result of a change: nothing, or what was changed if the client prefers it. */
const change = { access: methodWrites, row: noOptions, result: 'object', statuses: [204, 200] } as const;

const settingsChange = { ...change, ...beta } as const;

const password: MethodTypeName = 'passwordAuthenticationMethod';
const phone: MethodTypeName = 'phoneAuthenticationMethod';
const email: MethodTypeName = 'emailAuthenticationMethod';
const fido2: MethodTypeName = 'fido2AuthenticationMethod';
const app: MethodTypeName = 'vendorAuthenticatorAuthenticationMethod';
const softwareOath: MethodTypeName = 'softwareOathAuthenticationMethod';
const hardwareOath: MethodTypeName = 'hardwareOathAuthenticationMethod';
const accessPass: MethodTypeName = 'temporaryAccessPassAuthenticationMethod';
const windowsHello: MethodTypeName = 'windowsHelloForBusinessAuthenticationMethod';
const platform: MethodTypeName = 'platformCredentialAuthenticationMethod';
const external: MethodTypeName = 'externalAuthenticationMethod';

/** Operations on the registered methods of a user. */
export const methodOperations = {
  listMethods: resource(`GET ${base}/methods`, {
    summary: 'Lists all registered methods of a user.',
    access: methodReads,
    row: singleRow,
    result: 'list',
    types: methodTypeNames,
  }),
  getMethod: resource(`GET ${base}/methods/{method}`, {
    summary: 'Returns one registered method of any type.',
    access: methodReads,
    row: singleRow,
    result: 'object',
    types: methodTypeNames,
  }),
  listPasswordMethods: resource(`GET ${base}/passwordMethods`, listMethods(password, 'Lists the password.')),
  getPasswordMethod: resource(`GET ${base}/passwordMethods/{method}`, oneMethod(password, 'Returns the password.')),
  resetPassword: resource(`POST ${base}/passwordMethods/{method}/resetPassword`, {
    ...removal('Resets the password, which is not simulated: it returns 501.'),
  }),
  listPhoneMethods: resource(`GET ${base}/phoneMethods`, listMethods(phone, 'Lists the telephones.')),
  getPhoneMethod: resource(`GET ${base}/phoneMethods/{method}`, oneMethod(phone, 'Returns one telephone.')),
  addPhoneMethod: resource(`POST ${base}/phoneMethods`, {
    ...addition(phone, 'Registers a telephone.'),
    body: phoneSchema,
  }),
  updatePhoneMethod: resource(`PATCH ${base}/phoneMethods/{method}`, {
    ...change,
    summary: 'Changes the number of a telephone, whose type stays the same.',
    types: [phone],
    body: phoneChangeSchema,
  }),
  removePhoneMethod: resource(`DELETE ${base}/phoneMethods/{method}`, removal('Removes a telephone.')),
  listEmailMethods: resource(`GET ${base}/emailMethods`, listMethods(email, 'Lists the email address.')),
  getEmailMethod: resource(`GET ${base}/emailMethods/{method}`, oneMethod(email, 'Returns the email address.')),
  addEmailMethod: resource(`POST ${base}/emailMethods`, {
    ...addition(email, 'Registers an email address.'),
    body: emailSchema,
  }),
  updateEmailMethod: resource(`PATCH ${base}/emailMethods/{method}`, {
    ...change,
    summary: 'Changes the email address.',
    types: [email],
    body: emailSchema,
  }),
  removeEmailMethod: resource(`DELETE ${base}/emailMethods/{method}`, removal('Removes the email address.')),
  getPasskeyCreationOptions: resource(`GET ${base}/fido2Methods/creationOptions`, {
    summary: 'Returns options with which a client creates a passkey for the user.',
    access: { ...passkeyWrites, own: [...passkeyWrites.own, ...methodReads.own] },
    row: singleRow,
    result: 'object',
    types: ['webauthnCredentialCreationOptions'],
    functionArguments: ['challengeTimeoutInMinutes'],
  }),
  listFido2Methods: resource(`GET ${base}/fido2Methods`, listMethods(fido2, 'Lists the passkeys.')),
  getFido2Method: resource(`GET ${base}/fido2Methods/{method}`, oneMethod(fido2, 'Returns one passkey.')),
  addFido2Method: resource(`POST ${base}/fido2Methods`, {
    ...addition(fido2, 'Registers a passkey that was created with the options.', passkeyWrites),
    body: passkeySchema,
  }),
  removeFido2Method: resource(`DELETE ${base}/fido2Methods/{method}`, removal('Removes a passkey.', passkeyWrites)),
  listAppMethods: resource(`GET ${base}/vendorAuthenticatorMethods`, listMethods(app, 'Lists the authenticator app.')),
  getAppMethod: resource(
    `GET ${base}/vendorAuthenticatorMethods/{method}`,
    oneMethod(app, 'Returns the authenticator app.'),
  ),
  removeAppMethod: resource(
    `DELETE ${base}/vendorAuthenticatorMethods/{method}`,
    removal('Removes the authenticator app.'),
  ),
  listSoftwareOathMethods: resource(
    `GET ${base}/softwareOathMethods`,
    listMethods(softwareOath, 'Lists the one-time codes of an app.'),
  ),
  getSoftwareOathMethod: resource(
    `GET ${base}/softwareOathMethods/{method}`,
    oneMethod(softwareOath, 'Returns the one-time codes of an app.'),
  ),
  removeSoftwareOathMethod: resource(
    `DELETE ${base}/softwareOathMethods/{method}`,
    removal('Removes the one-time codes of an app.'),
  ),
  listHardwareOathMethods: resource(`GET ${base}/hardwareOathMethods`, {
    ...listMethods(hardwareOath, 'Lists the one-time codes of a token.'),
    ...beta,
  }),
  getHardwareOathMethod: resource(`GET ${base}/hardwareOathMethods/{method}`, {
    ...oneMethod(hardwareOath, 'Returns the one-time codes of a token.'),
    ...beta,
  }),
  removeHardwareOathMethod: resource(`DELETE ${base}/hardwareOathMethods/{method}`, {
    ...removal('Removes the one-time codes of a token.'),
    ...beta,
  }),
  listTemporaryAccessPasses: resource(
    `GET ${base}/temporaryAccessPassMethods`,
    listMethods(accessPass, 'Lists the temporary access pass.'),
  ),
  getTemporaryAccessPass: resource(
    `GET ${base}/temporaryAccessPassMethods/{method}`,
    oneMethod(accessPass, 'Returns the temporary access pass without its code.'),
  ),
  addTemporaryAccessPass: resource(`POST ${base}/temporaryAccessPassMethods`, {
    ...addition(accessPass, 'Creates a temporary access pass, which replaces an earlier one, and shows its code.'),
    body: accessPassSchema,
  }),
  removeTemporaryAccessPass: resource(
    `DELETE ${base}/temporaryAccessPassMethods/{method}`,
    removal('Removes the temporary access pass.'),
  ),
  listWindowsHelloMethods: resource(
    `GET ${base}/windowsHelloForBusinessMethods`,
    listMethods(windowsHello, 'Lists the Windows Hello for Business keys.'),
  ),
  getWindowsHelloMethod: resource(
    `GET ${base}/windowsHelloForBusinessMethods/{method}`,
    oneMethod(windowsHello, 'Returns one Windows Hello for Business key.'),
  ),
  removeWindowsHelloMethod: resource(
    `DELETE ${base}/windowsHelloForBusinessMethods/{method}`,
    removal('Removes a Windows Hello for Business key.'),
  ),
  listPlatformCredentials: resource(
    `GET ${base}/platformCredentialMethods`,
    listMethods(platform, 'Lists the platform credentials.'),
  ),
  getPlatformCredential: resource(
    `GET ${base}/platformCredentialMethods/{method}`,
    oneMethod(platform, 'Returns one platform credential.'),
  ),
  removePlatformCredential: resource(
    `DELETE ${base}/platformCredentialMethods/{method}`,
    removal('Removes a platform credential.'),
  ),
  listExternalMethods: resource(
    `GET ${base}/externalAuthenticationMethods`,
    listMethods(external, 'Lists the external methods, of which no user has any.'),
  ),
  getExternalMethod: resource(
    `GET ${base}/externalAuthenticationMethods/{method}`,
    oneMethod(external, 'Returns one external method.'),
  ),
  getQrCodePin: resource(`GET ${base}/qrCodePinMethod`, {
    ...oneMethod('qrCodePinAuthenticationMethod', 'Returns the QR code with PIN, which no user has.'),
    ...beta,
  }),
  getSignInPreferences: resource(`GET ${base}/signInPreferences`, {
    ...single('signInPreferences', singleRow, methodReads, 'Returns the preferred methods.'),
    ...beta,
  }),
  updateSignInPreferences: resource(`PATCH ${base}/signInPreferences`, {
    ...settingsChange,
    summary: 'Changes the preferred methods.',
    types: ['signInPreferences'],
    body: preferencesSchema,
  }),
  getRequirements: resource(`GET ${base}/requirements`, {
    ...single('strongAuthenticationRequirements', singleRow, methodReads, 'Returns the state of MFA per user.'),
    ...beta,
  }),
  updateRequirements: resource(`PATCH ${base}/requirements`, {
    ...settingsChange,
    summary: 'Changes the state of MFA per user, which no rule reads.',
    types: ['strongAuthenticationRequirements'],
    body: requirementsSchema,
  }),
} as const;

const reports = '/reports/authenticationMethods';

const flags: ScalarProperty = { type: 'boolean', operators: ['eq', 'ne', 'in'] };
const words: ScalarProperty = { type: 'string', operators: ['eq', 'ne', 'in'] };
const names: ScalarProperty = { type: 'string', operators: ['eq', 'ne', 'in', 'startswith'] };
const lists = { type: 'strings', operators: ['eq'] } as const;

const detailsPage = { rows: 1000, rowsMax: 1000 };

const detailsRow: QueryRow = {
  page: detailsPage,
  skip: true,
  count: true,
  orderby: ['userPrincipalName', 'userDisplayName'],
  filter: {
    id: words,
    isAdmin: flags,
    isMfaCapable: flags,
    isMfaRegistered: flags,
    isPasswordlessCapable: flags,
    isSsprCapable: flags,
    isSsprEnabled: flags,
    isSsprRegistered: flags,
    isSystemPreferredAuthenticationMethodEnabled: flags,
    methodsRegistered: lists,
    systemPreferredAuthenticationMethods: lists,
    userDisplayName: names,
    userPreferredMethodForSecondaryAuthentication: words,
    userPrincipalName: names,
    userType: words,
  },
};

const summaryArguments = ['includedUserTypes', 'includedUserRoles'];

/** Operations of the reports on registration. */
export const reportOperations = {
  listRegistrationDetails: resource(
    `GET ${reports}/userRegistrationDetails`,
    list('userRegistrationDetails', detailsRow, registrationReports, 'Lists what every user has registered.'),
  ),
  getRegistrationDetails: resource(
    `GET ${reports}/userRegistrationDetails/{user}`,
    single('userRegistrationDetails', singleRow, registrationReports, 'Returns what one user has registered.'),
  ),
  countByFeature: resource(`GET ${reports}/usersRegisteredByFeature`, {
    ...single('userRegistrationFeatureSummary', singleRow, registrationReports, 'Counts the users by feature.'),
    functionArguments: summaryArguments,
  }),
  countByMethod: resource(`GET ${reports}/usersRegisteredByMethod`, {
    ...single('userRegistrationMethodSummary', singleRow, registrationReports, 'Counts the users by method.'),
    functionArguments: summaryArguments,
  }),
} as const;

export type MethodOperationId = keyof typeof methodOperations;
export type ReportOperationId = keyof typeof reportOperations;
