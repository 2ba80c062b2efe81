import { html } from 'ghtml';
import type { SandboxUser } from '../../../contract/sandbox.schema.ts';
import { layout, type PageTenant } from './layout.ts';
import type { applicationPages } from './page-names.ts';

/** A page that stands between an application and the end of its sign-in. */
export interface ApplicationPage {
  readonly tenant: PageTenant;
  /** Where its form goes. */
  readonly action: string;
  readonly formToken: string;
  readonly clientName: string;
  readonly user: Pick<SandboxUser, 'userPrincipalName' | 'displayName'>;
}

/** What a scope lets an application do, for the people who are asked. Scopes without an entry stand for themselves. */
const scopeTexts: Readonly<Record<string, string>> = {
  openid: 'Sign you in',
  profile: 'See your name',
  email: 'See your e-mail address',
  offline_access: 'Keep the access that you give it',
  'Policy.Read.All': 'Read the policies of your organisation',
  'Policy.ReadWrite.AuthenticationMethod': 'Change the policy of sign-in methods',
};

/** Consent: what the application asks for, and whether the user lets it. */
export function consentPage(page: ApplicationPage, scopes: readonly string[]): string {
  return applicationPage(page, {
    name: 'consent',
    heading: `Let ${page.clientName} go on?`,
    body: html`<p><strong>${page.clientName}</strong> wants to:</p>
<ul>
!${scopes.map((scope) => html`<li>${scopeTexts[scope] ?? scope}</li>`)}
</ul>`,
    buttons: [
      ['grant', 'Accept', 'primary'],
      ['refuse', 'Cancel', 'secondary'],
    ],
  });
}

/** Whether the browser keeps the session over its own end. */
export function staySignedInPage(page: ApplicationPage): string {
  return applicationPage(page, {
    name: 'stay-signed-in',
    heading: 'Stay signed in?',
    body: '<p>Then you are asked to sign in less often in this browser.</p>',
    buttons: [
      ['stay', 'Yes', 'primary'],
      ['go', 'No', 'secondary'],
    ],
  });
}

/** The accounts that are signed in in this browser, and the way to another one. */
export function accountPickerPage(page: ApplicationPage): string {
  const { user } = page;
  return applicationPage(page, {
    name: 'account-picker',
    heading: 'Pick an account',
    body: html`<p>to go on to <strong>${page.clientName}</strong></p>`,
    buttons: [
      ['keep', `${user.displayName} (${user.userPrincipalName})`, 'primary'],
      ['other', 'Use another account', 'secondary'],
    ],
  });
}

interface Parts {
  readonly name: (typeof applicationPages)[number];
  readonly heading: string;
  readonly body: string;
  readonly buttons: readonly (readonly [action: string, label: string, weight: 'primary' | 'secondary'])[];
}

function applicationPage(page: ApplicationPage, { name, heading, body, buttons }: Parts): string {
  const { tenant, action, formToken, user } = page;
  return layout({
    title: heading,
    name,
    tenant,
    body: html`<p class="who">${user.userPrincipalName}</p>
<h1>${heading}</h1>
!${body}
<form method="post" action="${action}">
<input type="hidden" name="formToken" value="${formToken}">
<div class="actions">!${buttons.map(
      ([value, label, weight]) => html`<button class="${weight}" name="action" value="${value}">${label}</button>`,
    )}</div>
</form>`,
  });
}
