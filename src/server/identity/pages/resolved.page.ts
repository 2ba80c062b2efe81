import { html } from 'ghtml';
import { getMethodTexts } from './method-texts.ts';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** The user registered in another window while this prompt was open (A27, A43). */
export function resolvedPage(page: SignInPage): string {
  const { noun } = getMethodTexts(page.view.method);
  return signInPage(page, {
    heading: 'Nothing left to set up',
    body: html`<p>You have set up ${noun} in another window.</p>
!${form(page, html`<div class="actions">!${button('continue', 'Continue')}</div>`)}`,
  });
}
