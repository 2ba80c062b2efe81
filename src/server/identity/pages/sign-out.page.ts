import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** Input of the sign-out page. */
export interface SignOutPage {
  readonly tenant: PageTenant;
  readonly address: string;
  readonly formToken: string;
  /** Username of the signed-in user. `null` if the user no longer exists. */
  readonly userPrincipalName: string | null;
  /** Application that requests the sign-out. `null` if it did not identify itself. */
  readonly clientName: string | null;
}

/** Renders the page that offers to sign out of everything or only of the application. */
export function signOutPage({ tenant, address, formToken, userPrincipalName, clientName }: SignOutPage): string {
  const { texts } = tenant;
  const who = userPrincipalName === null ? '' : html`<p class="who"><bdi>${userPrincipalName}</bdi></p>`;
  const application = clientName === null ? {} : { application: clientName };
  return layout({
    title: texts.text('sign-out.title'),
    name: 'sign-out',
    tenant,
    body: html`!${who}
<h1>${texts.text('sign-out.heading')}</h1>
<p>${texts.text(clientName === null ? 'sign-out.any-application' : 'sign-out.application', application)}</p>
<form method="post" action="${address}">
<input type="hidden" name="xsrf" value="${formToken}">
<div class="actions">
<button class="primary" name="logout" value="yes" data-control="sign-out">${texts.text('sign-out.everything')}</button>
<button class="secondary" data-control="keep-session">${texts.text(clientName === null ? 'sign-out.stay' : 'sign-out.only', application)}</button>
</div>
</form>`,
  });
}
