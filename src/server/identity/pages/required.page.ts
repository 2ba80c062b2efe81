import { html } from 'ghtml';
import { promptedMethod } from './method-texts.ts';
import { buttons, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Renders the required prompt without a skip button, because no snoozes are left (R6, A1). */
export function requiredPage(page: SignInPage): string {
  const { texts } = page.tenant;
  const method = promptedMethod(page.view.method);
  return signInPage(page, {
    heading: texts.text(`method.${method}.heading`),
    prompts: true,
    body: html`<p>${texts.text(`method.${method}.why`)}</p>
<p class="notice">${texts.text(`required.${method}`)}</p>
!${form(page, buttons({ control: 'next', label: texts.text('action.next') }))}`,
  });
}
