import { html } from 'ghtml';
import type { MfaMethod } from '../../../../machines/vocabulary.ts';
import type { FormFault } from '../form-fault.ts';
import {
  button,
  ceremonyButton,
  field,
  form,
  formMessage,
  messageFor,
  passkeyForm,
  type SignInPage,
  signInPage,
} from './sign-in-page.ts';

const codeMessages: Partial<Record<FormFault, string>> = {
  'code-missing': 'Enter the code.',
  'code-wrong': 'The code is not right.',
  'too-many-guesses': 'Too many wrong codes. Try again in ten minutes of the sandbox’s clock.',
};

const pushMessages: Partial<Record<FormFault, string>> = {
  'push-waiting': 'The request has not been approved yet. Approve it in the app, then continue.',
  'push-denied': 'The request was denied. Send another one, or sign in another way.',
};

const leads: Readonly<Record<Exclude<MfaMethod, 'authenticator-push' | 'passkey'>, string>> = {
  sms: 'We sent a text message with a code to your phone.',
  voice: 'We called your phone and told you a code.',
  'authenticator-totp': 'Open the authenticator app and read the code that it shows.',
  'hardware-totp': 'Read the code from your hardware token.',
};

/** The second factor of the service itself (R1, R3), by the method of this sign-in. */
export function mfaPage(page: SignInPage): string {
  const method = page.view.mfaMethod ?? 'sms';
  if (method === 'authenticator-push') return pushPage(page);
  return method === 'passkey' ? passkeyPage(page) : codePage(page, method);
}

function codePage(page: SignInPage, method: keyof typeof leads): string {
  const sent = method === 'sms' || method === 'voice';
  return signInPage(page, {
    heading: 'Enter the code',
    body: html`<p>${leads[method]}</p>
!${form(
      page,
      html`!${field({
        name: 'code',
        label: 'Code',
        attributes: 'type="text" inputmode="numeric" autocomplete="one-time-code" autofocus required',
        message: messageFor(page.fault, codeMessages),
      })}
<div class="actions">!${button('code', 'Verify')}</div>`,
    )}
!${otherWays(page, sent ? [button('send-code', 'Send another code', 'secondary')] : [])}`,
  });
}

/** Number matching: the page shows a number, the phone asks for it. */
function pushPage(page: SignInPage): string {
  const { push } = page.view;
  return signInPage(page, {
    heading: 'Approve the sign-in request',
    body: html`<p>Open the authenticator app and enter this number to sign in.</p>
<p class="number" data-number="${push?.number ?? ''}">${push?.number ?? ''}</p>
!${phoneNote(page)}
!${formMessage(messageFor(page.fault, pushMessages))}
!${form(page, html`<div class="actions">!${button('check-push', 'Continue')}</div>`)}
!${otherWays(page, [button('send-push', 'Send another request', 'secondary')])}`,
  });
}

/** Where the simulated phone is: in a window of its own, so that this page stays. */
export function phoneNote({ phone }: SignInPage): string {
  return html`<p class="note">No phone is needed: <a href="${phone}" target="_blank" rel="noopener">open the simulated phone</a> in a new window.</p>`;
}

function passkeyPage(page: SignInPage): string {
  const refused = page.fault === 'passkey-refused' ? 'The passkey could not be verified.' : null;
  const testButton = page.hasTestPasskey
    ? html`<p class="note">No authenticator at hand? A test passkey of this account can stand for it.</p>
!${form(page, html`<div class="actions">!${button('test-passkey', 'Use the test passkey', 'secondary')}</div>`)}`
    : '';
  return signInPage(page, {
    heading: 'Use your passkey',
    body: html`<p>Your browser asks for your face, fingerprint, PIN or security key.</p>
!${formMessage(refused)}
!${passkeyForm(page, 'get', html`<div class="actions">!${ceremonyButton('passkey', 'Use passkey')}</div>`)}
!${testButton}
!${otherWays(page, [])}`,
  });
}

/** What else can be done about the second factor: send it anew, or use another method where the user has one. */
function otherWays(page: SignInPage, buttons: readonly string[]): string {
  const { mfaMethods, mfaMethod } = page.view;
  const others = mfaMethods.some((method) => method !== mfaMethod);
  const offered = [...buttons, ...(others ? [button('other-method', 'Sign in another way', 'secondary')] : [])];
  return offered.length === 0 ? '' : form(page, html`<div class="actions">!${offered}</div>`);
}
