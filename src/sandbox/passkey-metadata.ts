import type { PasskeySettings, SignedMetadata } from '../contract/passkey-settings.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { withClock } from '../core/sandbox-date.ts';

/**
 * The library keeps what it trusts for the whole process. Verifications therefore take turns, each with the metadata of its own
 * sandbox and nothing left of another one.
 */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const mine = turn.then(task);
  turn = mine.catch(() => undefined);
  return mine;
}

/**
 * Verifies something while the library trusts metadata, and nothing but that. Takes the metadata, `null` for none, the virtual
 * time by which they and certificates are valid or not, and what verifies; that may ask whether the metadata list a model.
 */
export function withMetadata<T>(
  metadata: SignedMetadata | null,
  nowMs: number,
  verify: (lists: (aaguid: string) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const task = async (): Promise<T> => {
    const { MetadataService, SettingsService } = await import('@simplewebauthn/server');
    const others = SettingsService.getRootCertificates({ identifier: 'mds' });
    // A model that no metadata list is registered without trust: the policy decides whether that is enough.
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
  // Without metadata nothing is trusted that a date could end, and test certificates are as good at any virtual time.
  return inTurn(() => (metadata === null ? task() : withClock(() => nowMs, task)));
}

/**
 * Refuses metadata whose signature does not lead to one of their roots. Takes the passkey settings of a tenant. Throws
 * `bad-request`.
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
            message: `not signed by a key that leads to the roots: ${reason}`,
          },
        ],
        cause,
      });
    } finally {
      SettingsService.setRootCertificates({ identifier: 'mds', certificates: others });
    }
  });
}
