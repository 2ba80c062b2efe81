import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** What the question whether to sign out is made of. */
export interface SignOutPage {
  readonly tenant: PageTenant;
  readonly address: string;
  readonly formToken: string;
  /** Who is signed in; `null` when the user is gone. */
  readonly userPrincipalName: string | null;
  /** The application that asks; `null` when it did not say who it is. */
  readonly clientName: string | null;
}

/** Asks whether to sign out of everything, or of the application alone. */
export function signOutPage({ tenant, address, formToken, userPrincipalName, clientName }: SignOutPage): string {
  const who = userPrincipalName === null ? '' : html`<p class="who">${userPrincipalName}</p>`;
  const stay = clientName === null ? 'Stay signed in' : `Sign out of ${clientName} only`;
  return layout({
    title: 'Sign out',
    name: 'sign-out',
    tenant,
    body: html`!${who}
<h1>Do you want to sign out?</h1>
<p>${clientName === null ? 'An application' : clientName} asks to end your session.</p>
<form method="post" action="${address}">
<input type="hidden" name="xsrf" value="${formToken}">
<div class="actions">
<button class="primary" name="logout" value="yes">Sign out</button>
<button class="secondary">${stay}</button>
</div>
</form>`,
  });
}
