import { html } from 'ghtml';
import { passkeyTypes, type RegisteredMethod, registeredMethods } from '../../../../machines/vocabulary.ts';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { passkeyNameCharactersMax } from '../../../contract/credential.schema.ts';
import type { SandboxUser } from '../../../contract/sandbox.schema.ts';
import type { HeldPasskey } from '../../../sandbox/passkeys.ts';
import type { CeremonyOptions } from '../passkeys/ceremony-options.ts';
import { signalsMark } from '../passkeys/signals.ts';
import { layout, type PageTenant } from './layout.ts';
import { passkeyTypeLabels } from './method-texts.ts';
import { field, formMessage } from './sign-in-page.ts';

const messages = {
  'method-unknown': 'Choose one of the methods in the list.',
  'passkey-refused': 'The passkey could not be registered.',
  'passkey-not-admitted': 'The policy of your organisation does not admit this kind of passkey.',
  'passkey-type-unknown': 'Choose one of the kinds in the list.',
  'passkey-name-missing': 'Enter a name.',
} as const;

/** What was wrong with a form of this page. */
export type SecurityInfoFault = keyof typeof messages;

/** What the page is rendered from. */
export interface SecurityInfoPage {
  readonly tenant: PageTenant;
  readonly address: string;
  readonly formToken: string;
  readonly user: SandboxUser;
  readonly passkeys: readonly HeldPasskey[];
  readonly phone: string;
  /** What the browser is asked for when a passkey is added. */
  readonly ceremony: CeremonyOptions;
  readonly deviceId: string;
  /** Conditional access keeps the user from changing anything here. */
  readonly blocked: boolean;
  /** What the page tells authenticators. */
  readonly signals: SignalsJson;
  readonly fault: SecurityInfoFault | null;
}

const labels: Readonly<Record<RegisteredMethod, string>> = {
  sms: 'Text message',
  voice: 'Voice call',
  'authenticator-totp': 'Authenticator app, one-time codes',
  'authenticator-push': 'Authenticator app, requests',
  'hardware-totp': 'Hardware token',
};

/** The methods of a user: what there is, what can be added, what can be taken away. */
export function securityInfoPage(page: SecurityInfoPage): string {
  const { tenant, user, phone, blocked, fault } = page;
  const heading = 'Your security information';
  return layout({
    title: fault === null ? heading : `Error: ${heading}`,
    name: 'security-info-list',
    marks: signalsMark(page.signals),
    tenant,
    script: true,
    body: html`<p class="who">${user.userPrincipalName}</p>
<h1>${heading}</h1>
!${formMessage(fault === null ? null : messages[fault])}
!${blocked ? '<p class="notice">A policy of your administrator blocks the registration of sign-in methods.</p>' : ''}
<h2>Methods</h2>
!${methodList(page)}
<h2>Passkeys</h2>
!${passkeyList(page)}
!${blocked ? '' : additions(page)}
<p class="note"><a href="${phone}" target="_blank" rel="noopener">Open the simulated phone</a> of this account in a new window.</p>`,
  });
}

function methodList(page: SecurityInfoPage): string {
  const { methods } = page.user;
  if (methods.length === 0) return '<p>You have registered no method.</p>';
  return html`<ul class="list">!${methods.map(
    (method) =>
      html`<li><span>${labels[method]}</span>!${smallForm(
        page,
        html`<input type="hidden" name="method" value="${method}"><button class="secondary" name="action" value="remove-method" aria-label="Remove ${labels[method]}">Remove</button>`,
      )}</li>`,
  )}</ul>`;
}

function passkeyList(page: SecurityInfoPage): string {
  if (page.passkeys.length === 0) return '<p>You have registered no passkey.</p>';
  return html`<ul class="list">!${page.passkeys.map((held) => passkeyRow(page, held))}</ul>`;
}

function passkeyRow(page: SecurityInfoPage, { place, passkey, credential }: HeldPasskey): string {
  const derived = credential.kindConfidence === 'derived' ? ' (derived, low confidence)' : '';
  const canRename = passkey.credentialId !== undefined && !page.blocked;
  const rename = canRename
    ? html`<details><summary>Rename ${credential.name}</summary>!${smallForm(
        page,
        html`<input type="hidden" name="passkey" value="${credential.id}">!${field({
          name: 'name',
          id: `name-${place}`,
          label: 'Name',
          attributes: html`type="text" value="${credential.name}" maxlength="${passkeyNameCharactersMax}" autocomplete="off" required`,
          message: null,
        })}<button class="secondary" name="action" value="rename-passkey">Save</button>`,
      )}</details>`
    : '';
  return html`<li><span><strong>${credential.name}</strong><br>${passkeyTypeLabels[passkey.type]}${derived}, ${passkey.deviceId}</span>!${smallForm(
    page,
    html`<input type="hidden" name="passkey" value="${credential.id}"><button class="secondary" name="action" value="remove-passkey" aria-label="Remove ${credential.name}">Remove</button>`,
  )}!${rename}</li>`;
}

function additions(page: SecurityInfoPage): string {
  const missing = registeredMethods.filter((method) => !page.user.methods.includes(method));
  const options = missing.map((method) => html`<option value="${method}">${labels[method]}</option>`);
  const kinds = passkeyTypes.map((type) => html`<option value="${type}">${passkeyTypeLabels[type]}</option>`);
  return html`<h2>Add a method</h2>
!${missing.length === 0 ? '<p>You have registered every method.</p>' : smallForm(page, html`<label for="method">Method</label><select id="method" name="method">!${options}</select><button class="primary" name="action" value="add-method">Add</button>`)}
<h2>Add a passkey</h2>
<form method="post" action="${page.address}" data-ceremony="create" data-options="${JSON.stringify(page.ceremony)}">
<input type="hidden" name="formToken" value="${page.formToken}">
<input type="hidden" name="credential" value="">
<div class="actions"><button class="primary" name="action" value="make-passkey" data-starts>Create passkey</button></div>
</form>
<details>
<summary>Use the test authenticator</summary>
!${smallForm(page, html`<label for="passkeyType">Kind of passkey</label><select id="passkeyType" name="passkeyType">!${kinds}</select><button class="primary" name="action" value="finish">Add test passkey</button>`)}
</details>`;
}

function smallForm({ address, formToken }: SecurityInfoPage, content: string): string {
  return html`<form method="post" action="${address}"><input type="hidden" name="formToken" value="${formToken}">!${content}</form>`;
}
