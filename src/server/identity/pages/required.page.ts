import { html } from 'ghtml';
import { getMethodTexts } from './method-texts.ts';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** The nudge without a way out: the snoozes are used up (R6, A1). */
export function requiredPage(page: SignInPage): string {
  const { heading, noun, why } = getMethodTexts(page.view.method);
  return signInPage(page, {
    heading,
    prompts: true,
    body: html`<p>${why}</p>
<p class="notice">You have skipped this as often as you can. Setting up ${noun} is required to sign in.</p>
!${form(page, html`<div class="actions">!${button('next', 'Next')}</div>`)}`,
  });
}
