import type { PasskeySettings, SignedMetadata } from '../contract/passkey-settings.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { withClock } from '../core/sandbox-date.ts';

/**
 * Queue of verifications. The library stores its trusted roots for the whole process, so verifications run one
 * after another, each with only the metadata of its own sandbox.
 */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const mine = turn.then(task);
  turn = mine.catch(() => undefined);
  return mine;
}

/**
 * Runs a verification while the library trusts only the given metadata. `metadata` is `null` if there is none.
 * `nowMs` is the virtual time for the validity of metadata and certificates. The verification can check whether the
 * metadata contains a model.
 */
export function withMetadata<T>(
  metadata: SignedMetadata | null,
  nowMs: number,
  verify: (lists: (aaguid: string) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const task = async (): Promise<T> => {
    const { MetadataService, SettingsService } = await import('@simplewebauthn/server');
    const others = SettingsService.getRootCertificates({ identifier: 'mds' });
    // In permissive mode, a model without metadata is registered as untrusted. The policy decides whether that is
    // sufficient.
    const initialize = (mdsServers: string[]) =>
      MetadataService.initialize({ mdsServers, statements: [], verificationMode: 'permissive' });
    try {
      if (metadata !== null) SettingsService.setRootCertificates({ identifier: 'mds', certificates: metadata.roots });
      await initialize(metadata === null ? [] : [`data:text/plain,${metadata.blob}`]);
      return await verify(async (aaguid) => (await MetadataService.getStatement(aaguid)) !== undefined);
    } finally {
      SettingsService.setRootCertificates({ identifier: 'mds', certificates: others });
      await initialize([]);
    }
  };
  // Without metadata, nothing that is trusted can expire, so test certificates are valid at any virtual time.
  return inTurn(() => (metadata === null ? task() : withClock(() => nowMs, task)));
}

/**
 * Rejects metadata whose signature does not chain to one of its roots. `settings` are the passkey settings of a
 * tenant. Throws `bad-request`.
 */
export async function refuseUntrustedMetadata(settings: PasskeySettings | undefined): Promise<void> {
  const metadata = settings?.metadata;
  if (metadata === undefined || !('blob' in metadata)) return;
  await inTurn(async () => {
    const { SettingsService } = await import('@simplewebauthn/server');
    const { verifyMDSBlob } = await import('@simplewebauthn/server/helpers');
    const others = SettingsService.getRootCertificates({ identifier: 'mds' });
    try {
      SettingsService.setRootCertificates({ identifier: 'mds', certificates: metadata.roots });
      await verifyMDSBlob(metadata.blob);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new NudgeLabError('bad-request', {
        problems: [
          {
            location: 'settings.passkeys.metadata.blob',
            message: `must be signed by a key that chains to the roots: ${reason}`,
          },
        ],
        cause,
      });
    } finally {
      SettingsService.setRootCertificates({ identifier: 'mds', certificates: others });
    }
  });
}
