import { html } from 'ghtml';
import { passkeyTypes } from '../../../../machines/vocabulary.ts';
import { passkeyNameCharactersMax } from '../../../contract/credential.schema.ts';
import type { FormFault } from '../form-fault.ts';
import { passkeyTypeLabels } from './method-texts.ts';
import {
  button,
  ceremonyButton,
  faultMessage,
  field,
  form,
  passkeyForm,
  type SignInPage,
  signInPage,
} from './sign-in-page.ts';

const options = passkeyTypes
  .map((type) => html`<option value="${type}">${passkeyTypeLabels[type]}</option>`)
  .join('\n');

/** Where the passkey is saved. The browser makes it, or the test authenticator of the simulator does. */
export function setupPasskeyPage(page: SignInPage): string {
  const open = page.fault === null ? '' : ' open';
  return signInPage(page, {
    heading: 'Set up a passkey',
    prompts: true,
    body: html`<p>Your browser asks where the passkey is to be saved: on this device, on a phone or on a security key.</p>
!${passkeyForm(page, 'create', html`<div class="actions">!${ceremonyButton('make-passkey', 'Create passkey')}</div>`)}
!${form(page, html`<div class="actions">!${button('fail', 'It did not work', 'secondary')}</div>`)}
<details!${open}>
<summary>Use the test authenticator</summary>
<p class="note">It makes a passkey of the kind that you choose, without a device.</p>
!${form(
      page,
      html`!${typeField(page.fault)}
!${field({
        name: 'deviceId',
        label: 'Device',
        attributes: html`type="text" value="${page.view.deviceId}" autocomplete="off" maxlength="256" required`,
        message: page.fault === 'device-missing' ? 'Enter the id of a device.' : null,
      })}
<div class="actions">!${button('finish', 'Finish')}</div>`,
    )}
</details>`,
  });
}

function typeField(fault: FormFault | null): string {
  const wrong = fault === 'passkey-type-unknown';
  const described = wrong ? ' aria-invalid="true" aria-describedby="passkeyType-fault"' : '';
  return html`<label for="passkeyType">Kind of passkey</label>
<select id="passkeyType" name="passkeyType"!${described}>
!${options}
</select>
!${wrong ? faultMessage('passkeyType', 'Choose one of the kinds in the list.') : ''}`;
}

/** The passkey is made; with its name it is registered. */
export function setupNamePage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Name your passkey',
    prompts: true,
    body: html`<p>A name helps you to tell your passkeys apart later.</p>
!${form(
      page,
      html`!${field({
        name: 'name',
        label: 'Name',
        attributes: html`type="text" value="${page.view.passkeyName ?? ''}" maxlength="${passkeyNameCharactersMax}" autocomplete="off" autofocus required`,
        message: page.fault === 'passkey-name-missing' ? 'Enter a name.' : null,
      })}
<div class="actions">!${button('name-passkey', 'Save')}</div>`,
    )}`,
  });
}
