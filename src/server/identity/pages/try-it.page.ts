import { html } from 'ghtml';
import { browsers, mfaMethods, mfaProviders, operatingSystems, surfaces } from '../../../../machines/vocabulary.ts';
import { noneWord } from '../attempt-query.ts';
import { layout, type PageTenant } from './layout.ts';

/** Input of the try-it page. */
export interface TryItPage {
  readonly tenant: PageTenant;
  /** URL where sign-ins start, to which the form adds its parameters. */
  readonly beginning: string;
  /** First usernames, offered as suggestions. */
  readonly userNames: readonly string[];
  /** Named locations of the tenant. If empty, the form has no network field. */
  readonly networks: readonly string[];
}

/** Renders a form that creates a sign-in URL from a user and a sign-in context. Submitting it only opens that URL. */
export function tryItPage({ tenant, beginning, userNames, networks }: TryItPage): string {
  return layout({
    title: 'Try a sign-in',
    name: 'try-it',
    tenant,
    body: html`<h1>Try a sign-in</h1>
<p>Choose who signs in, and from where. What you leave open is taken from your browser, from the settings of the tenant, or
from the defaults. The address that you are sent to can be kept and used again.</p>
<form method="get" action="${beginning}">
<label for="user">Username</label>
<input id="user" name="user" type="text" list="user-names" autocomplete="off" autocapitalize="none" spellcheck="false">
<datalist id="user-names">!${userNames.map((name) => html`<option value="${name}"></option>`).join('')}</datalist>
!${choice('os', 'Operating system', operatingSystems)}
!${choice('browser', 'Browser', [...browsers, noneWord])}
!${choice('surface', 'Surface', surfaces)}
<label for="deviceId">Device</label>
<input id="deviceId" name="deviceId" type="text" maxlength="256" placeholder="device-1" autocomplete="off" spellcheck="false">
!${networks.length === 0 ? '' : choice('network', 'Network', networks)}
!${choice('mfaMethod', 'Second factor', [...mfaMethods, noneWord])}
!${choice('mfaProvider', 'Second factor verified by', mfaProviders)}
!${answer('mfaCompleted', 'Second factor completed')}
!${answer('sso', 'Already signed in through single sign-on')}
!${answer('registeredThisSession', 'Another method registered in this session')}
!${answer('registrationBlocked', 'Registration blocked for the user everywhere')}
!${answer('conditionMet', 'Registration conditions met in this context')}
!${answer('termsOfUse', 'Terms of use shown')}
!${answer('customControls', 'Redirected to custom controls')}
<div class="actions"><button class="primary">Go to the sign-in</button></div>
</form>`,
  });
}

/** Renders an optional select field. */
function choice(name: string, label: string, words: readonly string[]): string {
  const options = words.map((word) => html`<option value="${word}">${word}</option>`).join('');
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">Not set</option>!${options}</select>`;
}

function answer(name: string, label: string): string {
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">Not set</option><option value="true">yes</option><option value="false">no</option></select>`;
}
