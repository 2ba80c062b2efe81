import type { PasskeySettings } from '../../../contract/passkey-settings.schema.ts';
import type { UserProfile } from '../../../contract/sandbox.schema.ts';
import type { HeldPasskey } from '../../../sandbox/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE numbers of ES256, EdDSA and RS256, in the order of preference. */
export const keyAlgorithms = [-7, -8, -257];

/** How long a browser waits for the user, in ms of real time. */
const ceremonyTimeoutMs = 120_000;

/** What a page asks a browser for, as WebAuthn writes it in JSON. */
export type CeremonyOptions = Readonly<Record<string, unknown>>;

/** Who is to get a passkey, and on which terms. */
export interface NewPasskey {
  readonly relyingParty: RelyingParty;
  readonly challenge: string;
  readonly userHandle: string;
  readonly profile: UserProfile;
  /** What the user holds already: none of these authenticators makes a second one. */
  readonly held: readonly HeldPasskey[];
  readonly settings: PasskeySettings | undefined;
  /** Whether the browser creates it by itself: then no one may be there to be verified. */
  readonly conditional?: boolean;
}

/** What the PRF extension is evaluated at, base64url; the same for all pages, so that a passkey gives the same secret everywhere. */
const prfSalt = Buffer.from('NudgeLab').toString('base64url');

/** The extensions and hints that the settings of a tenant add to all options. */
function additionsOf(settings: PasskeySettings | undefined, extensions: object): object {
  const asked = settings?.prf === true ? { ...extensions, prf: { eval: { first: prfSalt } } } : extensions;
  return {
    ...(Object.keys(asked).length === 0 ? {} : { extensions: asked }),
    ...(settings === undefined || settings.hints.length === 0 ? {} : { hints: settings.hints }),
  };
}

/** Options of a registration: a discoverable passkey with user verification, and what attests its make. */
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
    excludeCredentials: held.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: conditional ? 'preferred' : 'required',
    },
    attestation: 'direct',
    ...additionsOf(settings, { credProps: true }),
  };
}

/** Options of an assertion. Takes the passkeys that will do; none lets the user choose a discoverable one. Takes the settings of the tenant. */
export function requestOptions(
  relyingParty: RelyingParty,
  challenge: string,
  held: readonly HeldPasskey[],
  settings: PasskeySettings | undefined,
): CeremonyOptions {
  return {
    challenge,
    rpId: relyingParty.id,
    timeout: ceremonyTimeoutMs,
    userVerification: 'required',
    allowCredentials: held.map(descriptorOf),
    ...additionsOf(settings, {}),
  };
}

function descriptorOf({ credential: { id, transports } }: HeldPasskey): object {
  return { id, type: 'public-key', transports };
}
