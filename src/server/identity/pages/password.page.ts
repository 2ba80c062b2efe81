import { html } from 'ghtml';
import type { FormFault } from '../journey.ts';
import { button, field, form, messageFor, type SignInPage, signInPage } from './sign-in-page.ts';

const messages: Partial<Record<FormFault, string>> = {
  'password-missing': 'Enter the password.',
  'password-wrong': 'The password is not right.',
};

/** The first factor. The name stands in the form again, unseen, for password managers. */
export function passwordPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Enter your password',
    body: form(
      page,
      html`<input type="text" name="username" value="${page.userPrincipalName}" autocomplete="username" hidden>
!${field({
        name: 'password',
        label: 'Password',
        attributes: 'type="password" autocomplete="current-password" autofocus required',
        message: messageFor(page.fault, messages),
      })}
<div class="actions">!${button('password', 'Sign in')}</div>`,
    ),
  });
}
