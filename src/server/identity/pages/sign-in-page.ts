import { html } from 'ghtml';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import type { PageControl } from '../../../contract/page-controls.ts';
import { pageNames } from '../../../sandbox/screen-names.ts';
import type { SignInView } from '../../../sandbox/sign-in-view.ts';
import type { FormFault } from '../form-fault.ts';
import type { CeremonyOptions } from '../passkeys/ceremony-options.ts';
import { signalsMark } from '../passkeys/signals.ts';
import type { TextKey } from '../texts/english.ts';
import type { PageTexts } from '../texts/page-texts.ts';
import { layout, type PageTenant } from './layout.ts';

/** Input of every page of a running sign-in. */
export interface SignInPage {
  readonly view: SignInView;
  readonly tenant: PageTenant;
  /** URL of this sign-in, to which its forms are submitted. */
  readonly address: string;
  readonly formToken: string;
  readonly userPrincipalName: string;
  /** URL where a new sign-in starts. */
  readonly beginning: string;
  /** URL of the page where users manage their own methods. */
  readonly securityInfo: string;
  /** URL of the user's simulated phone. */
  readonly phone: string;
  /** Error in the submitted form. `null` if there is none. */
  readonly fault: FormFault | null;
  /** Sequence number of this page among the served pages. `null` if leaving it is not tracked. */
  readonly shown: number | null;
  /** Options of the passkey ceremony. `null` if the page has none. */
  readonly ceremony: CeremonyOptions | null;
  /** `true` if a test passkey of the user can replace a real one. */
  readonly hasTestPasskey: boolean;
  /** Signals to authenticators. `null` until the sign-in has finished. */
  readonly signals: SignalsJson | null;
  /** Options for an automatically created passkey. `null` if none is offered. */
  readonly upgrade: CeremonyOptions | null;
  /** Headline of the verdict for testers. `null` if the tenant does not show it or there is none. */
  readonly verdictNote: string | null;
  /** Data for adding the app. `null` if the page does not need it. */
  readonly appSetup: AppSetup | null;
}

/** Data for adding the account to the authenticator app. */
export interface AppSetup {
  /** QR code as an SVG image. */
  readonly qrCode: string;
  /** Secret for users who cannot scan the code. */
  readonly secret: string;
}

/** Content of a page within the sign-in layout. */
export interface SignInContent {
  readonly heading: string;
  /** HTML that is already escaped. */
  readonly body: string;
  /** `true` if a prompt is open on this page. The page then contains the snoozes left and sends unload beacons. */
  readonly prompts?: boolean;
}

/** Renders a page of a running sign-in with its user, heading, and content. */
export function signInPage(page: SignInPage, { heading, body, prompts = false }: SignInContent): string {
  const { view, tenant, userPrincipalName, fault, address, shown, signals, verdictNote } = page;
  const snoozesLeft = prompts
    ? html` data-snoozes-left="${view.snoozesLeft ?? 'unlimited'}" data-leave="${address}" data-shown="${shown ?? ''}"`
    : '';
  return layout({
    title: formatTitle(tenant.texts, heading, fault !== null),
    name: pageNames[view.screen],
    marks: html` data-sign-in="${view.id}"!${snoozesLeft}!${signalsMark(signals)}`,
    tenant,
    script: true,
    notes: verdictNote === null ? [] : [html`<span lang="en" dir="ltr" data-verdict>${verdictNote}</span>`],
    body: html`<p class="who"><bdi>${userPrincipalName}</bdi></p>
<h1>${heading}</h1>
!${body}!${upgradePart(page)}`,
  });
}

/** Formats the title of a page. It starts with an error note if the form was rejected. */
export function formatTitle(texts: PageTexts, heading: string, isFaulty: boolean): string {
  return isFaulty ? texts.text('frame.error', { heading }) : heading;
}

