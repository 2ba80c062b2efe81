import { html } from 'ghtml';
import type { SignInView } from '../../../sandbox/sign-ins.ts';
import type { FormFault } from '../journey.ts';
import { pageNames } from '../screen-names.ts';
import { layout } from './layout.ts';

/** What each page of a running sign-in is rendered from. */
export interface SignInPage {
  readonly view: SignInView;
  readonly sandboxId: string;
  /** The one address of this sign-in, where its forms go. */
  readonly address: string;
  readonly formToken: string;
  readonly userPrincipalName: string;
  /** Where a new sign-in begins. */
  readonly beginning: string;
  /** What was wrong with the form that this page answers. */
  readonly fault: FormFault | null;
}

/** What one page puts into the frame of a sign-in. */
export interface SignInContent {
  readonly heading: string;
  /** HTML that a template has escaped. */
  readonly body: string;
  /** Whether the page tells how many snoozes are left. */
  readonly tellsSnoozesLeft?: boolean;
}

/** A page of a running sign-in: whose it is, the heading, and the part that is the page's own. */
export function signInPage(page: SignInPage, { heading, body, tellsSnoozesLeft = false }: SignInContent): string {
  const { view, sandboxId, userPrincipalName, fault } = page;
  const snoozesLeft = tellsSnoozesLeft ? html` data-snoozes-left="${view.snoozesLeft ?? 'unlimited'}"` : '';
  return layout({
    title: fault === null ? heading : `Error: ${heading}`,
    name: pageNames[view.screen],
    marks: html` data-sign-in="${view.id}"!${snoozesLeft}`,
    sandboxId,
    body: html`<p class="who">${userPrincipalName}</p>
<h1>${heading}</h1>
!${body}`,
  });
}

/** A form of a sign-in with its token. Takes the page and the fields and buttons, escaped. */
export function form({ address, formToken }: SignInPage, content: string): string {
  return html`<form method="post" action="${address}">
<input type="hidden" name="formToken" value="${formToken}">
!${content}
</form>`;
}

/** A button that says what is done; the first of a form is also what the Enter key does. */
export function button(action: string, label: string, weight: 'primary' | 'secondary' = 'primary'): string {
  return html`<button class="${weight}" name="action" value="${action}">${label}</button>`;
}

/** A labelled field with the message of what was wrong with it. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Attributes besides, escaped. */
  readonly attributes: string;
  readonly message: string | null;
}

/** A text field, its label and, where something was wrong, the message that screen readers read with it. */
export function field({ name, label, attributes, message }: Field): string {
  const described = message === null ? '' : html` aria-invalid="true" aria-describedby="${name}-fault"`;
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" !${attributes}!${described}>
!${message === null ? '' : faultMessage(name, message)}`;
}

/** What a page says about the fault of its form; `null` when there is none, or none of this page's. */
export function messageFor(fault: FormFault | null, messages: Partial<Record<FormFault, string>>): string | null {
  return fault === null ? null : (messages[fault] ?? null);
}

/** The message under a field. */
export function faultMessage(fieldName: string, message: string): string {
  return html`<p class="fault" role="alert" id="${fieldName}-fault">${message}</p>`;
}
