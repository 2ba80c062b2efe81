import { passkeyNameCharactersMax } from '../../contract/credential.schema.ts';
import { isPasskeyType } from '../../contract/passkey-type-detection.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { FormFault } from './form-fault.ts';
import type { Action, SentForm } from './submitted-form.ts';

/** Form actions of the setup pages. */
export const setupActions: Readonly<Record<string, Action>> = {
  'try-app': { at: ['setup', 'expired'], act: ({ sandbox, view }) => sandbox.signIns.sendPush(view.id) },
  finish: { at: ['setup', 'setupTest', 'expired'], act: finish },
  'make-passkey': { at: ['setup', 'expired'], act: makePasskey },
  upgrade: { at: ['signedIn', 'notNudged'], act: upgrade },
  'name-passkey': { at: ['setupName', 'expired'], act: namePasskey },
};

/** Handles "Finish" after the test notification of the app, or creates a passkey with the software authenticator. */
async function finish({ sandbox, view, fields, ceremony }: SentForm): Promise<SignInView | FormFault> {
  if (view.screen === 'expired') return sandbox.signIns.completeSetup(view.id, null);
  if (view.method !== 'fido2') {
    // A push notification that was approved as second factor does not count as the test of the new app.
    if (view.screen === 'setup') return 'push-waiting';
    if (view.push?.answer === 'approved') return sandbox.signIns.completeSetup(view.id, null);
    return view.push?.answer === 'denied' ? 'push-denied' : 'push-waiting';
  }
  const type = fields.get('passkeyType') ?? '';
  const deviceId = findDevice(fields, view);
  if (!isPasskeyType(type)) return 'passkey-type-unknown';
  if (deviceId === null) return 'device-missing';
  return (await ceremony.registerTestPasskey(type, deviceId)) ?? sandbox.signIns.failSetup(view.id);
}

/** Registers a passkey that the browser created. A passkey that cannot be verified counts as a failed setup (R11.8). */
async function makePasskey({ sandbox, view, fields, ceremony }: SentForm): Promise<SignInView | FormFault> {
  if (view.screen === 'expired') return sandbox.signIns.failSetup(view.id);
  const deviceId = findDevice(fields, view);
  if (deviceId === null) return 'device-missing';
  return (await ceremony.register(fields.get('credential') ?? '', deviceId)) ?? sandbox.signIns.failSetup(view.id);
}

/** Registers a passkey that the browser created automatically after the sign-in. */
async function upgrade({ view, fields, ceremony }: SentForm): Promise<SignInView | FormFault> {
  const deviceId = findDevice(fields, view);
  if (deviceId === null) return 'device-missing';
  return (await ceremony.upgrade(fields.get('credential') ?? '', deviceId)) ?? 'passkey-refused';
}

async function namePasskey({ sandbox, view, fields }: SentForm): Promise<SignInView | FormFault> {
  const name = (fields.get('name') ?? '').trim();
  if (view.screen !== 'expired' && (name === '' || name.length > passkeyNameCharactersMax))
    return 'passkey-name-missing';
  return sandbox.signIns.namePasskey(view.id, name);
}

/** Maximum number of characters in a device id, the same as for ids in facts. */
const deviceIdCharactersMax = 256;

/** Returns the device id in a form, or that of the sign-in by default. `null` if the id is invalid. */
function findDevice(fields: URLSearchParams, view: SignInView): string | null {
  const deviceId = (fields.get('deviceId') ?? view.deviceId).trim();
  return deviceId === '' || deviceId.length > deviceIdCharactersMax ? null : deviceId;
}
