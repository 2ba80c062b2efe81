import { html } from 'ghtml';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Conditional access sends the user to a control of another maker and back (R13.5). */
export function customControlsPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'One more check elsewhere',
    body: html`<p>A policy of your administrator sends you to another service before you go on. This page stands for that service.</p>
!${form(page, html`<div class="actions">!${button('continue', 'Continue')}</div>`)}`,
  });
}
