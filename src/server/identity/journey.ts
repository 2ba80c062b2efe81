import { setupScreens } from '../../../machines/sign-in.machine.ts';
import { findAnswerId } from '../../contract/page-controls.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import { type FormFault, faultStatus } from './form-fault.ts';
import { givePassword, mfaActions } from './mfa-actions.ts';
import { setupActions } from './setup-actions.ts';
import type { Action, SentForm } from './submitted-form.ts';

/** Result of a form: the current sign-in and the status of the page that shows it. */
export interface JourneyAnswer {
  readonly status: number;
  readonly view: SignInView;
  readonly fault: FormFault | null;
  /** Number of seconds on the virtual clock until the form can be sent again. Absent if there is no wait. */
  readonly waitSeconds?: number;
}

/** Form actions of the sign-in pages by the value of `action`. */
const actions: Readonly<Record<string, Action>> = {
  password: { at: ['password'], act: givePassword },
  ...mfaActions,
  ...setupActions,
  continue: {
    at: ['externalMfa', 'securityInfo', 'termsOfUse', 'customControls', 'blocked', 'expired', 'resolved'],
    act: goOn,
  },
  next: {
    at: ['prompt', 'required', 'setupTest', 'setupName', 'errorScreen', 'expired', 'resolved'],
    act: ({ sandbox, view }) => sandbox.signIns.selectNext(view.id),
  },
  skip: {
    at: ['prompt', 'required', ...setupScreens, 'expired', 'resolved'],
    act: ({ sandbox, view }) => sandbox.signIns.skip(view.id),
  },
  fail: {
    at: [...setupScreens, 'expired'],
    act: ({ sandbox, view }) => sandbox.signIns.failSetup(view.id),
  },
  'skip-error': {
    at: ['errorScreen', 'expired', 'resolved'],
    act: ({ sandbox, view }) => sandbox.signIns.skipError(view.id),
  },
};

/** Returns the action of a form: one of the pages, or an answer of an own campaign by its id (OC45). */
function findAction(name: string): Action | undefined {
  const answer = findAnswerId(name);
  if (answer === null) return Object.hasOwn(actions, name) ? actions[name] : undefined;
  const act = ({ sandbox, view }: SentForm) => sandbox.signIns.skip(view.id, answer);
  return { at: ['prompt', 'required', ...setupScreens, 'expired', 'resolved'], act };
}

/** Errors that the sign-in page itself explains: a prompt that is required or has expired. */
const explainedByPage: readonly string[] = ['skip-not-allowed', 'prompt-expired'];

/**
 * Executes the action of a form in a running sign-in. A form that was already processed changes nothing (A26).
 *
 * @throws NudgeLabError `bad-request` for an unknown action, or the error of the store
 */
export async function takeForm(form: SentForm): Promise<JourneyAnswer> {
  const { sandbox, view, fields } = form;
  const name = fields.get('action') ?? '';
  const action = findAction(name);
  if (action === undefined)
    throw new NudgeLabError('bad-request', { message: 'This action does not exist on any page.' });
  if (!action.at.includes(view.screen)) return { status: 200, view: await showAgain(sandbox, view.id), fault: null };
  try {
    const result = await action.act(form);
    if (typeof result === 'object' && 'waitSeconds' in result) {
      const view = await showAgain(sandbox, form.view.id);
      return { status: faultStatus['too-many-guesses'], view, fault: 'too-many-guesses', ...result };
    }
    if (typeof result !== 'string') return { status: 200, view: result, fault: null };
    return { status: faultStatus[result], view: await showAgain(sandbox, view.id), fault: result };
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    // Another form of the same page was processed while this one was verified.
    if (error.code === 'unexpected-screen')
      return { status: 200, view: await showAgain(sandbox, view.id), fault: null };
    const fault = findFault(error, view);
    if (fault !== null) return { status: faultStatus[fault], view: await showAgain(sandbox, view.id), fault };
    if (!explainedByPage.includes(error.code)) throw error;
    return { status: error.status, view: await showAgain(sandbox, view.id), fault: null };
  }
}

/** Returns the page message for a second factor that an injected fault rejected. `null` for all other errors. */
function findFault({ code }: NudgeLabError, { mfaMethod }: SignInView): FormFault | null {
  const isPush = mfaMethod === 'authenticator-push';
  if (code === 'second-factor-rejected') return isPush ? 'push-denied' : 'code-wrong';
  return code === 'second-factor-pending' ? 'push-waiting' : null;
}

/** Returns the current screen of a sign-in when its page is reloaded. Reloading withdraws an unload beacon (A41). */
export async function showAgain(sandbox: Sandbox, signInId: string): Promise<SignInView> {
  const view = await sandbox.signIns.comeBack(signInId);
  const pending = sandbox.settled();
  if (pending !== null) await pending;
  return view;
}

/** Continues after an external provider, an interstitial page, or a prompt that expired or was resolved (A27, A40). */
async function goOn({ sandbox: { signIns }, view: { id, screen } }: SentForm): Promise<SignInView> {
  if (screen === 'externalMfa') return signIns.completeMfa(id);
  return screen === 'expired' || screen === 'resolved' ? signIns.skip(id) : signIns.passInterstitial(id);
}
