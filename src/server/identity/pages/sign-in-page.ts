import { html } from 'ghtml';
import type { SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { pageNames } from '../../../sandbox/screen-names.ts';
import type { SignInView } from '../../../sandbox/sign-in-view.ts';
import type { FormFault } from '../form-fault.ts';
import type { CeremonyOptions } from '../passkeys/ceremony-options.ts';
import { signalsMark } from '../passkeys/signals.ts';
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
  /** The number of this page among those that were served; `null` where nobody hears that it was left. */
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
  /** The secret for whoever cannot scan the code. */
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
    title: fault === null ? heading : `Error: ${heading}`,
    name: pageNames[view.screen],
    marks: html` data-sign-in="${view.id}"!${snoozesLeft}!${signalsMark(signals)}`,
    tenant,
    script: true,
    body: html`<p class="who">${userPrincipalName}</p>
<h1>${heading}</h1>
!${body}!${upgradePart(page)}`,
  });
}

/** What the script needs to have the browser create a passkey by itself; nobody sees it. */
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
  return html`<form method="post" action="${page.address}" data-ceremony="${ceremony}" data-options="${JSON.stringify(page.ceremony)}">
<input type="hidden" name="formToken" value="${page.formToken}">
<input type="hidden" name="credential" value="">
<p class="fault" role="alert" data-message></p>
!${content}
</form>`;
}

/** A button that says what is done; the first of a form is also what the Enter key does. */
export function button(action: string, label: string, weight: 'primary' | 'secondary' = 'primary'): string {
  return html`<button class="${weight}" name="action" value="${action}">${label}</button>`;
}

/** A button that starts the ceremony of its form. */
export function ceremonyButton(action: string, label: string, weight: 'primary' | 'secondary' = 'primary'): string {
  return html`<button class="${weight}" name="action" value="${action}" data-starts>${label}</button>`;
}

/** A labelled field with the message of what was wrong with it. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Attributes besides, escaped. */
  readonly attributes: string;
  readonly message: string | null;
  /** Needed where a page has several fields of one name. */
  readonly id?: string;
}

/** A text field, its label and, where something was wrong, the message that screen readers read with it. */
export function field({ name, label, attributes, message, id = name }: Field): string {
  const described = message === null ? '' : html` aria-invalid="true" aria-describedby="${id}-fault"`;
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}" !${attributes}!${described}>
!${message === null ? '' : faultMessage(id, message)}`;
}

/** What a page says about the fault of its form; `null` when there is none, or none of this page's. */
export function messageFor(fault: FormFault | null, messages: Partial<Record<FormFault, string>>): string | null {
  return fault === null ? null : (messages[fault] ?? null);
}

/** The message under a field. Takes the id of the field. */
export function faultMessage(fieldId: string, message: string): string {
  return html`<p class="fault" role="alert" id="${fieldId}-fault">${message}</p>`;
}

/** A message about the form as a whole; nothing without one. */
export function formMessage(message: string | null): string {
  return message === null ? '' : html`<p class="fault" role="alert">${message}</p>`;
}
