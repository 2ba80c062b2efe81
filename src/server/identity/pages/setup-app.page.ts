import { html } from 'ghtml';
import { phoneNote } from './mfa.page.ts';
import { type Button, buttons, form, formMessage, messageFor, type SignInPage, signInPage } from './sign-in-page.ts';

const failButton = ({ tenant: { texts } }: SignInPage): Button => ({
  control: 'fail',
  label: texts.text('action.fail'),
  weight: 'secondary',
});

/** Renders the page that adds the account to the app with a QR code or a key. */
export function setupAppPage(page: SignInPage): string {
  const { texts } = page.tenant;
  const code = (content: string): string => html`<code dir="ltr">!${content}</code>`;
  return signInPage(page, {
    heading: texts.text('method.vendorAuthenticator.heading'),
    prompts: true,
    body: html`<ol>
<li>${texts.text('setup-app.install')}</li>
<li>${texts.text('setup-app.scan')}</li>
</ol>
<div class="qr" role="img" aria-label="${texts.text('setup-app.image')}">!${page.appSetup?.qrCode ?? ''}</div>
<p class="note">!${texts.html('setup-app.key', { secret: page.appSetup?.secret ?? '' }, { key: code })}</p>
!${form(page, buttons({ control: 'try-app', label: texts.text('action.next') }, failButton(page)))}`,
  });
}

/** Renders the test notification. Approving it registers the app. */
export function setupTestPage(page: SignInPage): string {
  const { push } = page.view;
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text('setup-test.heading'),
    prompts: true,
    body: html`<p>${texts.text('setup-test.lead')}</p>
<p class="number" data-number="${push?.number ?? ''}">${push?.number ?? ''}</p>
!${phoneNote(page)}
!${formMessage(messageFor(page, { 'push-waiting': 'setup-test.waiting', 'push-denied': 'setup-test.denied' }))}
!${form(
      page,
      buttons(
        { control: 'finish', label: texts.text('action.finish') },
        { control: 'send-push', label: texts.text('action.send-push'), weight: 'secondary' },
        failButton(page),
      ),
    )}`,
  });
}
