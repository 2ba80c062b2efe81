import { html } from 'ghtml';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Terms of use, which appear in place of the nudge (R13.4). */
export function termsOfUsePage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Terms of use',
    body: html`<p>Your administrator asks you to accept the terms of use before you go on.</p>
!${form(page, html`<div class="actions">!${button('continue', 'Accept')}</div>`)}`,
  });
}
