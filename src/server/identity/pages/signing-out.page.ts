import { html } from 'ghtml';
import { signedOutScriptPath } from '../../oidc/signed-out-script.ts';
import { layout, type PageTenant } from './layout.ts';

/** Input of the page that notifies applications of a sign-out. */
export interface SigningOutPage {
  readonly tenant: PageTenant;
  /** URLs of the applications, each loaded in a hidden frame. */
  readonly frames: readonly string[];
  /** URL that follows. */
  readonly next: string;
}

/** Renders the page that loads the sign-out pages of applications in hidden frames, and then leads on. */
export function signingOutPage({ tenant, frames, next }: SigningOutPage): string {
  const { texts } = tenant;
  const hidden = frames.map((frame) => html`<iframe src="${frame}" hidden title="" aria-hidden="true"></iframe>`);
  return layout({
    title: texts.text('signing-out.heading'),
    name: 'signing-out',
    tenant,
    body: html`<h1>${texts.text('signing-out.heading')}</h1>
<p>${texts.text('signing-out.lead')}</p>
<div class="actions"><a class="primary" href="${next}" data-control="continue">${texts.text('action.continue')}</a></div>
<script src="${signedOutScriptPath}"></script>
!${hidden.join('\n')}`,
  });
}
