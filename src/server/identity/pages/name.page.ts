import { html } from 'ghtml';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { pageNames } from '../../../sandbox/screen-names.ts';
import type { CeremonyOptions } from '../passkeys/ceremony-options.ts';
import { signalsMark } from '../passkeys/signals.ts';
import { layout, type PageTenant } from './layout.ts';
import { button, field, formMessage, titleOf } from './sign-in-page.ts';

/** What the first page is rendered from. */
export interface NamePage {
  readonly tenant: PageTenant;
  /** Where the form goes: where sign-ins begin, with what the address says of the attempt. */
  readonly action: string;
  /** The value of the field. */
  readonly name: string;
  /** What was wrong with the submitted form. */
  readonly fault: 'name-missing' | 'name-unknown' | 'passkey-refused' | null;
  /** The application that requested the sign-in; `null` when none did. */
  readonly clientName: string | null;
  /** The options of a sign-in with a passkey only. */
  readonly ceremony: CeremonyOptions;
  /** The signals to authenticators about a passkey that no user has; `null` without any. */
  readonly signals: SignalsJson | null;
}

const messages = { 'name-missing': 'name.missing', 'name-unknown': 'name.unknown' } as const;

/** Renders the first page, on which the user enters a name, or uses a passkey: by its button, or from the browser's suggestions. */
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
    title: titleOf(texts, heading, fault !== null),
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
