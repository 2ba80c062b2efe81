import { html } from 'ghtml';
import { getMethodTexts } from './method-texts.ts';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Set-up failed; its skip signs in and counts nothing (R11.8, A12, A13, A45). */
export function errorScreenPage(page: SignInPage): string {
  const { noun } = getMethodTexts(page.view.method);
  return signInPage(page, {
    heading: 'That did not work',
    prompts: true,
    body: html`<p class="notice">We could not set up ${noun}. You can try again, or skip it this time; this skip is not counted.</p>
!${form(
      page,
      html`<div class="actions">!${button('next', 'Try again')}!${button('skip-error', 'Skip', 'secondary')}</div>`,
    )}`,
  });
}
