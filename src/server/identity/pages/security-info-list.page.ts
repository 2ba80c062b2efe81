import { html } from 'ghtml';
import { passkeyTypes, registeredMethods } from '../../../../machines/vocabulary.ts';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { passkeyNameCharactersMax } from '../../../contract/credential.schema.ts';
import type { SandboxUser } from '../../../contract/sandbox.schema.ts';
import type { StoredPasskey } from '../../../sandbox/passkeys.ts';
import type { CeremonyOptions } from '../passkeys/ceremony-options.ts';
import { signalsMark } from '../passkeys/signals.ts';
import type { TextKey } from '../texts/english.ts';
import { layout, type PageTenant } from './layout.ts';
import { field, formatTitle, formMessage } from './sign-in-page.ts';

const messages = {
  'method-unknown': 'security-info-list.method-unknown',
  'passkey-refused': 'security-info-list.passkey-rejected',
  'passkey-not-admitted': 'security-info-list.passkey-not-allowed',
  'passkey-type-unknown': 'security-info-list.passkey-type-unknown',
  'passkey-name-missing': 'security-info-list.name-missing',
} as const satisfies Readonly<Record<string, TextKey>>;

/** Errors in the forms of this page. */
export type SecurityInfoFault = keyof typeof messages;

/** Input of the security info page. */
export interface SecurityInfoPage {
  readonly tenant: PageTenant;
  readonly address: string;
  readonly formToken: string;
  readonly user: SandboxUser;
  readonly passkeys: readonly StoredPasskey[];
  readonly phone: string;
  /** Options for adding a passkey. */
  readonly ceremony: CeremonyOptions;
  readonly deviceId: string;
  /** `true` if a conditional access policy blocks all changes on this page. */
  readonly blocked: boolean;
  /** Signals to authenticators. */
  readonly signals: SignalsJson;
  readonly fault: SecurityInfoFault | null;
}

/** Renders a user's methods: those that are registered, and those that can be added or removed. */
export function securityInfoListPage(page: SecurityInfoPage): string {
  const { tenant, user, phone, blocked, fault } = page;
  const { texts } = tenant;
  const heading = texts.text('security-info-list.heading');
  const link = (content: string): string => html`<a href="${phone}" target="_blank" rel="noopener">!${content}</a>`;
  return layout({
    title: formatTitle(texts, heading, fault !== null),
    name: 'security-info-list',
    marks: signalsMark(page.signals),
    tenant,
    script: true,
    body: html`<p class="who"><bdi>${user.userPrincipalName}</bdi></p>
<h1>${heading}</h1>
!${formMessage(fault === null ? null : texts.text(messages[fault]))}
!${blocked ? html`<p class="notice">${texts.text('security-info-list.blocked')}</p>` : ''}
<h2>${texts.text('security-info-list.methods')}</h2>
!${methodList(page)}
<h2>${texts.text('security-info-list.passkeys')}</h2>
!${passkeyList(page)}
!${blocked ? '' : additions(page)}
<p class="note">!${texts.html('security-info-list.phone', {}, { link })}</p>`,
  });
}

function methodList(page: SecurityInfoPage): string {
  const { methods } = page.user;
  const { texts } = page.tenant;
  if (methods.length === 0) return html`<p>${texts.text('security-info-list.no-method')}</p>`;
  return html`<ul class="list">!${methods.map((method) => {
    const name = texts.text(`registered.${method}`);
    return html`<li><span>${name}</span>!${smallForm(
      page,
      html`<input type="hidden" name="method" value="${method}">!${removeButton(page, 'remove-method', name)}`,
    )}</li>`;
  })}</ul>`;
}

function removeButton({ tenant: { texts } }: SecurityInfoPage, action: string, name: string): string {
  return html`<button class="secondary" name="action" value="${action}" aria-label="${texts.text('security-info-list.remove-named', { name })}">${texts.text('security-info-list.remove')}</button>`;
}

function passkeyList(page: SecurityInfoPage): string {
  if (page.passkeys.length === 0) return html`<p>${page.tenant.texts.text('security-info-list.no-passkey')}</p>`;
  return html`<ul class="list">!${page.passkeys.map((passkey) => passkeyRow(page, passkey))}</ul>`;
}

function passkeyRow(page: SecurityInfoPage, { place, passkey, credential }: StoredPasskey): string {
  const { texts } = page.tenant;
  const { name, id, kindConfidence } = credential;
  const isDerived = kindConfidence === 'derived';
  const about = texts.text(isDerived ? 'security-info-list.passkey-derived' : 'security-info-list.passkey', {
    type: texts.text(`passkey-type.${passkey.type}`),
    device: passkey.deviceId,
  });
  const canRename = passkey.credentialId !== undefined && !page.blocked;
  const rename = canRename
    ? html`<details><summary>${texts.text('security-info-list.rename', { name })}</summary>!${smallForm(
        page,
        html`<input type="hidden" name="passkey" value="${id}">!${field({
          name: 'name',
          id: `name-${place}`,
          label: texts.text('setup-name.label'),
          attributes: html`type="text" value="${name}" maxlength="${passkeyNameCharactersMax}" autocomplete="off" required`,
          message: null,
        })}<button class="secondary" name="action" value="rename-passkey">${texts.text('action.save')}</button>`,
      )}</details>`
    : '';
  return html`<li><span><strong>${name}</strong><br>${about}</span>!${smallForm(
    page,
    html`<input type="hidden" name="passkey" value="${id}">!${removeButton(page, 'remove-passkey', name)}`,
  )}!${rename}</li>`;
}

function additions(page: SecurityInfoPage): string {
  const { texts } = page.tenant;
  const missing = registeredMethods.filter((method) => !page.user.methods.includes(method));
  const options = missing.map(
    (method) => html`<option value="${method}">${texts.text(`registered.${method}`)}</option>`,
  );
  const types = passkeyTypes.map(
    (type) => html`<option value="${type}">${texts.text(`passkey-type.${type}`)}</option>`,
  );
  const add = html`<label for="method">${texts.text('security-info-list.method')}</label><select id="method" name="method">!${options}</select><button class="primary" name="action" value="add-method">${texts.text('security-info-list.add')}</button>`;
  return html`<h2>${texts.text('security-info-list.add-method')}</h2>
!${missing.length === 0 ? html`<p>${texts.text('security-info-list.every-method')}</p>` : smallForm(page, add)}
<h2>${texts.text('security-info-list.add-passkey')}</h2>
<form method="post" action="${page.address}" data-ceremony="create" data-options="${JSON.stringify(page.ceremony)}">
<input type="hidden" name="formToken" value="${page.formToken}">
<input type="hidden" name="credential" value="">
<div class="actions"><button class="primary" name="action" value="make-passkey" data-starts>${texts.text('setup-passkey.create')}</button></div>
</form>
<details>
<summary>${texts.text('setup-passkey.test')}</summary>
!${smallForm(page, html`<label for="passkeyType">${texts.text('setup-passkey.type')}</label><select id="passkeyType" name="passkeyType">!${types}</select><button class="primary" name="action" value="finish">${texts.text('security-info-list.add-test-passkey')}</button>`)}
</details>`;
}

function smallForm({ address, formToken }: SecurityInfoPage, content: string): string {
  return html`<form method="post" action="${address}"><input type="hidden" name="formToken" value="${formToken}">!${content}</form>`;
}
