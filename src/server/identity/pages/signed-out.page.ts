import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** The end of a sign-out that no application takes further. */
export function signedOutPage({
  tenant,
  beginning,
}: {
  readonly tenant: PageTenant;
  readonly beginning: string;
}): string {
  return layout({
    title: 'Signed out',
    name: 'signed-out',
    tenant,
    body: html`<h1>You are signed out</h1>
<p>You can close this window.</p>
<div class="actions"><a class="secondary" href="${beginning}">Sign in again</a></div>`,
  });
}
