import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import { isKept } from '../../../authenticators/signals.ts';
import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { CredentialDescriptor, StoredCredential } from '../../../authenticators/stored-credential.ts';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { PasskeyCredential } from '../../../contract/credential.schema.ts';
import type { PrivateJwk } from '../../../core/seeded-key.ts';

/** Passkey of a user as returned by the control API. */
export interface ListedPasskey {
  readonly type: PasskeyType;
  readonly credential: Pick<PasskeyCredential, 'id' | 'counter' | 'backupEligible' | 'backedUp'> & {
    readonly transports: readonly string[];
  };
  readonly userHandle: string;
  readonly privateKey: PrivateJwk | null;
}

/** Passkey created by an authenticator of the scenario, with its private key. */
export type OwnPasskey = Pick<StoredCredential, 'id' | 'privateKey'> & Partial<StoredCredential>;

/** Passkey of an authenticator in the scenario, with its user and the authenticator that created it. */
interface KnownPasskey {
  readonly userId: string;
  readonly madeBy: string | null;
  readonly credential: CredentialDescriptor;
}

/** Stores the passkeys of one scenario's authenticators with their keys, for later sign-ins. */
export class KeyRing {
  readonly #keys = new Map<string, PrivateJwk>();
  readonly #known = new Map<string, KnownPasskey>();

  /** Stores created passkeys with their user and the name of the authenticator. */
  keep(made: readonly OwnPasskey[], userId: string, madeBy: string | null = null): void {
    for (const { id, privateKey, rpId, userHandle, ...rest } of made) {
      this.#keys.set(id, privateKey);
      if (rpId === undefined || userHandle === undefined) continue;
      const credential = { ...rest, id, privateKey, rpId, userHandle };
      this.#known.set(id, { userId, madeBy: this.#known.get(id)?.madeBy ?? madeBy, credential });
    }
  }

  /** Adds the known private keys to a user's passkeys from the control API. */
  unlock(listed: readonly ListedPasskey[], userId: string): readonly ListedPasskey[] {
    const unlocked = listed.map((passkey) => ({
      ...passkey,
      privateKey: passkey.privateKey ?? this.#keys.get(passkey.credential.id) ?? null,
    }));
    this.keep(unlocked.flatMap(toOwnPasskeys), userId);
    return unlocked;
  }

  /**
   * Returns the passkeys, newest last, that a user's authenticators offer to requests without a credential list,
   * including passkeys that the server no longer accepts.
   */
  offeredTo(userId: string): readonly CredentialDescriptor[] {
    return [...this.#known.values()].flatMap((known) => (known.userId === userId ? [known.credential] : []));
  }

  /** Returns the passkeys that an authenticator has created. */
  madeBy(authenticator: string): readonly CredentialDescriptor[] {
    return [...this.#known.values()].flatMap(({ madeBy, credential }) =>
      madeBy === authenticator ? [credential] : [],
    );
  }

  /** Applies the signals of a page to all authenticators. */
  signal(signals: SignalsJson | null): void {
    if (signals === null) return;
    for (const [id, { credential }] of this.#known) if (!isKept(credential, signals)) this.#known.delete(id);
  }
}

/** Returns the name of an authenticator, of which each device has one per passkey type. */
export function authenticatorName(type: PasskeyType, deviceId: string): string {
  return `${type} ${deviceId}`;
}

function toOwnPasskeys({
  credential,
  userHandle,
  privateKey,
}: ListedPasskey): readonly (OwnPasskey & CredentialDescriptor)[] {
  if (privateKey === null) return [];
  const { id, counter, backupEligible, backedUp: backupState } = credential;
  return [{ id, counter, backupEligible, backupState, rpId: relyingPartyId, userHandle, privateKey }];
}

/** Relying party id of the passkeys, which is the host name of the pages. */
export const relyingPartyId = 'localhost';

/**
 * Creates an authenticator for one passkey type. `seed` is the id of its device, and `credentials` are its existing
 * passkeys.
 */
export async function newAuthenticator(
  type: PasskeyType,
  os: OperatingSystem | undefined,
  seed: string,
  credentials: readonly CredentialDescriptor[] = [],
): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({ profile: profileOf(type, os ?? 'windows'), seed, credentials });
}

/** Creates an authenticator with all passkeys of a user whose keys are known, regardless of their types. */
export async function holdingAuthenticator(passkeys: readonly ListedPasskey[]): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({
    profile: profileOf(passkeys[0]?.type ?? 'security-key', 'windows'),
    credentials: passkeys.flatMap(toOwnPasskeys),
  });
}

/** Creates an authenticator that offers passkeys to requests without a credential list. */
export async function offeringAuthenticator(
  credentials: readonly CredentialDescriptor[],
): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({ profile: profileOf('security-key', 'windows'), credentials });
}

/** Loads the authenticator modules on demand, because most runs need no authenticator. */
async function parts() {
  const [{ SoftwareAuthenticator: authenticator }, { getAuthenticatorProfile: profileOf }] = await Promise.all([
    import('../../../authenticators/software-authenticator.ts'),
    import('../../../authenticators/profiles.ts'),
  ]);
  return { authenticator, profileOf };
}
