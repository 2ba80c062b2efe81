import { passkeyNameCharactersMax } from '../../contract/credential.schema.ts';
import { isPasskeyType } from '../../contract/passkey-type-detection.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { FormFault } from './form-fault.ts';
import type { Action, SentForm } from './submitted-form.ts';

/** What can be done at the pages that set a method up. */
export const setupActions: Readonly<Record<string, Action>> = {
  'try-app': { at: ['setup', 'expired'], act: ({ sandbox, view }) => sandbox.signIns.sendPush(view.id) },
  finish: { at: ['setup', 'setupTest', 'expired'], act: finish },
  'make-passkey': { at: ['setup', 'expired'], act: makePasskey },
  upgrade: { at: ['signedIn', 'notNudged'], act: upgrade },
  'name-passkey': { at: ['setupName', 'expired'], act: namePasskey },
};

/** "Finish": after the test notification of the app, or with a passkey of the test authenticator. */
async function finish({ sandbox, view, fields, ceremony }: SentForm): Promise<SignInView | FormFault> {
  if (view.screen === 'expired') return sandbox.signIns.completeSetup(view.id, null);
  if (view.method !== 'fido2') {
    // A request that was approved as second factor is not the one that tries the new app out.
    if (view.screen === 'setup') return 'push-waiting';
    if (view.push?.answer === 'approved') return sandbox.signIns.completeSetup(view.id, null);
    return view.push?.answer === 'denied' ? 'push-denied' : 'push-waiting';
  }
  const type = fields.get('passkeyType') ?? '';
  const deviceId = deviceOf(fields, view);
  if (!isPasskeyType(type)) return 'passkey-type-unknown';
  if (deviceId === null) return 'device-missing';
  return (await ceremony.registerTestPasskey(type, deviceId)) ?? sandbox.signIns.failSetup(view.id);
}

/** The browser made a passkey. One that does not verify is a setup that failed (R11.8). */
async function makePasskey({ sandbox, view, fields, ceremony }: SentForm): Promise<SignInView | FormFault> {
  if (view.screen === 'expired') return sandbox.signIns.failSetup(view.id);
  const deviceId = deviceOf(fields, view);
  if (deviceId === null) return 'device-missing';
  return (await ceremony.register(fields.get('credential') ?? '', deviceId)) ?? sandbox.signIns.failSetup(view.id);
}

/** The browser created a passkey by itself after the sign-in. */
async function upgrade({ view, fields, ceremony }: SentForm): Promise<SignInView | FormFault> {
  const deviceId = deviceOf(fields, view);
  if (deviceId === null) return 'device-missing';
  return (await ceremony.upgrade(fields.get('credential') ?? '', deviceId)) ?? 'passkey-refused';
}

async function namePasskey({ sandbox, view, fields }: SentForm): Promise<SignInView | FormFault> {
  const name = (fields.get('name') ?? '').trim();
  if (view.screen !== 'expired' && (name === '' || name.length > passkeyNameCharactersMax))
    return 'passkey-name-missing';
  return sandbox.signIns.namePasskey(view.id, name);
}

/** As long as an id of facts may be. */
const deviceIdCharactersMax = 256;

/** The device that a form names, else that of the sign-in; `null` for a name that none may have. */
function deviceOf(fields: URLSearchParams, view: SignInView): string | null {
  const deviceId = (fields.get('deviceId') ?? view.deviceId).trim();
  return deviceId === '' || deviceId.length > deviceIdCharactersMax ? null : deviceId;
}
