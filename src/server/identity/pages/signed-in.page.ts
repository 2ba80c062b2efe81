import { html } from 'ghtml';
import { type SignInPage, signInPage } from './sign-in-page.ts';

/** The end of a sign-in after a prompt; a skip that came too late is told so (A40). */
export function signedInPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'You are signed in',
    body: html`!${page.view.late ? lateNotice : ''}
<p>You can close this page, or <a href="${page.beginning}">sign in again</a>.</p>
<p>You can also look after <a href="${page.securityInfo}">your security information</a>.</p>`,
  });
}

const lateNotice =
  '<p class="notice" role="status">The prompt had ended before you skipped it, so this skip is not counted.</p>';
