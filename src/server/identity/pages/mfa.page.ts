import { html } from 'ghtml';
import type { MfaMethod } from '../../../../machines/vocabulary.ts';
import type { FormFault } from '../form-fault.ts';
import type { TextKey } from '../texts/english.ts';
import {
  type Button,
  buttons,
  field,
  form,
  formMessage,
  messageFor,
  passkeyForm,
  type SignInPage,
  signInPage,
} from './sign-in-page.ts';

const codeMessages: Partial<Record<FormFault, TextKey>> = {
  'code-missing': 'code.missing',
  'code-wrong': 'code.wrong',
  'too-many-guesses': 'code.throttled',
};

const pushMessages: Partial<Record<FormFault, TextKey>> = {
  'push-waiting': 'push.waiting',
  'push-denied': 'push.denied',
};

/** Renders the second-factor page of this service for the method of the sign-in (R1, R3). */
export function mfaPage(page: SignInPage): string {
  const method = page.view.mfaMethod ?? 'sms';
  if (method === 'authenticator-push') return pushPage(page);
  return method === 'passkey' ? passkeyPage(page) : codePage(page, method);
}

function codePage(page: SignInPage, method: Exclude<MfaMethod, 'authenticator-push' | 'passkey'>): string {
  const { texts } = page.tenant;
  const isSent = method === 'sms' || method === 'voice';
  return signInPage(page, {
    heading: texts.text('code.heading'),
    body: html`<p>${texts.text(`code.lead.${method}`)}</p>
!${form(
      page,
      html`!${field({
        name: 'code',
        control: 'code',
        label: texts.text('code.label'),
        attributes: 'type="text" inputmode="numeric" autocomplete="one-time-code" autofocus required',
        message: messageFor(page, codeMessages),
      })}
!${buttons({ control: 'verify-code', action: 'code', label: texts.text('code.verify') })}`,
    )}
!${otherMethods(page, isSent ? [{ control: 'send-code', label: texts.text('code.send'), weight: 'secondary' }] : [])}`,
  });
}

/** Renders number matching: the user enters the displayed number on the phone. */
function pushPage(page: SignInPage): string {
  const { push } = page.view;
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text('push.heading'),
    body: html`<p>${texts.text('push.lead')}</p>
<p class="number" data-number="${push?.number ?? ''}">${push?.number ?? ''}</p>
!${phoneNote(page)}
!${formMessage(messageFor(page, pushMessages))}
!${form(page, buttons({ control: 'check-push', label: texts.text('action.continue') }))}
!${otherMethods(page, [{ control: 'send-push', label: texts.text('action.send-push'), weight: 'secondary' }])}`,
  });
}

/** Renders the link to the simulated phone. It opens a separate window, so this page stays open. */
export function phoneNote({ phone, tenant: { texts } }: SignInPage): string {
  const link = (content: string): string =>
    html`<a href="${phone}" target="_blank" rel="noopener" data-control="open-phone">!${content}</a>`;
  return html`<p class="note">!${texts.html('push.phone', {}, { link })}</p>`;
}

function passkeyPage(page: SignInPage): string {
  const { texts } = page.tenant;
  const test = { control: 'test-passkey', label: texts.text('passkey.test'), weight: 'secondary' } as const;
  const testButton = page.hasTestPasskey
    ? html`<p class="note">${texts.text('passkey.test-note')}</p>
!${form(page, buttons(test))}`
    : '';
  return signInPage(page, {
    heading: texts.text('passkey.heading'),
    body: html`<p>${texts.text('passkey.lead')}</p>
!${formMessage(messageFor(page, { 'passkey-refused': 'passkey.rejected' }))}
!${passkeyForm(page, 'get', buttons({ control: 'passkey', label: texts.text('passkey.use'), starts: true }))}
!${testButton}
!${otherMethods(page, [])}`,
  });
}

/** Renders the alternatives: request another code or notification, or use another method. */
function otherMethods(page: SignInPage, rows: readonly Button[]): string {
  const { mfaMethods, mfaMethod } = page.view;
  const label = page.tenant.texts.text('action.other-method');
  const others: readonly Button[] = mfaMethods.some((method) => method !== mfaMethod)
    ? [...rows, { control: 'other-method', label, weight: 'secondary' }]
    : rows;
  return others.length === 0 ? '' : form(page, buttons(...others));
}
