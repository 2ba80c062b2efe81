import { html } from 'ghtml';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** The prompt has ended (A25, A40). Who could have skipped it may go on; a required one leaves a new sign-in alone (A1). */
export function closedPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'This prompt has ended',
    body: page.view.mayGoOn
      ? html`<p>It was open for too long. You can go on without it.</p>
!${form(page, html`<div class="actions">!${button('continue', 'Continue')}</div>`)}`
      : html`<p>It was open for too long. Sign in again to set up the method.</p>
<div class="actions"><a class="primary" href="${page.beginning}">Sign in again</a></div>`,
  });
}
