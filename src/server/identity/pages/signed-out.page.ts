import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** What the end of a sign-out is made of. */
export interface SignedOutPage {
  readonly tenant: PageTenant;
  /** Where a sign-in begins. */
  readonly beginning: string;
  /** Who is signed in all the same, by user name; `null` for nobody. */
  readonly stillSignedIn: string | null;
  /** The application that alone was signed out of; `null` without one. */
  readonly clientName: string | null;
}

/** The end of a sign-out that no application takes further. */
export function signedOutPage({ tenant, beginning, stillSignedIn, clientName }: SignedOutPage): string {
  const heading = headingOf(stillSignedIn, clientName);
  const again = html`<div class="actions"><a class="secondary" href="${beginning}">Sign in again</a></div>`;
  const still = clientName === null ? '' : html`<p>You are still signed in to everything else.</p>`;
  return layout({
    title: heading,
    name: 'signed-out',
    tenant,
    body: html`!${stillSignedIn === null ? '' : html`<p class="who">${stillSignedIn}</p>`}
<h1>${heading}</h1>
!${stillSignedIn === null ? '' : still}
<p>You can close this window.</p>
!${stillSignedIn === null ? again : ''}`,
  });
}

function headingOf(stillSignedIn: string | null, clientName: string | null): string {
  if (stillSignedIn === null) return 'You are signed out';
  return clientName === null ? 'You are still signed in' : `You are signed out of ${clientName}`;
}
