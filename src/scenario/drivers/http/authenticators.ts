import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { HeldCredential } from '../../../authenticators/held-credential.ts';
import type { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
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
export type OwnPasskey = Pick<HeldCredential, 'id' | 'privateKey'>;

/** The private keys of all passkeys that the authenticators of one scenario made, for its later sign-ins. */
export class KeyRing {
  readonly #keys = new Map<string, PrivateJwk>();

  /** Keeps the keys of passkeys that were made. */
  keep(made: readonly OwnPasskey[]): void {
    for (const { id, privateKey } of made) this.#keys.set(id, privateKey);
  }

  /** The passkeys of a user as the control API tells them, with the keys of those that were made in this scenario. */
  unlock(listed: readonly ListedPasskey[]): readonly ListedPasskey[] {
    return listed.map((passkey) => ({
      ...passkey,
      privateKey: passkey.privateKey ?? this.#keys.get(passkey.credential.id) ?? null,
    }));
  }
}

/** The name that passkeys belong to: the pages are asked for under it. */
export const relyingPartyId = 'localhost';

/** An authenticator that makes passkeys of one kind. Takes the system that it stands before, and the device that it is. */
export async function newAuthenticator(
  type: PasskeyType,
  os: OperatingSystem | undefined,
  seed: string,
): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({ profile: profileOf(type, os ?? 'windows'), seed });
}

/** An authenticator that holds the passkeys of a user whose keys are known, whatever their kind: it stands for all that the user has. */
export async function holdingAuthenticator(passkeys: readonly ListedPasskey[]): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({
    profile: profileOf(passkeys[0]?.type ?? 'security-key', 'windows'),
    credentials: passkeys.flatMap(({ credential, userHandle, privateKey }) => {
      if (privateKey === null) return [];
      const { id, counter, backupEligible, backedUp: backupState } = credential;
      return [{ id, counter, backupEligible, backupState, rpId: relyingPartyId, userHandle, privateKey }];
    }),
  });
}

/** Most runs need no authenticator, so that it is loaded by those that do. */
async function parts() {
  const [{ SoftwareAuthenticator: authenticator }, { authenticatorProfileOf: profileOf }] = await Promise.all([
    import('../../../authenticators/software-authenticator.ts'),
    import('../../../authenticators/profiles.ts'),
  ]);
  return { authenticator, profileOf };
}
