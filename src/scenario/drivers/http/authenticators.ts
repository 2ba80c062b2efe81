import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
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

/** An authenticator that holds the test passkeys of a user, whatever their kind: it stands for all that the user has. */
export async function holdingAuthenticator(passkeys: readonly ListedPasskey[]): Promise<SoftwareAuthenticator> {
  const { authenticator, profileOf } = await parts();
  return new authenticator({
    profile: profileOf(passkeys[0]?.type ?? 'security-key', 'windows'),
    credentials: passkeys.flatMap(({ credential: { id, counter }, userHandle, privateKey }) =>
      privateKey === null ? [] : [{ id, counter, rpId: relyingPartyId, userHandle, privateKey }],
    ),
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
