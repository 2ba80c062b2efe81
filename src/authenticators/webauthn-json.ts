import type { PasskeyTransport } from '../contract/credential.schema.ts';

/**
 * JSON forms of WebAuthn Level 3 for ceremony options and responses. Binary values are base64url strings. The types
 * declare only members that an authenticator or its browser uses, so the options of any WebAuthn server match.
 */

export interface CredentialDescriptorJson {
  readonly id: string;
  readonly type?: string;
  readonly transports?: readonly string[];
}

export interface CreationOptionsJson {
  readonly rp: { readonly id?: string; readonly name?: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName?: string };
  readonly challenge: string;
  readonly pubKeyCredParams: readonly { readonly alg: number; readonly type?: string }[];
  readonly timeout?: number;
  readonly excludeCredentials?: readonly CredentialDescriptorJson[];
  readonly authenticatorSelection?: {
    readonly authenticatorAttachment?: string;
    readonly residentKey?: string;
    readonly requireResidentKey?: boolean;
    readonly userVerification?: string;
  };
  readonly attestation?: string;
  readonly hints?: readonly string[];
  readonly extensions?: { readonly credProps?: boolean; readonly prf?: PrfInputJson };
}

/** Inputs of a passkey's pseudorandom function in base64url. */
export interface PrfInputJson {
  readonly eval?: PrfValuesJson;
}

export interface PrfValuesJson {
  readonly first: string;
  readonly second?: string;
}

/** Client extension outputs. */
export interface ExtensionResultsJson {
  readonly credProps?: { readonly rk: boolean };
  readonly prf?: { readonly enabled?: boolean; readonly results?: PrfValuesJson };
}

export interface RequestOptionsJson {
  readonly challenge: string;
  readonly timeout?: number;
  readonly rpId?: string;
  readonly allowCredentials?: readonly CredentialDescriptorJson[];
  readonly userVerification?: string;
  readonly hints?: readonly string[];
  readonly extensions?: { readonly prf?: PrfInputJson };
}

/** Signals of a page about the passkeys of a relying party (WebAuthn Level 3, 5.1.10), keyed by signal name. */
export interface SignalsJson {
  readonly unknownCredential?: { readonly rpId: string; readonly credentialId: string };
  readonly allAcceptedCredentials?: {
    readonly rpId: string;
    readonly userId: string;
    readonly allAcceptedCredentialIds: readonly string[];
  };
  readonly currentUserDetails?: {
    readonly rpId: string;
    readonly userId: string;
    readonly name: string;
    readonly displayName: string;
  };
}

export type AttachmentJson = 'platform' | 'cross-platform';

interface CredentialJson<Response> {
  id: string;
  rawId: string;
  type: 'public-key';
  authenticatorAttachment: AttachmentJson;
  clientExtensionResults: ExtensionResultsJson;
  response: Response;
}

export type RegistrationResponseJson = CredentialJson<{
  clientDataJSON: string;
  attestationObject: string;
  authenticatorData: string;
  transports: PasskeyTransport[];
  /** Public key as SubjectPublicKeyInfo. */
  publicKey: string;
  publicKeyAlgorithm: number;
}>;

export type AuthenticationResponseJson = CredentialJson<{
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}>;
