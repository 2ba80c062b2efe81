import { z } from 'zod';
import { authenticationModes } from '../../../machines/vocabulary.ts';
import { featureStates } from '../policy.schema.ts';
import type { ObjectRule } from '../policy-reader.ts';
import {
  betaField,
  type ConfigurationFields,
  featureField,
  flagField,
  guidField,
  objectField,
  optionalWholeField,
  storedField,
  textField,
  textsField,
  wholeField,
  wordField,
} from './configuration-fields.ts';
import type { MethodConfiguration } from './method-configuration.ts';
import { passkeyFields, ruleOfProfiles } from './passkey-fields.ts';

/** Methods that have a configuration. */
type ConfiguredMethod =
  | 'fido2'
  | 'vendorAuthenticator'
  | 'sms'
  | 'voice'
  | 'softwareOath'
  | 'hardwareOath'
  | 'temporaryAccessPass'
  | 'email'
  | 'x509Certificate'
  | 'qrCodePin'
  | 'verifiableCredentials'
  | 'external';

export type ConfigurationTypeName = `${ConfiguredMethod}AuthenticationMethodConfiguration`;

/** Type of method configurations. */
export interface ConfigurationType {
  /** Id of its only configuration, or `null` if each configuration has an id of its own. */
  readonly id: string | null;
  readonly name: ConfigurationTypeName;
  readonly targetName: string;
  readonly fields: ConfigurationFields;
  /** Fields of an include target besides its object and `isRegistrationRequired`. */
  readonly targetFields: ConfigurationFields;
  readonly initialState: MethodConfiguration['state'];
  /** `true` if all users are the initial target. */
  readonly hasInitialTarget: boolean;
  readonly rule?: ObjectRule<MethodConfiguration>;
}

type Described = Partial<Omit<ConfigurationType, 'id' | 'name' | 'targetName'>> & { readonly target?: string };

function describe(
  method: ConfiguredMethod,
  id: string | null,
  { target, ...described }: Described = {},
): ConfigurationType {
  return {
    id,
    name: `${method}AuthenticationMethodConfiguration`,
    targetName: target === undefined ? 'authenticationMethodTarget' : `${target}AuthenticationMethodTarget`,
    fields: {},
    targetFields: {},
    initialState: 'disabled',
    hasInitialTarget: true,
    ...described,
  };
}

const lifetimeMin = 10;
const lifetimeMax = 43_200;
const lifetime = (initial: number) => wholeField(initial, lifetimeMin, lifetimeMax);
const passLengthMin = 8;
const passLengthMax = 48;
const pinLengthMin = 8;
const pinLengthMax = 20;
const codeDaysMin = 1;
const codeDaysMax = 395;
const codeDaysDefault = 365;

const orderLifetimes: ObjectRule<MethodConfiguration> = (after, place, refusals) => {
  const { defaultLifetimeInMinutes: usual, minimumLifetimeInMinutes: least, maximumLifetimeInMinutes: most } = after;
  if (Number(least) <= Number(usual) && Number(usual) <= Number(most)) return;
  refusals.refuse(
    place === '' ? 'defaultLifetimeInMinutes' : `${place}.defaultLifetimeInMinutes`,
    `${usual} is not from minimumLifetimeInMinutes, ${least}, to maximumLifetimeInMinutes, ${most}`,
  );
};

/** Types of configurations in the order of the reference. The last one is that of external methods. */
export const configurationTypes: readonly ConfigurationType[] = [
  describe('fido2', 'Fido2', {
    fields: passkeyFields,
    targetFields: { allowedPasskeyProfiles: textsField(z.string(), 'a Guid') },
    target: 'passkey',
    rule: ruleOfProfiles,
  }),
  describe('vendorAuthenticator', 'VendorAuthenticator', {
    fields: {
      isSoftwareOathEnabled: flagField(true),
      featureSettings: objectField('vendorAuthenticatorFeatureSettings', {
        displayAppInformationRequiredState: featureField(),
        displayLocationInformationRequiredState: featureField(),
        numberMatchingRequiredState: betaField(featureField()),
        companionAppAllowedState: betaField(featureField()),
      }),
    },
    targetFields: { authenticationMode: wordField('any', authenticationModes) },
    target: 'vendorAuthenticator',
  }),
  describe('sms', 'Sms', {
    targetFields: { isUsableForSignIn: flagField(false) },
    target: 'sms',
    initialState: 'enabled',
  }),
  describe('voice', 'Voice', {
    fields: {
      isOfficePhoneAllowed: flagField(false),
      callerIdNumber: betaField(optionalWholeField()),
      isCustomGreetingEnabled: betaField(flagField(false)),
    },
    initialState: 'enabled',
  }),
  describe('softwareOath', 'SoftwareOath', { initialState: 'enabled' }),
  describe('hardwareOath', 'HardwareOath', { initialState: 'enabled' }),
  describe('temporaryAccessPass', 'TemporaryAccessPass', {
    fields: {
      defaultLifetimeInMinutes: lifetime(60),
      defaultLength: wholeField(passLengthMin, passLengthMin, passLengthMax),
      minimumLifetimeInMinutes: lifetime(60),
      maximumLifetimeInMinutes: lifetime(480),
      isUsableOnce: flagField(false),
    },
    rule: orderLifetimes,
  }),
  describe('email', 'Email', {
    fields: { allowExternalIdToUseEmailOtp: wordField('default', featureStates) },
    initialState: 'enabled',
    hasInitialTarget: false,
  }),
  describe('x509Certificate', 'X509Certificate', {
    fields: {
      authenticationModeConfiguration: storedField({
        x509CertificateAuthenticationDefaultMode: 'x509CertificateSingleFactor',
        x509CertificateDefaultRequiredAffinityLevel: 'low',
        rules: [],
      }),
      certificateUserBindings: storedField([
        {
          x509CertificateField: 'PrincipalName',
          userProperty: 'onPremisesUserPrincipalName',
          priority: 1,
          trustAffinityLevel: 'low',
        },
      ]),
      certificateAuthorityScopes: storedField([]),
      crlValidationConfiguration: storedField({
        state: 'disabled',
        exemptedCertificateAuthoritiesSubjectKeyIdentifiers: [],
      }),
      issuerHintsConfiguration: storedField({ state: 'disabled' }),
    },
  }),
  describe('qrCodePin', 'QRCodePin', {
    fields: {
      pinLength: wholeField(pinLengthMin, pinLengthMin, pinLengthMax),
      standardQRCodeLifetimeInDays: wholeField(codeDaysDefault, codeDaysMin, codeDaysMax),
    },
  }),
  describe('verifiableCredentials', 'VerifiableCredentials', {
    targetFields: { verifiedIdProfiles: textsField(z.string(), 'a String') },
    target: 'verifiableCredential',
  }),
  describe('external', null, {
    fields: {
      displayName: textField(''),
      appId: guidField(null),
      openIdConnectSetting: objectField('openIdConnectSetting', {
        clientId: textField(null),
        discoveryUrl: textField(null),
      }),
    },
    hasInitialTarget: false,
  }),
];

/** Type of external methods. Each external method has a configuration with an id of its own. */
export const externalType = configurationTypes.at(-1) as ConfigurationType;

const typesById = new Map(configurationTypes.map((type) => [type.id, type]));

/** Returns the type of a configuration by its id in the words of the specification. */
export function getConfigurationType(id: string): ConfigurationType {
  return typesById.get(id) ?? externalType;
}
