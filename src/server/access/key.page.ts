import { html } from 'ghtml';
import { unknownTenant } from '../identity/page-errors.ts';
import { layout } from '../identity/pages/layout.ts';
import { field } from '../identity/pages/sign-in-page.ts';

/** Problems of a submitted key. */
export type KeyFault = 'key-missing' | 'key-wrong' | 'too-many-guesses';

const messages: Readonly<Record<KeyFault, string>> = {
  'key-missing': 'Enter the control key.',
  'key-wrong': 'The control key is incorrect.',
  'too-many-guesses': 'Too many failed attempts. Wait a minute, then try again.',
};

/** Input of the console's sign-in page. */
export interface KeyPage {
  /** URL to which the form is submitted. */
  readonly address: string;
  readonly formToken: string;
  /** URL to which the browser is redirected afterwards. */
  readonly next: string;
  readonly fault: KeyFault | null;
}

/** Renders the sign-in page for the control key. Users whose session ended are also redirected to it. */
export function keyPage({ address, formToken, next, fault }: KeyPage): string {
  const heading = 'Sign in to the console';
  return layout({
    title: fault === null ? heading : `Error: ${heading}`,
    name: 'console-sign-in',
    part: 'console',
    tenant: unknownTenant,
    body: html`<h1>${heading}</h1>
<p>Enter the control key that this server was started with.</p>
<form method="post" action="${address}">
<input type="hidden" name="formToken" value="${formToken}">
<input type="hidden" name="next" value="${next}">
<input type="text" name="username" value="console" autocomplete="username" hidden>
!${field({
      name: 'key',
      label: 'Access key',
      attributes: 'type="password" autocomplete="current-password" autofocus required',
      message: fault === null ? null : messages[fault],
    })}
<div class="actions"><button class="primary">Sign in</button></div>
</form>`,
  });
}

/** Renders the sign-out page of the console. */
export function leavePage(address: string, formToken: string, consoleAddress: string): string {
  return layout({
    title: 'Sign out',
    name: 'console-sign-out',
    part: 'console',
    tenant: unknownTenant,
    body: html`<h1>Sign out of the console?</h1>
<p>To sign in again, you need the control key.</p>
<form method="post" action="${address}">
<input type="hidden" name="formToken" value="${formToken}">
<div class="actions">
<button class="primary">Sign out</button>
<a class="secondary" href="${consoleAddress}">Stay signed in</a>
</div>
</form>`,
  });
}
