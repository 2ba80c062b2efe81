import { hash, timingSafeEqual } from 'node:crypto';
import type { Screen } from '../../../machines/sign-in.machine.ts';
import { type PasskeyType, passkeyTypes } from '../../../machines/vocabulary.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-ins.ts';

/** What was wrong with a form; its page says so beside the field. */
export type FormFault =
  | 'password-missing'
  | 'password-wrong'
  | 'code-missing'
  | 'code-wrong'
  | 'passkey-type-unknown'
  | 'device-missing';

/** What a form led to: the sign-in as it is now, and the status of the page that shows it. */
export interface JourneyAnswer {
  readonly status: number;
  readonly view: SignInView;
  readonly fault: FormFault | null;
}

interface Action {
  /** Screens whose page offers it; anywhere else the form is an old one, and the current screen answers it (A26). */
  readonly at: readonly Screen[];
  readonly act: (sandbox: Sandbox, view: SignInView, form: URLSearchParams) => Promise<SignInView | FormFault>;
}

/** What a person can do at the pages of a sign-in: the values of `action` in their forms. */
const actions: Readonly<Record<string, Action>> = {
  password: { at: ['password'], act: givePassword },
  code: { at: ['mfa'], act: giveCode },
  continue: { at: ['externalMfa', 'termsOfUse', 'blocked', 'expired', 'resolved'], act: goOn },
  next: {
    at: ['prompt', 'required', 'errorScreen', 'expired', 'resolved'],
    act: ({ signIns }, { id }) => signIns.selectNext(id),
  },
  skip: { at: ['prompt', 'required', 'setup', 'expired', 'resolved'], act: ({ signIns }, { id }) => signIns.skip(id) },
  finish: { at: ['setup', 'expired'], act: finishSetup },
  fail: { at: ['setup', 'expired'], act: ({ signIns }, { id }) => signIns.failSetup(id) },
  'skip-error': { at: ['errorScreen', 'expired', 'resolved'], act: ({ signIns }, { id }) => signIns.skipError(id) },
};

/** Refusals that the sign-in's own page explains: the required prompt, or the one that has ended. */
const explainedByPage: readonly string[] = ['skip-refused', 'prompt-expired'];

/**
 * Does what a form of a running sign-in asks for, once: a form that was answered before changes nothing (A26).
 * Takes the fields of the form. Throws `bad-request` for an action that no page has, and what the store throws.
 */
export async function takeForm(sandbox: Sandbox, signInId: string, form: URLSearchParams): Promise<JourneyAnswer> {
  const name = form.get('action') ?? '';
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new NudgeLabError('bad-request', { message: 'No page has this action.' });
  const view = sandbox.signIns.view(signInId);
  if (!action.at.includes(view.screen)) return { status: 200, view: await showAgain(sandbox, signInId), fault: null };
  try {
    const result = await action.act(sandbox, view, form);
    if (typeof result !== 'string') return { status: 200, view: result, fault: null };
    return { status: faultStatus[result], view: await showAgain(sandbox, signInId), fault: result };
  } catch (error) {
    if (!(error instanceof NudgeLabError && explainedByPage.includes(error.code))) throw error;
    return { status: error.status, view: await showAgain(sandbox, signInId), fault: null };
  }
}

/** The current screen of a sign-in whose page is loaded again; that withdraws a leave mark (A41). */
export async function showAgain(sandbox: Sandbox, signInId: string): Promise<SignInView> {
  const view = await sandbox.signIns.comeBack(signInId);
  const pending = sandbox.settled();
  if (pending !== null) await pending;
  return view;
}

const faultStatus: Readonly<Record<FormFault, number>> = {
  'password-missing': 400,
  'password-wrong': 401,
  'code-missing': 400,
  'code-wrong': 401,
  'passkey-type-unknown': 400,
  'device-missing': 400,
};

async function givePassword(
  sandbox: Sandbox,
  view: SignInView,
  form: URLSearchParams,
): Promise<SignInView | FormFault> {
  const given = form.get('password') ?? '';
  if (given === '') return 'password-missing';
  if (!sameSecret(given, sandbox.directory.user(view.userId).password)) return 'password-wrong';
  return sandbox.signIns.acceptPassword(view.id);
}

async function giveCode(sandbox: Sandbox, view: SignInView, form: URLSearchParams): Promise<SignInView | FormFault> {
  const given = (form.get('code') ?? '').replaceAll(/\s/g, '');
  if (given === '') return 'code-missing';
  if (!sameSecret(given, sandbox.directory.user(view.userId).code)) return 'code-wrong';
  return sandbox.signIns.completeMfa(view.id);
}

/** "Continue": at the other provider, past an interstitial, or past a prompt that ended or resolved elsewhere (A27, A40). */
async function goOn({ signIns }: Sandbox, { id, screen }: SignInView): Promise<SignInView> {
  if (screen === 'externalMfa') return signIns.completeMfa(id);
  return screen === 'termsOfUse' || screen === 'blocked' ? signIns.passInterstitial(id) : signIns.skip(id);
}

async function finishSetup(sandbox: Sandbox, view: SignInView, form: URLSearchParams): Promise<SignInView | FormFault> {
  if (view.method !== 'fido2' || view.screen === 'expired') return sandbox.signIns.completeSetup(view.id, null);
  const type = form.get('passkeyType') ?? '';
  const deviceId = (form.get('deviceId') ?? view.deviceId).trim();
  if (!isPasskeyType(type)) return 'passkey-type-unknown';
  if (deviceId === '' || deviceId.length > deviceIdCharactersMax) return 'device-missing';
  return sandbox.signIns.completeSetup(view.id, { type, deviceId });
}

/** As long as an id of facts may be. */
const deviceIdCharactersMax = 256;

function isPasskeyType(text: string): text is PasskeyType {
  return (passkeyTypes as readonly string[]).includes(text);
}

/** Compares in a time that depends on neither text: digests of equal length are compared. */
function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
