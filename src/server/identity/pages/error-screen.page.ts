import { html } from 'ghtml';
import { promptedMethod } from './method-texts.ts';
import { buttons, form, type SignInPage, signInPage } from './sign-in-page.ts';

/**
 * Renders the error screen of a failed setup. Skipping it completes the sign-in and does not count (R11.8, A12, A13,
 * A45).
 */
export function errorScreenPage(page: SignInPage): string {
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text('error-screen.heading'),
    prompts: true,
    body: html`<p class="notice">${texts.text(`error-screen.${promptedMethod(page.view.method)}`)}</p>
!${form(
      page,
      buttons(
        { control: 'next', label: texts.text('error-screen.retry') },
        { control: 'skip-error', label: texts.text('error-screen.skip'), weight: 'secondary' },
      ),
    )}`,
  });
}
