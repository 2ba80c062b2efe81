import { html } from 'ghtml';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Stands for the second factor of another provider: an external one (R3), or a guest's home tenant (A21). */
export function externalMfaPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Verify with your other provider',
    body: html`<p>Your second factor is checked elsewhere. This page stands for that provider.</p>
!${form(page, html`<div class="actions">!${button('continue', 'Continue')}</div>`)}`,
  });
}
