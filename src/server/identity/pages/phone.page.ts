import { html } from 'ghtml';
import type { SandboxUser } from '../../../contract/sandbox.schema.ts';
import type { TimedCode } from '../../../sandbox/codes.ts';
import type { SignInView } from '../../../sandbox/sign-in-view.ts';
import { layout, type PageTenant } from './layout.ts';
import { field } from './sign-in-page.ts';

/** What the simulated phone of a user shows. */
export interface PhonePage {
  readonly tenant: PageTenant;
  /** Where its forms go, and where it is loaded again. */
  readonly address: string;
  readonly user: SandboxUser;
  /** Sign-ins with a request that waits, the newest first. */
  readonly requests: readonly SignInView[];
  /** Sign-ins to which a code was sent, the newest first. */
  readonly messages: readonly SignInView[];
  readonly timedCode: TimedCode;
  /** The request whose number was wrong; `null` when none was. */
  readonly wrongNumberOf: string | null;
}

/** The phone of a test user: the requests of the authenticator app, its codes, and the messages that came in. */
export function phonePage(page: PhonePage): string {
  const { tenant, address, user, requests, messages, timedCode, wrongNumberOf } = page;
  const heading = `Phone of ${user.displayName}`;
  return layout({
    title: wrongNumberOf === null ? heading : `Error: ${heading}`,
    name: 'phone',
    tenant,
    body: html`<p class="who">${user.userPrincipalName}</p>
<h1>${heading}</h1>
<h2>Requests</h2>
!${requests.length === 0 ? '<p>No request waits.</p>' : requests.map((request) => requestForm(page, request))}
<h2>Messages</h2>
!${messages.length === 0 ? '<p>No message came in.</p>' : html`<ul>!${messages.map(() => html`<li>Your code is <strong>${user.code}</strong>.</li>`)}</ul>`}
<h2>Authenticator app</h2>
<p>One-time code: <strong data-timed-code="${timedCode.code}">${timedCode.code}</strong></p>
<div class="actions"><a class="secondary" href="${address}">Look again</a></div>`,
  });
}

function requestForm({ address, wrongNumberOf }: PhonePage, { id }: SignInView): string {
  return html`<form method="post" action="${address}">
<input type="hidden" name="signIn" value="${id}">
!${field({
    name: 'number',
    id: `number-${id}`,
    label: 'Number on the sign-in page',
    attributes: 'type="text" inputmode="numeric" autocomplete="off" maxlength="2"',
    message: wrongNumberOf === id ? 'That is not the number on the page.' : null,
  })}
<div class="actions"><button class="primary" name="action" value="approve">Approve</button><button class="secondary" name="action" value="deny">Deny</button></div>
</form>
`;
}
