import { html } from 'ghtml';
import { passedPage, type SignInPage, signInPage } from './sign-in-page.ts';

/**
 * Renders an expired prompt (A25, A40). An optional prompt can be left, but a required one needs another sign-in (A1).
 */
export function closedPage(page: SignInPage): string {
  if (page.view.canContinue) return passedPage(page, 'closed.heading', 'closed.optional');
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text('closed.heading'),
    body: html`<p>${texts.text('closed.required')}</p>
<div class="actions"><a class="primary" href="${page.beginning}" data-control="sign-in-again">${texts.text('action.sign-in-again')}</a></div>`,
  });
}
