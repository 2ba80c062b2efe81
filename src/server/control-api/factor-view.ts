import type { passkeysResponse, phoneResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import type { StoredPasskey } from '../../sandbox/passkeys.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createUserHandle } from '../identity/passkeys/user-handle.ts';

/** Number of recent sign-ins of a user that the phone checks. */
const signInsShown = 20;

/**
 * Converts a passkey of a user to API format. The private key of a test passkey is test data, like the user's password.
 */
export function passkeyView(
  sandboxId: string,
  userId: string,
  { place, passkey: { type, deviceId }, credential, testKey }: StoredPasskey,
): ResponseBody<typeof passkeysResponse>['passkeys'][number] {
  return {
    place,
    type,
    deviceId,
    credential,
    userHandle: createUserHandle(sandboxId, userId),
    privateKey: testKey === null ? null : { ...testKey.privateKey },
  };
}

/** Returns the current content of a user's phone. Throws `user-not-found` if the user does not exist. */
export async function phoneView(
  { directory, signIns, codes }: Sandbox,
  userId: string,
): Promise<ResponseBody<typeof phoneResponse>> {
  const { code } = directory.user(userId);
  const running = signIns.list({ userId, limit: signInsShown }).filter(({ finished }) => !finished);
  return {
    code: running.some(({ codeArrived }) => codeArrived) ? code : null,
    timedCode: { ...(await codes.timedCode(userId)) },
    requests: running.flatMap(({ id, push }) =>
      push?.answer === 'waiting' && push.lost !== true ? [{ signIn: id, number: push.number }] : [],
    ),
  };
}
