import { html } from 'ghtml';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { pageNames } from '../../../sandbox/screen-names.ts';
import type { CeremonyOptions } from '../passkeys/ceremony-options.ts';
import { signalsMark } from '../passkeys/signals.ts';
import { layout, type PageTenant } from './layout.ts';
import { button, field, formatTitle, formMessage } from './sign-in-page.ts';

/** Input of the first page. */
export interface NamePage {
  readonly tenant: PageTenant;
  /** URL to which the form is submitted, including the attempt facts of the page's own URL. */
  readonly action: string;
  /** Value of the username field. */
  readonly name: string;
  /** Error in the submitted form. `null` if there is none. */
  readonly fault: 'name-missing' | 'name-unknown' | 'passkey-refused' | null;
  /** Application that requested the sign-in. `null` if the sign-in belongs to no application. */
  readonly clientName: string | null;
  /** Options for a sign-in with only a passkey. */
  readonly ceremony: CeremonyOptions;
  /** Signals to authenticators about a passkey that no user has. `null` if there are none. */
  readonly signals: SignalsJson | null;
}

const messages = { 'name-missing': 'name.missing', 'name-unknown': 'name.unknown' } as const;

/** Renders the first page, on which the user enters a username or uses a passkey from its button or from autofill. */
export function namePage({ tenant, action, name, fault, clientName, ceremony, signals }: NamePage): string {
  const { texts } = tenant;
  const heading = texts.text('name.heading');
  const strong = (content: string): string => html`<strong>!${content}</strong>`;
  const isRejected = fault === 'passkey-refused';
  const application =
    clientName === null
      ? ''
      : html`<p>!${texts.html('name.application', { application: clientName }, { name: strong })}</p>`;
  return layout({
    title: formatTitle(texts, heading, fault !== null),
    name: pageNames.name,
    marks: signalsMark(signals),
    tenant,
    script: true,
    body: html`<h1>${heading}</h1>
!${application}
<form method="post" action="${action}">
!${field({
      name: 'username',
      control: 'username',
      label: texts.text('name.label'),
      attributes: html`type="text" value="${name}" placeholder="someone@example.test" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" autofocus required`,
      message: fault === null || isRejected ? null : texts.text(messages[fault]),
    })}
<div class="actions"><button class="primary" data-control="next">${texts.text('action.next')}</button></div>
</form>
!${formMessage(isRejected ? texts.text('name.passkey-rejected') : null)}
<form method="post" action="${action}" data-ceremony="get" data-autofill data-options="${JSON.stringify(ceremony)}">
<input type="hidden" name="credential" value="">
<p class="fault" role="alert" data-message="${texts.text('passkey.unused')}"></p>
<div class="actions">!${button({ control: 'passkey', label: texts.text('name.passkey'), weight: 'secondary', starts: true })}</div>
</form>`,
  });
}
