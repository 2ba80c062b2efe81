import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** Input of the signed-out page. */
export interface SignedOutPage {
  readonly tenant: PageTenant;
  /** URL where a sign-in starts. */
  readonly beginning: string;
  /** Username of the user who is still signed in. `null` if no user is. */
  readonly stillSignedIn: string | null;
  /** Application from which the user signed out, while other sessions continue. `null` if there is none. */
  readonly clientName: string | null;
}

/** Renders the end of a sign-out that does not return to an application. */
export function signedOutPage({ tenant, beginning, stillSignedIn, clientName }: SignedOutPage): string {
  const { texts } = tenant;
  const heading = getHeading(tenant, stillSignedIn, clientName);
  const again = html`<div class="actions"><a class="secondary" href="${beginning}" data-control="sign-in-again">${texts.text('action.sign-in-again')}</a></div>`;
  const elsewhere = clientName === null ? '' : html`<p>${texts.text('signed-out.elsewhere')}</p>`;
  return layout({
    title: heading,
    name: 'signed-out',
    tenant,
    body: html`!${stillSignedIn === null ? '' : html`<p class="who"><bdi>${stillSignedIn}</bdi></p>`}
<h1>${heading}</h1>
!${stillSignedIn === null ? '' : elsewhere}
<p>${texts.text('signed-out.close')}</p>
!${stillSignedIn === null ? again : ''}`,
  });
}

function getHeading({ texts }: PageTenant, stillSignedIn: string | null, clientName: string | null): string {
  if (stillSignedIn === null) return texts.text('signed-out.everything');
  if (clientName === null) return texts.text('signed-out.nothing');
  return texts.text('signed-out.application', { application: clientName });
}
