import { html } from 'ghtml';
import { getMethodTexts } from './method-texts.ts';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** The nudge that can be put off (R5, R6). */
export function promptPage(page: SignInPage): string {
  const { heading, why } = getMethodTexts(page.view.method);
  return signInPage(page, {
    heading,
    prompts: true,
    body: html`<p>${why} Your administrator asks you to set it up; it takes a minute.</p>
!${form(page, html`<div class="actions">!${button('next', 'Next')}!${button('skip', 'Skip for now', 'secondary')}</div>`)}
!${skipsLeft(page.view.snoozesLeft)}`,
  });
}

/** How often the prompt can still be put off; nothing where there is no limit. */
function skipsLeft(snoozesLeft: number | null): string {
  if (snoozesLeft === null) return '';
  if (snoozesLeft === 0) return '<p class="note">Your skips are used up.</p>';
  const times = snoozesLeft === 1 ? 'once more' : `${snoozesLeft} more times`;
  return html`<p class="note">You can skip this ${times}. After that it is required.</p>`;
}
