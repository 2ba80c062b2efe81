import { html } from 'ghtml';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** The user was made to register another method in this sign-in, so that nothing more is asked of him (R13.2). */
export function securityInfoPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Your security information is up to date',
    body: html`<p>Your organisation asked for another sign-in method, and you registered it in this sign-in.</p>
!${form(page, html`<div class="actions">!${button('continue', 'Continue')}</div>`)}`,
  });
}
