import { html } from 'ghtml';
import type { FormFault } from '../form-fault.ts';
import type { TextKey } from '../texts/english.ts';
import {
  buttons,
  field,
  form,
  formMessage,
  messageFor,
  passkeyForm,
  type SignInPage,
  signInPage,
} from './sign-in-page.ts';

const messages: Partial<Record<FormFault, TextKey>> = {
  'password-missing': 'password.missing',
  'password-wrong': 'password.wrong',
  'too-many-guesses': 'password.throttled',
};

/** Renders the password page, which also accepts a passkey. A hidden username field supports password managers. */
export function passwordPage(page: SignInPage): string {
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text('password.heading'),
    body: html`!${form(
      page,
      html`<input type="text" name="username" value="${page.userPrincipalName}" autocomplete="username" hidden>
!${field({
        name: 'password',
        control: 'password',
        label: texts.text('password.label'),
        attributes: 'type="password" autocomplete="current-password" autofocus required',
        message: messageFor(page, messages),
      })}
!${buttons({ control: 'submit-password', action: 'password', label: texts.text('action.sign-in') })}`,
    )}
!${page.ceremony === null ? '' : passkeyInstead(page)}`,
  });
}

function passkeyInstead(page: SignInPage): string {
  const label = page.tenant.texts.text('password.passkey');
  const start = buttons({ control: 'passkey', label, weight: 'secondary', starts: true });
  return html`!${formMessage(messageFor(page, { 'passkey-refused': 'passkey.rejected' }))}!${passkeyForm(page, 'get', start)}`;
}
