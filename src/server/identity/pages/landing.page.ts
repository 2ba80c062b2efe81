import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** Renders the landing page of a server, with a description and links. */
export function landingPage(tenant: PageTenant, beginning: string, tryIt: string, lookupTokens: string): string {
  return layout({
    title: 'Registration campaign simulator',
    name: 'landing',
    tenant,
    body: html`<h1>Registration campaign simulator</h1>
<p>This server simulates the prompt that asks users to set up a stronger method after signing in with MFA.</p>
<ul>
<li><a href="/_console/s/${tenant.sandboxId}/overview">Console</a>: inspect and change the sandbox.</li>
<li><a href="${beginning}">Sign in</a> as a user of this sandbox.</li>
<li><a href="${tryIt}">Try a sign-in</a> from another device, network or provider.</li>
<li><a href="${lookupTokens}">Lookup API tokens</a>: issue and revoke tokens of lookup accounts.</li>
<li><a href="/_control/v1/health">Control API health check</a>. The control API creates sandboxes, sets clocks and explains verdicts.</li>
</ul>`,
  });
}
