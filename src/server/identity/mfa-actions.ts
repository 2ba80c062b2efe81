import { sameSecret } from '../../core/secrets.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { type AttemptedSecret, recordFailedAttempt } from './failed-attempts.ts';
import type { FormFault } from './form-fault.ts';
import type { Action, SentForm, Waiting } from './submitted-form.ts';

/** Verifies the password, which is the first factor. */
export async function givePassword({ sandbox, view, fields }: SentForm): Promise<SignInView | FormFault | Waiting> {
  const given = fields.get('password') ?? '';
  if (given === '') return 'password-missing';
  const { password } = sandbox.directory.user(view.userId);
  const evaluated = await recordFailedAttempt(sandbox, createAttemptedSecret(view, 'password'), () =>
    sameSecret(given, password),
  );
  if (typeof evaluated === 'object') return evaluated;
  return evaluated ? sandbox.signIns.acceptPassword(view.id) : 'password-wrong';
}

/** Form actions of the second-factor pages, including a passkey that replaces both factors. */
export const mfaActions: Readonly<Record<string, Action>> = {
  code: { at: ['mfa'], act: giveCode },
  'send-code': { at: ['mfa'], act: ({ sandbox, view }) => sandbox.signIns.sendCode(view.id) },
  'other-method': { at: ['mfa'], act: ({ sandbox, view }) => sandbox.signIns.openMfaChoice(view.id) },
  'use-method': { at: ['mfaChoice'], act: chooseMethod },
  'check-push': { at: ['mfa'], act: checkPush },
  'send-push': { at: ['mfa', 'setupTest'], act: ({ sandbox, view }) => sandbox.signIns.sendPush(view.id) },
  passkey: {
    at: ['password', 'mfa'],
    act: ({ ceremony, fields, ...form }) => usePasskey(form, ceremony.use(fields.get('credential') ?? '')),
  },
  'test-passkey': {
    at: ['password', 'mfa'],
    act: ({ ceremony, ...form }) => usePasskey(form, ceremony.useTestPasskey()),
  },
};

async function giveCode({ sandbox, view, fields }: SentForm): Promise<SignInView | FormFault | Waiting> {
  const given = (fields.get('code') ?? '').replaceAll(/\s/g, '');
  if (given === '') return 'code-missing';
  const evaluated = await recordFailedAttempt(sandbox, createAttemptedSecret(view, 'code'), () =>
    sandbox.codes.accepts(view.id, (code) => sameSecret(given, code)),
  );
  if (typeof evaluated === 'object') return evaluated;
  return evaluated ? sandbox.signIns.completeMfa(view.id) : 'code-wrong';
}

async function chooseMethod({ sandbox, view, fields }: SentForm): Promise<SignInView | FormFault> {
  const method = fields.get('method') ?? '';
  return view.mfaMethods.some((held) => held === method)
    ? sandbox.signIns.chooseMfaMethod(view.id, method)
    : 'method-missing';
}

async function checkPush({ sandbox, view }: SentForm): Promise<SignInView | FormFault> {
  if (view.push?.answer === 'approved') return sandbox.signIns.completeMfa(view.id);
  return view.push?.answer === 'denied' ? 'push-denied' : 'push-waiting';
}

async function usePasskey(
  { sandbox, view }: Pick<SentForm, 'sandbox' | 'view'>,
  verified: ReturnType<SentForm['ceremony']['use']>,
): Promise<SignInView | FormFault> {
  const used = await verified;
  return used === null ? 'passkey-refused' : sandbox.signIns.usePasskey(view.id, used);
}

function createAttemptedSecret({ userId }: SignInView, secret: AttemptedSecret['secret']): AttemptedSecret {
  return { secret, owner: userId, isKnown: true };
}
