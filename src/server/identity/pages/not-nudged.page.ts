import { html } from 'ghtml';
import { type SignInPage, signInPage } from './sign-in-page.ts';

/** The end of a sign-in without a prompt. */
export function notNudgedPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'You are signed in',
    body: html`<p>You can close this page, or <a href="${page.beginning}">sign in again</a>.</p>
<p>You can also look after <a href="${page.securityInfo}">your security information</a>.</p>`,
  });
}
