import type { PasskeySettings } from '../../../contract/passkey-settings.schema.ts';
import type { UserProfile } from '../../../contract/sandbox.schema.ts';
import type { StoredPasskey } from '../../../sandbox/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE numbers of ES256, EdDSA, and RS256, in order of preference. */
export const keyAlgorithms = [-7, -8, -257];

/** Time that a browser waits for the user in milliseconds of real time. */
const ceremonyTimeoutMs = 120_000;

/** Options of a ceremony in the JSON format of WebAuthn. */
export type CeremonyOptions = Readonly<Record<string, unknown>>;

/** User and terms of a passkey registration. */
export interface NewPasskey {
  readonly relyingParty: RelyingParty;
  readonly challenge: string;
  readonly userHandle: string;
  readonly profile: UserProfile;
  /** Passkeys that the user already has. Their authenticators are excluded from the registration. */
  readonly held: readonly StoredPasskey[];
  readonly settings: PasskeySettings | undefined;
  /** `true` if the browser creates the passkey automatically. The user is then not necessarily verified. */
  readonly conditional?: boolean;
}

/** Input of the PRF extension in base64url. It is the same on all pages, so a passkey always yields the same secret. */
const prfSalt = Buffer.from('NudgeLab').toString('base64url');

/** Returns the extensions and hints that the tenant settings add to all options. */
function listAdditions(settings: PasskeySettings | undefined, extensions: object): object {
  const inputs = settings?.prf === true ? { ...extensions, prf: { eval: { first: prfSalt } } } : extensions;
  return {
    ...(Object.keys(inputs).length === 0 ? {} : { extensions: inputs }),
    ...(settings === undefined || settings.hints.length === 0 ? {} : { hints: settings.hints }),
  };
}

/** Creates the options of a registration ceremony: a discoverable passkey, user verification, and attestation. */
export function creationOptions({
  relyingParty,
  challenge,
  userHandle,
  profile,
  held,
  settings,
  conditional = false,
}: NewPasskey): CeremonyOptions {
  return {
    rp: { id: relyingParty.id, name: 'NudgeLab' },
    user: { id: userHandle, name: profile.userPrincipalName, displayName: profile.displayName },
    challenge,
    pubKeyCredParams: keyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: ceremonyTimeoutMs,
    excludeCredentials: held.map(toDescriptor),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: conditional ? 'preferred' : 'required',
    },
    attestation: 'direct',
    ...listAdditions(settings, { credProps: true }),
  };
}

/**
 * Creates the options of an authentication ceremony from the allowed passkeys and the tenant settings. Without allowed
 * passkeys, the user selects a discoverable one.
 */
export function requestOptions(
  relyingParty: RelyingParty,
  challenge: string,
  passkeys: readonly StoredPasskey[],
  settings: PasskeySettings | undefined,
): CeremonyOptions {
  return {
    challenge,
    rpId: relyingParty.id,
    timeout: ceremonyTimeoutMs,
    userVerification: 'required',
    allowCredentials: passkeys.map(toDescriptor),
    ...listAdditions(settings, {}),
  };
}

function toDescriptor({ credential: { id, transports } }: StoredPasskey): object {
  return { id, type: 'public-key', transports };
}
