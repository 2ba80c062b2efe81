import { html } from 'ghtml';
import type { FormFault } from '../form-fault.ts';
import { phoneNote } from './mfa.page.ts';
import { button, form, formMessage, messageFor, type SignInPage, signInPage } from './sign-in-page.ts';

const messages: Partial<Record<FormFault, string>> = {
  'push-waiting': 'The request has not been approved yet. Approve it in the app, then finish.',
  'push-denied': 'The request was denied. Send another one, or say that it did not work.',
};

const failButton = () => button('fail', 'It did not work', 'secondary');

/** Adding the account to the app: a code to scan, or a secret to type. */
export function setupAppPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Set up the authenticator app',
    prompts: true,
    body: html`<ol>
<li>Install the authenticator app on your phone.</li>
<li>Scan this code in the app.</li>
</ol>
<div class="qr" role="img" aria-label="QR code that adds this account to the authenticator app">!${page.appSetup?.qrCode ?? ''}</div>
<p class="note">Cannot scan it? Enter this key: <code>${page.appSetup?.secret ?? ''}</code></p>
!${form(page, html`<div class="actions">!${button('try-app', 'Next')}!${failButton()}</div>`)}`,
  });
}

/** The test notification: the app is registered when it was approved. */
export function setupTestPage(page: SignInPage): string {
  const { push } = page.view;
  return signInPage(page, {
    heading: 'Let us try it out',
    prompts: true,
    body: html`<p>We sent a request to your app. Enter this number there to approve it.</p>
<p class="number" data-number="${push?.number ?? ''}">${push?.number ?? ''}</p>
!${phoneNote(page)}
!${formMessage(messageFor(page.fault, messages))}
!${form(
      page,
      html`<div class="actions">!${button('finish', 'Finish')}!${button('send-push', 'Send another request', 'secondary')}!${failButton()}</div>`,
    )}`,
  });
}
