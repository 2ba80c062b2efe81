import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import { isKept } from '../../../authenticators/signals.ts';
import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { CredentialDescriptor, StoredCredential } from '../../../authenticators/stored-credential.ts';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { PasskeyCredential } from '../../../contract/credential.schema.ts';
import type { PrivateJwk } from '../../../core/seeded-key.ts';

/** A passkey of a user as the control API tells it. */
export interface ListedPasskey {
  readonly type: PasskeyType;
  readonly credential: Pick<PasskeyCredential, 'id' | 'counter' | 'backupEligible' | 'backedUp'> & {
    readonly transports: readonly string[];
  };
  readonly userHandle: string;
  readonly privateKey: PrivateJwk | null;
}

/** A passkey that an authenticator of the scenario made, with the key that never leaves it. */
export type OwnPasskey = Pick<StoredCredential, 'id' | 'privateKey'> & Partial<StoredCredential>;

/** A passkey that some authenticator of the scenario has, whose it is, and which authenticator made it. */
interface KnownPasskey {
  readonly userId: string;
  readonly madeBy: string | null;
  readonly credential: CredentialDescriptor;
}

/** The passkeys that the authenticators of one scenario have, with their keys, for its later sign-ins. */
export class KeyRing {
  readonly #keys = new Map<string, PrivateJwk>();
  readonly #known = new Map<string, KnownPasskey>();

  /** Keeps passkeys that were made. Takes whose they are, and the name of the authenticator. */
  keep(made: readonly OwnPasskey[], userId: string, madeBy: string | null = null): void {
    for (const { id, privateKey, rpId, userHandle, ...rest } of made) {
      this.#keys.set(id, privateKey);
      if (rpId === undefined || userHandle === undefined) continue;
      const credential = { ...rest, id, privateKey, rpId, userHandle };
      this.#known.set(id, { userId, madeBy: this.#known.get(id)?.madeBy ?? madeBy, credential });
    }
  }

  /** The passkeys of a user as the control API tells them, with the keys of those that were made in this scenario. */
  unlock(listed: readonly ListedPasskey[], userId: string): readonly ListedPasskey[] {
    const unlocked = listed.map((passkey) => ({
      ...passkey,
      privateKey: passkey.privateKey ?? this.#keys.get(passkey.credential.id) ?? null,
    }));
    this.keep(unlocked.flatMap(heldOf), userId);
    return unlocked;
  }

  /** What the authenticators of a user offer where none is named, the newest last: also what the server no longer accepts. */
  offeredTo(userId: string): readonly CredentialDescriptor[] {
    return [...this.#known.values()].flatMap((known) => (known.userId === userId ? [known.credential] : []));
  }

  /** The passkeys that one authenticator has made. Takes its name. */
  madeBy(authenticator: string): readonly CredentialDescriptor[] {
    return [...this.#known.values()].flatMap(({ madeBy, credential }) =>
      madeBy === authenticator ? [credential] : [],
    );
  }

  /** All authenticators hear what a page signals. */
  signal(signals: SignalsJson | null): void {
    if (signals === null) return;
    for (const [id, { credential }] of this.#known) if (!isKept(credential, signals)) this.#known.delete(id);
  }
}

/** The name of an authenticator: one of each kind on each device. */
export function authenticatorName(type: PasskeyType, deviceId: string): string {
  return `${type} ${deviceId}`;
}

function heldOf({ credential, userHandle, privateKey }: ListedPasskey): readonly (OwnPasskey & CredentialDescriptor)[] {
  if (privateKey === null) return [];
  const { id, counter, backupEligible, backedUp: backupState } = credential;
  return [{ id, counter, backupEligible, backupState, rpId: relyingPartyId, userHandle, privateKey }];
}

/** The name that passkeys belong to: the pages are asked for under it. */
export const relyingPartyId = 'localhost';

/** An authenticator that makes passkeys of one kind. Takes the system that it stands before, the device that it is, and what it has already. */
export async function newAuthenticator(
  type: PasskeyType,
  os: OperatingSystem | undefined,
  seed: string,
  credentials: readonly CredentialDescriptor[] = [],
): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({ profile: profileOf(type, os ?? 'windows'), seed, credentials });
}

/** An authenticator that holds the passkeys of a user whose keys are known, whatever their kind: it stands for all that the user has. */
export async function holdingAuthenticator(passkeys: readonly ListedPasskey[]): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({
    profile: profileOf(passkeys[0]?.type ?? 'security-key', 'windows'),
    credentials: passkeys.flatMap(heldOf),
  });
}

/** An authenticator that offers some passkeys where none is named. */
export async function offeringAuthenticator(
  credentials: readonly CredentialDescriptor[],
): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({ profile: profileOf('security-key', 'windows'), credentials });
}

/** Most runs need no authenticator, so that it is loaded by those that do. */
async function parts() {
  const [{ SoftwareAuthenticator: authenticator }, { getAuthenticatorProfile: profileOf }] = await Promise.all([
    import('../../../authenticators/software-authenticator.ts'),
    import('../../../authenticators/profiles.ts'),
  ]);
  return { authenticator, profileOf };
}
