import { html } from 'ghtml';
import { promptedMethod } from './method-texts.ts';
import { buttons, form, passedPage, type SignInPage, signInPage } from './sign-in-page.ts';

/** Renders a prompt whose method the user has registered in another window (A27, A43). */
export function resolvedPage(page: SignInPage): string {
  const { own } = page.view;
  if (own === undefined) return passedPage(page, 'resolved.heading', `resolved.${promptedMethod(page.view.method)}`);
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text('resolved.heading'),
    body: html`<p>${texts.text('own.resolved', { method: own.method.label })}</p>
!${form(page, buttons({ control: 'continue', label: texts.text('action.continue') }))}`,
  });
}
