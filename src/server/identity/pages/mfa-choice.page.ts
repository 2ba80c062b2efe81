import { html } from 'ghtml';
import type { MfaMethod } from '../../../../machines/vocabulary.ts';
import { button, form, formMessage, type SignInPage, signInPage } from './sign-in-page.ts';

const labels: Readonly<Record<MfaMethod, string>> = {
  sms: 'A code by text message',
  voice: 'A code by voice call',
  'authenticator-totp': 'A code from the authenticator app',
  'authenticator-push': 'A request in the authenticator app',
  'hardware-totp': 'A code from a hardware token',
  passkey: 'A passkey',
};

/** The ways in which the user can give the second factor. */
export function mfaChoicePage(page: SignInPage): string {
  const { mfaMethods, mfaMethod } = page.view;
  return signInPage(page, {
    heading: 'Verify your identity',
    body: html`!${formMessage(page.fault === 'method-missing' ? 'Choose one of the methods in the list.' : null)}
!${form(
      page,
      html`<fieldset><legend>How do you want to verify?</legend>
!${mfaMethods.map((method) => choice(method, method === mfaMethod))}
</fieldset>
<div class="actions">!${button('use-method', 'Continue')}</div>`,
    )}`,
  });
}

function choice(method: MfaMethod, checked: boolean): string {
  return html`<label class="choice"><input type="radio" name="method" value="${method}"!${checked ? ' checked' : ''}> ${labels[method]}</label>
`;
}
