import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** Renders the landing page of a server, with a description and links. */
export function landingPage(tenant: PageTenant, beginning: string, tryIt: string, lookupTokens: string): string {
  return layout({
    title: 'Simulator of registration campaigns',
    name: 'landing',
    tenant,
    body: html`<h1>Simulator of registration campaigns</h1>
<p>This server simulates the prompt that asks a user, after multifactor sign-in, to set up a stronger method.</p>
<ul>
<li><a href="/_console/s/${tenant.sandboxId}/overview">Console</a>, to look at the sandbox and to change it.</li>
<li><a href="${beginning}">Sign in</a> as a user of this sandbox.</li>
<li><a href="${tryIt}">Try a sign-in</a> from another device, network or provider.</li>
<li><a href="${lookupTokens}">Tokens of the lookup API</a>, which its accounts issue and revoke.</li>
<li><a href="/_control/v1/health">Health of the control API</a>, which makes sandboxes, sets clocks and explains verdicts.</li>
</ul>`,
  });
}
