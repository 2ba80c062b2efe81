import { html } from 'ghtml';
import { passkeyTypes } from '../../../../machines/vocabulary.ts';
import { passkeyNameCharactersMax } from '../../../contract/credential.schema.ts';
import {
  buttons,
  faultMessage,
  field,
  form,
  messageFor,
  passkeyForm,
  type SignInPage,
  signInPage,
} from './sign-in-page.ts';

/** Renders the page that creates a passkey with the browser or with the software authenticator. */
export function setupPasskeyPage(page: SignInPage): string {
  const { texts } = page.tenant;
  const open = page.fault === null ? '' : ' open';
  return signInPage(page, {
    heading: texts.text('method.fido2.heading'),
    prompts: true,
    body: html`<p>${texts.text('setup-passkey.lead')}</p>
!${passkeyForm(page, 'create', buttons({ control: 'make-passkey', label: texts.text('setup-passkey.create'), starts: true }))}
!${form(page, buttons({ control: 'fail', label: texts.text('action.fail'), weight: 'secondary' }))}
<details!${open}>
<summary data-control="open-test-authenticator">${texts.text('setup-passkey.test')}</summary>
<p class="note">${texts.text('setup-passkey.test-note')}</p>
!${form(
      page,
      html`!${typeField(page)}
!${field({
        name: 'deviceId',
        control: 'device',
        label: texts.text('setup-passkey.device'),
        attributes: html`type="text" value="${page.view.deviceId}" autocomplete="off" maxlength="256" required`,
        message: messageFor(page, { 'device-missing': 'setup-passkey.device-missing' }),
      })}
!${buttons({ control: 'finish', label: texts.text('action.finish') })}`,
    )}
</details>`,
  });
}

function typeField(page: SignInPage): string {
  const { texts } = page.tenant;
  const message = messageFor(page, { 'passkey-type-unknown': 'setup-passkey.type-unknown' });
  const described = message === null ? '' : ' aria-invalid="true" aria-describedby="passkeyType-fault"';
  const options = passkeyTypes.map(
    (type) => html`<option value="${type}">${texts.text(`passkey-type.${type}`)}</option>
`,
  );
  return html`<label for="passkeyType">${texts.text('setup-passkey.type')}</label>
<select id="passkeyType" name="passkeyType" data-control="passkey-type"!${described}>
!${options}
</select>
!${message === null ? '' : faultMessage('passkeyType', message)}`;
}

/** Renders the page for naming the created passkey. Saving the name registers the passkey. */
export function setupNamePage(page: SignInPage): string {
  const { texts } = page.tenant;
  return signInPage(page, {
    heading: texts.text('setup-name.heading'),
    prompts: true,
    body: html`<p>${texts.text('setup-name.lead')}</p>
!${form(
      page,
      html`!${field({
        name: 'name',
        control: 'passkey-name',
        label: texts.text('setup-name.label'),
        attributes: html`type="text" value="${page.view.passkeyName ?? ''}" maxlength="${passkeyNameCharactersMax}" autocomplete="off" autofocus required`,
        message: messageFor(page, { 'passkey-name-missing': 'setup-name.missing' }),
      })}
!${buttons({ control: 'name-passkey', label: texts.text('action.save') })}`,
    )}`,
  });
}
