import { html } from 'ghtml';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { pageNames } from '../../../sandbox/screen-names.ts';
import type { CeremonyOptions } from '../passkeys/ceremony-options.ts';
import { signalsMark } from '../passkeys/signals.ts';
import { layout, type PageTenant } from './layout.ts';
import { field, formMessage } from './sign-in-page.ts';

/** What the first page is rendered from. */
export interface NamePage {
  readonly tenant: PageTenant;
  /** Where the form goes: where sign-ins begin, with what the address says of the attempt. */
  readonly action: string;
  /** What stands in the field already. */
  readonly name: string;
  /** What was wrong with the form that this page answers. */
  readonly fault: 'name-missing' | 'name-unknown' | 'passkey-refused' | null;
  /** The application that asked for the sign-in; `null` when none did. */
  readonly clientName: string | null;
  /** What the browser is asked for when the user signs in with a passkey alone. */
  readonly ceremony: CeremonyOptions;
  /** What the page tells authenticators about a passkey that nobody has; `null` where there is nothing to tell. */
  readonly signals: SignalsJson | null;
}

const messages = {
  'name-missing': 'Enter a user name.',
  'name-unknown': 'No user has this name.',
  'passkey-refused': null,
} as const;

/** The first page: who signs in. A passkey can say it too, from a button or from among the names that the browser offers. */
export function namePage({ tenant, action, name, fault, clientName, ceremony, signals }: NamePage): string {
  return layout({
    title: fault === null ? 'Sign in' : 'Error: Sign in',
    name: pageNames.name,
    marks: signalsMark(signals),
    tenant,
    script: true,
    body: html`<h1>Sign in</h1>
!${clientName === null ? '' : html`<p>to go on to <strong>${clientName}</strong></p>`}
<form method="post" action="${action}">
!${field({
      name: 'username',
      label: 'User name',
      attributes: html`type="text" value="${name}" placeholder="someone@example.test" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" autofocus required`,
      message: fault === null ? null : messages[fault],
    })}
<div class="actions"><button class="primary">Next</button></div>
</form>
!${formMessage(fault === 'passkey-refused' ? 'No user of this sandbox has this passkey, or it could not be verified.' : null)}
<form method="post" action="${action}" data-ceremony="get" data-autofill data-options="${JSON.stringify(ceremony)}">
<input type="hidden" name="credential" value="">
<p class="fault" role="alert" data-message></p>
<div class="actions"><button class="secondary" name="action" value="passkey" data-starts>Sign in with a passkey</button></div>
</form>`,
  });
}
