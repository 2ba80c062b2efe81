import { html } from 'ghtml';
import type { OwnPromptView } from '../../../sandbox/own-prompt-view.ts';
import { phoneNote } from './mfa.page.ts';
import { ownHeading } from './own-texts.ts';
import { setupAppPage } from './setup-app.page.ts';
import { setupPasskeyPage } from './setup-passkey.page.ts';
import { buttons, faultMessage, field, form, messageFor, type SignInPage, signInPage } from './sign-in-page.ts';

/** Renders the setup of an own campaign's method, by its kind (OC45). */
export function ownSetupPage(page: SignInPage, own: OwnPromptView): string {
  switch (own.method.kind) {
    case 'passkey':
      return setupPasskeyPage(page);
    case 'app':
      return setupAppPage(page);
    case 'totp':
      return signInPage(page, content(page, own, html`!${qrCode(page)}!${codeField(page)}`));
    case 'phone':
    case 'email': {
      const lead = page.tenant.texts.text(`setup-code.${own.method.kind}`);
      return signInPage(
        page,
        content(
          page,
          own,
          html`<p>${lead}</p>
!${codeField(page)}`,
        ),
      );
    }
    case 'password':
      return signInPage(page, content(page, own, passwordFields(page)));
    case 'terms':
      return signInPage(page, content(page, own, termsBox(page, own)));
    case 'form':
      return signInPage(page, content(page, own, html`<p>${page.tenant.texts.text('setup-form.lead')}</p>`));
  }
}

/** Returns the content of a setup page: what is asked for, and the buttons to complete it and to report a failure. */
function content(page: SignInPage, own: OwnPromptView, request: string) {
  const { texts } = page.tenant;
  const { kind } = own.method;
  const needsPhone = kind === 'totp' || kind === 'phone' || kind === 'email';
  return {
    heading: ownHeading(page, own),
    prompts: true,
    body: html`!${needsPhone ? phoneNote(page) : ''}
!${form(
      page,
      html`!${request}
!${buttons({ control: 'complete-setup', label: texts.text('action.done') })}`,
    )}
!${form(page, buttons({ control: 'fail', label: texts.text('action.fail'), weight: 'secondary' }))}`,
  };
}

function qrCode({ tenant: { texts }, appSetup }: SignInPage): string {
  const code = (secret: string): string => html`<code dir="ltr">!${secret}</code>`;
  return html`<p>${texts.text('setup-app.scan')}</p>
<div class="qr" role="img" aria-label="${texts.text('setup-app.image')}">!${appSetup?.qrCode ?? ''}</div>
<p class="note">!${texts.html('setup-app.key', { secret: appSetup?.secret ?? '' }, { key: code })}</p>
`;
}

function codeField(page: SignInPage): string {
  return field({
    name: 'code',
    control: 'setup-code',
    label: page.tenant.texts.text('code.label'),
    attributes: 'type="text" inputmode="numeric" autocomplete="one-time-code" required',
    message: messageFor(page, { 'code-missing': 'code.missing', 'code-wrong': 'code.wrong' }),
  });
}

function passwordFields(page: SignInPage): string {
  const { texts } = page.tenant;
  const attributes = 'type="password" autocomplete="new-password" maxlength="256" required';
  return html`!${field({
    name: 'password',
    control: 'new-password',
    label: texts.text('setup-password.new'),
    attributes,
    message: messageFor(page, { 'password-missing': 'setup-password.missing' }),
  })}
!${field({
    name: 'repeated',
    control: 'repeated-password',
    label: texts.text('setup-password.repeated'),
    attributes,
    message: messageFor(page, { 'password-differs': 'setup-password.differs' }),
  })}`;
}

function termsBox(page: SignInPage, { method }: OwnPromptView): string {
  const message = messageFor(page, { 'terms-not-accepted': 'setup-terms.missing' });
  const described = message === null ? '' : html` aria-invalid="true" aria-describedby="accepted-fault"`;
  const label = page.tenant.texts.text('setup-terms.accept', { method: method.label });
  return html`<label class="choice"><input type="checkbox" name="accepted" value="yes" data-control="accept-terms"!${described}> ${label}</label>
!${message === null ? '' : faultMessage('accepted', message)}`;
}
