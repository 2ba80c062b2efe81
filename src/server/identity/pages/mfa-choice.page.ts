import { html } from 'ghtml';
import { buttons, form, formMessage, messageFor, type SignInPage, signInPage } from './sign-in-page.ts';

/** Renders the list of methods with which the user can complete the second factor. */
export function mfaChoicePage(page: SignInPage): string {
  const { mfaMethods, mfaMethod } = page.view;
  const { texts } = page.tenant;
  const choices = mfaMethods.map(
    (method) =>
      html`<label class="choice"><input type="radio" name="method" value="${method}" data-control="method"!${method === mfaMethod ? ' checked' : ''}> ${texts.text(`mfa-choice.${method}`)}</label>
`,
  );
  return signInPage(page, {
    heading: texts.text('mfa-choice.heading'),
    body: html`!${formMessage(messageFor(page, { 'method-missing': 'mfa-choice.missing' }))}
!${form(
      page,
      html`<fieldset><legend>${texts.text('mfa-choice.legend')}</legend>
!${choices}
</fieldset>
!${buttons({ control: 'use-method', label: texts.text('action.continue') })}`,
    )}`,
  });
}
