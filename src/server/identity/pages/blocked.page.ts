import { html } from 'ghtml';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Conditional access blocks the page that registers security information, so nobody is asked to (R13.3). */
export function blockedPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'You cannot register a method here',
    body: html`<p>A policy of your administrator blocks the registration of sign-in methods. You can still sign in.</p>
!${form(page, html`<div class="actions">!${button('continue', 'Continue')}</div>`)}`,
  });
}
