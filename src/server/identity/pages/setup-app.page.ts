import { html } from 'ghtml';
import { button, form, type SignInPage, signInPage } from './sign-in-page.ts';

/** Stands for registering the app for codes and push: it says whether that went well. */
export function setupAppPage(page: SignInPage): string {
  return signInPage(page, {
    heading: 'Set up the authenticator app',
    body: html`<ol>
<li>Install the authenticator app on your phone.</li>
<li>Add this account in the app.</li>
<li>Approve the test request that the app shows.</li>
</ol>
<p class="note">In this simulator no phone is needed: the buttons say how it went.</p>
!${form(
      page,
      html`<div class="actions">!${button('finish', 'Finish')}!${button('fail', 'It did not work', 'secondary')}</div>`,
    )}`,
  });
}