/** Renders the hidden data with which the script lets the browser create a passkey automatically. */
function upgradePart({ upgrade, address, formToken }: SignInPage): string {
  if (upgrade === null) return '';
  return html`
<div hidden data-upgrade="${JSON.stringify(upgrade)}" data-address="${address}" data-token="${formToken}"></div>`;
}

/** Renders a sign-in form with its anti-forgery token. `content` must be escaped. */
export function form({ address, formToken }: SignInPage, content: string): string {
  return html`<form method="post" action="${address}">
<input type="hidden" name="formToken" value="${formToken}">
!${content}
</form>`;
}

/** Renders a form that starts a passkey ceremony before it is sent. `content` must be escaped. */
export function passkeyForm(page: SignInPage, ceremony: 'create' | 'get', content: string): string {
  const rejected = page.tenant.texts.text('passkey.unused');
  return html`<form method="post" action="${page.address}" data-ceremony="${ceremony}" data-options="${JSON.stringify(page.ceremony)}">
<input type="hidden" name="formToken" value="${page.formToken}">
<input type="hidden" name="credential" value="">
<p class="fault" role="alert" data-message="${rejected}"></p>
!${content}
</form>`;
}

/** Button of a form. */
export interface Button {
  readonly control: PageControl;
  readonly label: string;
  /** Form action. Defaults to the name of the control. */
  readonly action?: string;
  readonly weight?: 'primary' | 'secondary';
  /** `true` if the button starts the passkey ceremony of its form. */
  readonly starts?: boolean;
}

/** Renders a button. The Enter key activates the first button of a form. */
export function button({ control, label, action = control, weight = 'primary', starts = false }: Button): string {
  return html`<button class="${weight}" name="action" value="${action}" data-control="${control}"!${starts ? ' data-starts' : ''}>${label}</button>`;
}

/** Renders the buttons of a form. */
export function buttons(...rows: readonly Button[]): string {
  return html`<div class="actions">!${rows.map(button)}</div>`;
}

/** Labeled field with its error message. */
export interface Field {
  readonly name: string;
  /** Stable name of the control. Only sign-in pages have one. */
  readonly control?: PageControl;
  readonly label: string;
  /** Additional attributes, already escaped. */
  readonly attributes: string;
  readonly message: string | null;
  /** Element id, needed if a page has several fields with the same name. */
  readonly id?: string;
}

/** Renders a text field with its label. An error message is linked to the field for screen readers. */
export function field({ name, control, label, attributes, message, id = name }: Field): string {
  const described = message === null ? '' : html` aria-invalid="true" aria-describedby="${id}-fault"`;
  const mark = control === undefined ? '' : html` data-control="${control}"`;
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}"!${mark} !${attributes}!${described}>
!${message === null ? '' : faultMessage(id, message)}`;
}

/** Returns the message for the form error of a page. `null` if there is none or the page has no message for it. */
export function messageFor(
  { fault, tenant: { texts } }: Pick<SignInPage, 'fault' | 'tenant'>,
  messages: Partial<Record<FormFault, TextKey>>,
): string | null {
  const key = fault === null ? undefined : messages[fault];
  return key === undefined ? null : texts.text(key);
}

/** Renders the error message below the field with this id. */
export function faultMessage(fieldId: string, message: string): string {
  return html`<p class="fault" role="alert" id="${fieldId}-fault">${message}</p>`;
}

/** Renders a message about the entire form. Returns an empty text if there is no message. */
export function formMessage(message: string | null): string {
  return message === null ? '' : html`<p class="fault" role="alert">${message}</p>`;
}

/** Renders an informational page with a single button to continue. */
export function passedPage(
  page: SignInPage,
  heading: TextKey,
  lead: TextKey,
  label: TextKey = 'action.continue',
): string {
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text(heading),
    body: html`<p>${texts.text(lead)}</p>
!${form(page, buttons({ control: 'continue', label: texts.text(label) }))}`,
  });
}
