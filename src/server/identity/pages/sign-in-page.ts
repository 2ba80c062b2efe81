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

/** What each page of a running sign-in is rendered from. */
export interface SignInPage {
  readonly view: SignInView;
  readonly tenant: PageTenant;
  /** The one address of this sign-in, where its forms go. */
  readonly address: string;
  readonly formToken: string;
  readonly userPrincipalName: string;
  /** Where a new sign-in begins. */
  readonly beginning: string;
  /** Where the user looks after his own methods. */
  readonly securityInfo: string;
  /** The simulated phone of the user. */
  readonly phone: string;
  /** What was wrong with the form that this page answers. */
  readonly fault: FormFault | null;
  /** The number of this page among those that were served; `null` where no one hears that it was left. */
  readonly shown: number | null;
  /** What the browser is asked for; `null` on pages without a passkey ceremony. */
  readonly ceremony: CeremonyOptions | null;
  /** Whether a test passkey of the user can stand for a real one. */
  readonly hasTestPasskey: boolean;
  /** What the page tells authenticators; `null` before the sign-in has finished. */
  readonly signals: SignalsJson | null;
  /** The passkey that the browser creates by itself; `null` where none is asked for. */
  readonly upgrade: CeremonyOptions | null;
  /** How the app is added; `null` on pages that do not need it. */
  readonly appSetup: AppSetup | null;
}

/** What the page that adds the app shows. */
export interface AppSetup {
  /** An SVG image. */
  readonly qrCode: string;
  /** The secret for anyone who cannot scan the code. */
  readonly secret: string;
}

/** What one page puts into the frame of a sign-in. */
export interface SignInContent {
  readonly heading: string;
  /** HTML that a template has escaped. */
  readonly body: string;
  /** Whether a prompt is open on this page: it tells how many snoozes are left, and that it was left. */
  readonly prompts?: boolean;
}

/** A page of a running sign-in: whose it is, the heading, and the part that is the page's own. */
export function signInPage(page: SignInPage, { heading, body, prompts = false }: SignInContent): string {
  const { view, tenant, userPrincipalName, fault, address, shown, signals } = page;
  const snoozesLeft = prompts
    ? html` data-snoozes-left="${view.snoozesLeft ?? 'unlimited'}" data-leave="${address}" data-shown="${shown ?? ''}"`
    : '';
  return layout({
    title: titleOf(tenant.texts, heading, fault !== null),
    name: pageNames[view.screen],
    marks: html` data-sign-in="${view.id}"!${snoozesLeft}!${signalsMark(signals)}`,
    tenant,
    script: true,
    body: html`<p class="who"><bdi>${userPrincipalName}</bdi></p>
<h1>${heading}</h1>
!${body}!${upgradePart(page)}`,
  });
}

/** Formats the title of a page, which states first that its form was rejected. */
export function titleOf(texts: PageTexts, heading: string, isFaulty: boolean): string {
  return isFaulty ? texts.text('frame.error', { heading }) : heading;
}

/** What the script needs to have the browser create a passkey by itself; no one sees it. */
function upgradePart({ upgrade, address, formToken }: SignInPage): string {
  if (upgrade === null) return '';
  return html`
<div hidden data-upgrade="${JSON.stringify(upgrade)}" data-address="${address}" data-token="${formToken}"></div>`;
}

/** A form of a sign-in with its token. Takes the page and the fields and buttons, escaped. */
export function form({ address, formToken }: SignInPage, content: string): string {
  return html`<form method="post" action="${address}">
<input type="hidden" name="formToken" value="${formToken}">
!${content}
</form>`;
}

/** A form that asks the browser for a passkey before it is sent. Takes the page, the ceremony and the content, escaped. */
export function passkeyForm(page: SignInPage, ceremony: 'create' | 'get', content: string): string {
  const rejected = page.tenant.texts.text('passkey.unused');
  return html`<form method="post" action="${page.address}" data-ceremony="${ceremony}" data-options="${JSON.stringify(page.ceremony)}">
<input type="hidden" name="formToken" value="${page.formToken}">
<input type="hidden" name="credential" value="">
<p class="fault" role="alert" data-message="${rejected}"></p>
!${content}
</form>`;
}

/** A button of a form. */
export interface Button {
  readonly control: PageControl;
  readonly label: string;
  /** What the form asks for; the name of the control unless given. */
  readonly action?: string;
  readonly weight?: 'primary' | 'secondary';
  /** Whether it starts the passkey ceremony of its form. */
  readonly starts?: boolean;
}

/** Renders a button; the first of a form is also what the Enter key presses. */
export function button({ control, label, action = control, weight = 'primary', starts = false }: Button): string {
  return html`<button class="${weight}" name="action" value="${action}" data-control="${control}"!${starts ? ' data-starts' : ''}>${label}</button>`;
}

/** Renders the buttons of a form. */
export function buttons(...rows: readonly Button[]): string {
  return html`<div class="actions">!${rows.map(button)}</div>`;
}

/** A labelled field with the message of what was wrong with it. */
export interface Field {
  readonly name: string;
  /** Its stable name; only the pages of a sign-in have one. */
  readonly control?: PageControl;
  readonly label: string;
  /** Further attributes, escaped. */
  readonly attributes: string;
  readonly message: string | null;
  /** Needed where a page has several fields of one name. */
  readonly id?: string;
}

/** A text field, its label and, where something was wrong, the message that screen readers read with it. */
export function field({ name, control, label, attributes, message, id = name }: Field): string {
  const described = message === null ? '' : html` aria-invalid="true" aria-describedby="${id}-fault"`;
  const mark = control === undefined ? '' : html` data-control="${control}"`;
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}"!${mark} !${attributes}!${described}>
!${message === null ? '' : faultMessage(id, message)}`;
}

/** What a page says about the fault of its form; `null` when there is none, or none of this page's. */
export function messageFor(
  { fault, tenant: { texts } }: Pick<SignInPage, 'fault' | 'tenant'>,
  messages: Partial<Record<FormFault, TextKey>>,
): string | null {
  const key = fault === null ? undefined : messages[fault];
  return key === undefined ? null : texts.text(key);
}

/** The message under a field. Takes the id of the field. */
export function faultMessage(fieldId: string, message: string): string {
  return html`<p class="fault" role="alert" id="${fieldId}-fault">${message}</p>`;
}

/** A message about the form as a whole; nothing without one. */
export function formMessage(message: string | null): string {
  return message === null ? '' : html`<p class="fault" role="alert">${message}</p>`;
}

/** A page that only explains something, with one button that leads on. */
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
