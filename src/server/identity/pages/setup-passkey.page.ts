import { html } from 'ghtml';
import { passkeyTypes } from '../../../../machines/vocabulary.ts';
import type { FormFault } from '../journey.ts';
import { passkeyTypeLabels } from './method-texts.ts';
import { button, faultMessage, field, form, type SignInPage, signInPage } from './sign-in-page.ts';

const options = passkeyTypes
  .map((type) => html`<option value="${type}">${passkeyTypeLabels[type]}</option>`)
  .join('\n');

/** Stands for registering a passkey: it carries the kind that is made and the device that it is made on (R12, A9). */
export function setupPasskeyPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Set up a passkey',
    body: html`<p>Choose where the passkey is kept. In this simulator the buttons say how it went.</p>
!${form(
      page,
      html`!${typeField(page.fault)}
!${field({
        name: 'deviceId',
        label: 'Device',
        attributes: html`type="text" value="${page.view.deviceId}" autocomplete="off" maxlength="256" required`,
        message: page.fault === 'device-missing' ? 'Enter the id of a device.' : null,
      })}
<div class="actions">!${button('finish', 'Finish')}!${button('fail', 'It did not work', 'secondary')}</div>`,
    )}`,
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
