import { passkeyNameCharactersMax } from '../../contract/credential.schema.ts';
import { isPasskeyType } from '../../contract/passkey-type-detection.ts';
import { sameSecret } from '../../core/secrets.ts';
import { isPasskeyPrompt } from '../../sandbox/own-prompt-view.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { recordFailedAttempt } from './failed-attempts.ts';
import type { FormFault } from './form-fault.ts';
import type { Action, SentForm, Waiting } from './submitted-form.ts';

/** Form actions of the setup pages. */
export const setupActions: Readonly<Record<string, Action>> = {
  'try-app': { at: ['setup', 'expired'], act: ({ sandbox, view }) => sandbox.signIns.sendPush(view.id) },
  finish: { at: ['setup', 'setupTest', 'expired'], act: finish },
  'complete-setup': { at: ['setup', 'expired'], act: completeOwnSetup },
  'make-passkey': { at: ['setup', 'expired'], act: makePasskey },
  upgrade: { at: ['signedIn', 'notNudged'], act: upgrade },
  'name-passkey': { at: ['setupName', 'expired'], act: namePasskey },
};

/** Handles "Finish" after the test notification of the app, or creates a passkey with the software authenticator. */
async function finish({ sandbox, view, fields, ceremony }: SentForm): Promise<SignInView | FormFault> {
  if (view.screen === 'expired') return sandbox.signIns.completeSetup(view.id, null);
  if (!isPasskeyPrompt(view)) {
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

/** Completes the setup of an own campaign's method without a ceremony: a code, a password, terms or a form (OC45). */
async function completeOwnSetup({ sandbox, view, fields }: SentForm): Promise<SignInView | FormFault | Waiting> {
  const kind = view.own?.method.kind;
  if (view.screen === 'expired' || kind === undefined) return sandbox.signIns.completeSetup(view.id, null);
  switch (kind) {
    case 'totp':
    case 'phone':
    case 'email': {
      const given = (fields.get('code') ?? '').replaceAll(/\s/g, '');
      if (given === '') return 'code-missing';
      const secret = { secret: 'code', owner: view.userId, isKnown: true } as const;
      const accepted = await recordFailedAttempt(sandbox, secret, () =>
        sandbox.codes.acceptsInSetup(view.userId, kind, (code) => sameSecret(given, code)),
      );
      if (typeof accepted === 'object') return accepted;
      return accepted ? sandbox.signIns.completeSetup(view.id, null) : 'code-wrong';
    }
    case 'password':
      return changePassword({ sandbox, view, fields });
    case 'terms':
      return fields.get('accepted') === 'yes' ? sandbox.signIns.completeSetup(view.id, null) : 'terms-not-accepted';
    case 'form':
      return sandbox.signIns.completeSetup(view.id, null);
    default:
      return showUnchanged({ sandbox, view });
  }
}

/** Sets the password that the user entered twice, once the setup is complete. */
async function changePassword({
  sandbox,
  view,
  fields,
}: Pick<SentForm, 'sandbox' | 'view' | 'fields'>): Promise<SignInView | FormFault> {
  const password = fields.get('password') ?? '';
  if (password === '') return 'password-missing';
  if (fields.get('repeated') !== password) return 'password-differs';
  const next = await sandbox.signIns.completeSetup(view.id, null);
  const isChanged = next.screen === 'signedIn' && sandbox.directory.user(view.userId).password !== password;
  if (isChanged) await sandbox.directory.patchUser(view.userId, { password });
  return next;
}

/** Returns the sign-in as it is: its setup page has no such form. */
function showUnchanged({ sandbox, view }: Pick<SentForm, 'sandbox' | 'view'>): SignInView {
  return sandbox.signIns.view(view.id);
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
