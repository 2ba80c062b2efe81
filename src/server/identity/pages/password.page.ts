import { html } from 'ghtml';
import type { FormFault } from '../journey.ts';
import { button, field, form, type SignInPage, signInPage } from './sign-in-page.ts';

const messages: Partial<Record<FormFault, string>> = {
  'password-missing': 'Enter the password.',
  'password-wrong': 'The password is not right.',
};

/** The first factor. */
export function passwordPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Enter your password',
    body: form(
      page,
      html`!${field({
        name: 'password',
        label: 'Password',
        attributes: 'type="password" autocomplete="current-password" autofocus required',
        message: messages[page.fault ?? 'code-wrong'] ?? null,
      })}
<div class="actions">!${button('password', 'Sign in')}</div>`,
    ),
  });
}
