import type { Passkey, VerdictOutcome } from '../../../machines/vocabulary.ts';
import type { StepOf } from '../../contract/scenario.schema.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox, SignInView } from '../../sandbox/sandbox.ts';
import type { Observation } from '../driver.ts';

/** Device of a tab in the model. */
interface TabDevice {
  readonly os: string | undefined;
  readonly deviceId: string | undefined;
}

const created = 200;
const refused = 401;

/** Returns the passkey that a step names, or the one that the device of its tab creates. */
export function createPasskey({ say }: StepOf<'register' | 'upgradePasskey'>, { os, deviceId }: TabDevice): Passkey {
  return {
    type: say.passkey?.type ?? defaultPasskeyType(os),
    deviceId: say.passkey?.deviceId ?? deviceId ?? 'device-1',
  };
}

/** Creates a passkey automatically at the end of a sign-in. Returns the status that the server would send. */
export async function upgradePasskey(sandbox: Sandbox, signInId: string, passkey: Passkey): Promise<number> {
  try {
    await sandbox.securityInfo.upgrade(signInId, passkey);
    return created;
  } catch (error) {
    if (error instanceof NudgeLabError && error.code === 'passkey-not-allowed') return refused;
    throw error;
  }
}

/** Returns the observation of the first page if the user has no passkey any more, or `null` if the user has one. */
export function unknownPasskey({ directory }: Sandbox, userId: string): Observation | null {
  if (directory.user(userId).passkeys.length > 0) return null;
  return { page: 'name', visitedPages: [], signInScreens: ['name', 'passkey'], outcome: 'none', status: refused };
}

/** Completes the first factor with the password, or both factors with the newest passkey (A22). */
export async function giveFirstFactor(
  { signIns, directory }: Sandbox,
  view: SignInView,
  usernameless: boolean,
): Promise<SignInView> {
  const held = usernameless ? directory.passkeys(view.userId).at(-1) : undefined;
  if (held === undefined) return signIns.acceptPassword(view.id);
  const { id: credentialId, counter } = held.credential;
  return signIns.usePasskey(view.id, { credentialId, counter });
}

/** Derives the outcome of a sign-in from its screen alone. */
export function outcomeSeen({ screen }: SignInView): VerdictOutcome {
  if (screen === 'prompt') return 'skippable';
  if (screen === 'blocked') return 'blocked';
  return screen === 'required' ? 'required' : 'none';
}
