import { html } from 'ghtml';
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

const messages: Partial<Record<FormFault, string>> = {
  'password-missing': 'Enter the password.',
  'password-wrong': 'The password is not right.',
  'too-many-guesses': 'Too many wrong passwords. Try again in ten minutes of the sandbox’s clock.',
};

/** The first factor, or a passkey in place of both. The name stands in the form again, unseen, for password managers. */
export function passwordPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Enter your password',
    body: html`!${form(
      page,
      html`<input type="text" name="username" value="${page.userPrincipalName}" autocomplete="username" hidden>
!${field({
        name: 'password',
        label: 'Password',
        attributes: 'type="password" autocomplete="current-password" autofocus required',
        message: messageFor(page.fault, messages),
      })}
<div class="actions">!${button('password', 'Sign in')}</div>`,
    )}
!${page.ceremony === null ? '' : insteadOfPassword(page)}`,
  });
}

function insteadOfPassword(page: SignInPage): string {
  const refused = page.fault === 'passkey-refused' ? 'The passkey could not be verified.' : null;
  const ways = html`<div class="actions">!${ceremonyButton('passkey', 'Use a passkey instead', 'secondary')}</div>`;
  return html`!${formMessage(refused)}!${passkeyForm(page, 'get', ways)}`;
}
