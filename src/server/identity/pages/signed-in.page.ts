import { html } from 'ghtml';
import { type SignInPage, signInPage } from './sign-in-page.ts';

/** Renders the end of a sign-in, with or without a prompt. A notice reports that a late skip did not count (A40). */
export function signedInPage(page: SignInPage): string {
  const { beginning, securityInfo, view } = page;
  const { texts } = page.tenant;
  const again = (content: string): string => html`<a href="${beginning}" data-control="sign-in-again">!${content}</a>`;
  const own = (content: string): string =>
    html`<a href="${securityInfo}" data-control="open-security-info">!${content}</a>`;
  return signInPage(page, {
    heading: texts.text('signed-in.heading'),
    body: html`!${view.late ? html`<p class="notice" role="status">${texts.text('signed-in.late')}</p>` : ''}
<p>!${texts.html('signed-in.close', {}, { link: again })}</p>
<p>!${texts.html('signed-in.security-info', {}, { link: own })}</p>`,
  });
}
