import type { passkeysResponse, phoneResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import type { HeldPasskey } from '../../sandbox/passkeys.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createUserHandle } from '../identity/passkeys/user-handle.ts';

/** Sign-ins of a user that the phone looks through. */
const signInsShown = 20;

/** One passkey of a user; the key of a test passkey is test data, as the user's password is. */
export function passkeyView(
  sandboxId: string,
  userId: string,
  { place, passkey: { type, deviceId }, credential, testKey }: HeldPasskey,
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

/** What the phone of a user shows now. Throws `user-not-found`. */
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
