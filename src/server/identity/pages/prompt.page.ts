import { html } from 'ghtml';
import { promptedMethod } from './method-texts.ts';
import { buttons, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Renders the prompt that the user can skip (R5, R6). */
export function promptPage(page: SignInPage): string {
  const { snoozesLeft } = page.view;
  const { texts } = page.tenant;
  const method = promptedMethod(page.view.method);
  const why = texts.text(`method.${method}.why`);
  return signInPage(page, {
    heading: texts.text(`method.${method}.heading`),
    prompts: true,
    body: html`<p>${texts.text('prompt.lead', { why })}</p>
!${form(
      page,
      buttons(
        { control: 'next', label: texts.text('action.next') },
        { control: 'skip', label: texts.text('prompt.skip'), weight: 'secondary' },
      ),
    )}
!${snoozesLeft === null ? '' : html`<p class="note">${texts.text('prompt.snoozes-left', { count: snoozesLeft })}</p>`}`,
  });
}
