import { html } from 'ghtml';
import type { TextKey } from '../texts/english.ts';
import { layout, type PageTenant } from './layout.ts';
import { field } from './sign-in-page.ts';

/** What is wrong with a code that a user entered for a device. */
export type DeviceCodeFault = 'missing' | 'unknown' | 'expired' | 'used' | 'throttled' | 'declined' | 'failed';

/** Input of the pages that have a form. */
interface DeviceForm {
  readonly tenant: PageTenant;
  readonly address: string;
  readonly formToken: string;
}

/** Input of the page that asks for the code of a device. */
export interface DeviceCodePage extends DeviceForm {
  /** Code to start with. `null` for an empty field. */
  readonly userCode: string | null;
  readonly fault: DeviceCodeFault | null;
}

/** Input of the page that shows the code and the application for comparison. */
export interface DeviceConfirmationPage extends DeviceForm {
  readonly userCode: string;
  readonly clientName: string;
}

const faultTexts: Readonly<Record<DeviceCodeFault, TextKey>> = {
  missing: 'device-code.missing',
  unknown: 'device-code.unknown',
  expired: 'device-code.expired',
  used: 'device-code.used',
  throttled: 'device-code.throttled',
  declined: 'device-code.declined',
  failed: 'device-code.failed',
};

/** Renders the page on which a user enters the code that a device shows. */
export function deviceCodePage({ tenant, address, formToken, userCode, fault }: DeviceCodePage): string {
  const { texts } = tenant;
  const code = userCode === null ? '' : html`value="${userCode}" `;
  return layout({
    title: texts.text('device-code.heading'),
    name: 'device-code',
    tenant,
    body: html`<h1>${texts.text('device-code.heading')}</h1>
<p>${texts.text('device-code.lead')}</p>
<form method="post" action="${address}">
<input type="hidden" name="xsrf" value="${formToken}">
!${field({
      name: 'user_code',
      control: 'user-code',
      label: texts.text('device-code.label'),
      attributes: `${code}autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="16" autofocus required`,
      message: fault === null ? null : texts.text(faultTexts[fault]),
    })}
<div class="actions"><button class="primary" data-control="next">${texts.text('action.next')}</button></div>
</form>`,
  });
}

/** Renders the page on which a user compares the code and the application with those of the device. */
export function deviceConfirmationPage(page: DeviceConfirmationPage): string {
  const { tenant, address, formToken, userCode, clientName } = page;
  const { texts } = tenant;
  return layout({
    title: texts.text('device-confirmation.heading'),
    name: 'device-confirmation',
    tenant,
    body: html`<h1>${texts.text('device-confirmation.heading')}</h1>
<p>${texts.text('device-confirmation.lead', { application: clientName })}</p>
<p><code><bdi>${userCode}</bdi></code></p>
<form method="post" action="${address}">
<input type="hidden" name="xsrf" value="${formToken}">
<input type="hidden" name="user_code" value="${userCode}">
<div class="actions">
<button class="primary" name="confirm" value="yes" data-control="confirm">${texts.text('action.continue')}</button>
<button class="secondary" name="abort" value="yes" data-control="cancel">${texts.text('action.cancel')}</button>
</div>
</form>`,
  });
}

/** Renders the end of a sign-in for a device. */
export function deviceDonePage(tenant: PageTenant, clientName: string): string {
  const { texts } = tenant;
  return layout({
    title: texts.text('device-done.heading'),
    name: 'device-done',
    tenant,
    body: html`<h1>${texts.text('device-done.heading')}</h1>
<p>${texts.text('device-done.lead', { application: clientName })}</p>`,
  });
}
