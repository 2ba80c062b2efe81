import { html } from 'ghtml';
import type { SandboxUser } from '../../../contract/sandbox.schema.ts';
import type { TimedCode } from '../../../sandbox/codes.ts';
import type { SignInView } from '../../../sandbox/sign-in-view.ts';
import { layout, type PageTenant } from './layout.ts';
import { buttons, field, formatTitle } from './sign-in-page.ts';

/** Content of a user's simulated phone. */
export interface PhonePage {
  readonly tenant: PageTenant;
  /** URL for its forms and for reloading the page. */
  readonly address: string;
  readonly user: SandboxUser;
  /** Sign-ins with a pending push notification, newest first. */
  readonly requests: readonly SignInView[];
  /** Sign-ins to which a code was sent, newest first. */
  readonly messages: readonly SignInView[];
  readonly timedCode: TimedCode;
  /** Id of the sign-in whose number was wrong. `null` if none was wrong. */
  readonly wrongNumberOf: string | null;
}

/** Renders the phone of a test user with push notifications, authenticator codes, and text messages. */
export function phonePage(page: PhonePage): string {
  const { tenant, address, user, requests, messages, timedCode, wrongNumberOf } = page;
  const { texts } = tenant;
  const heading = texts.text('phone.heading', { displayName: user.displayName });
  const code = (content: string): string => html`<strong dir="ltr">!${content}</strong>`;
  const timed = (content: string): string =>
    html`<strong dir="ltr" data-timed-code="${timedCode.code}">!${content}</strong>`;
  const message = html`<li>!${texts.html('phone.message', { code: user.code }, { code })}</li>`;
  return layout({
    title: formatTitle(texts, heading, wrongNumberOf !== null),
    name: 'phone',
    tenant,
    body: html`<p class="who"><bdi>${user.userPrincipalName}</bdi></p>
<h1>${heading}</h1>
<h2>${texts.text('phone.notifications')}</h2>
!${requests.length === 0 ? html`<p>${texts.text('phone.no-notification')}</p>` : requests.map((request) => requestForm(page, request))}
<h2>${texts.text('phone.messages')}</h2>
!${messages.length === 0 ? html`<p>${texts.text('phone.no-message')}</p>` : html`<ul>!${messages.map(() => message)}</ul>`}
<h2>${texts.text('phone.app')}</h2>
<p>!${texts.html('phone.timed-code', { code: timedCode.code }, { code: timed })}</p>
<div class="actions"><a class="secondary" href="${address}" data-control="reload">${texts.text('phone.reload')}</a></div>`,
  });
}

function requestForm({ tenant: { texts }, address, wrongNumberOf }: PhonePage, { id }: SignInView): string {
  return html`<form method="post" action="${address}">
<input type="hidden" name="signIn" value="${id}">
!${field({
    name: 'number',
    control: 'number',
    id: `number-${id}`,
    label: texts.text('phone.number'),
    attributes: 'type="text" inputmode="numeric" autocomplete="off" maxlength="2"',
    message: wrongNumberOf === id ? texts.text('phone.number-wrong') : null,
  })}
!${buttons(
    { control: 'approve', label: texts.text('phone.approve') },
    { control: 'deny', label: texts.text('phone.deny'), weight: 'secondary' },
  )}
</form>
`;
}
