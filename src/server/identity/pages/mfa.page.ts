import { html } from 'ghtml';
import type { MfaMethod } from '../../../../machines/vocabulary.ts';
import type { FormFault } from '../journey.ts';
import { button, field, form, messageFor, type SignInPage, signInPage } from './sign-in-page.ts';

const messages: Partial<Record<FormFault, string>> = {
  'code-missing': 'Enter the code.',
  'code-wrong': 'The code is not right.',
};

const leads: Readonly<Record<MfaMethod, string>> = {
  sms: 'We sent a text message with a code to your phone.',
  voice: 'We called your phone and told you a code.',
  'authenticator-totp': 'Open the authenticator app and read the code that it shows.',
  'authenticator-push': 'Approve the request in the authenticator app, which then shows a code.',
  'hardware-totp': 'Read the code from your hardware token.',
  passkey: 'Use your passkey. In this simulator your test code stands for it.',
};

/** The second factor of the service itself, by code whatever the method (R1, R3). */
export function mfaPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Enter the code',
    body: html`<p>${leads[page.view.mfaMethod ?? 'sms']}</p>
!${form(
      page,
      html`!${field({
        name: 'code',
        label: 'Code',
        attributes: 'type="text" inputmode="numeric" autocomplete="one-time-code" autofocus required',
        message: messageFor(page.fault, messages),
      })}
<div class="actions">!${button('code', 'Verify')}</div>`,
    )}`,
  });
}
