import { html } from 'ghtml';
import type { SandboxUser } from '../../../contract/sandbox.schema.ts';
import { english, type TextKey } from '../texts/english.ts';
import { layout, type PageTenant } from './layout.ts';
import type { applicationPages } from './page-names.ts';
import { type Button, buttons } from './sign-in-page.ts';

/** Input of a page between an application and the end of its sign-in. */
export interface ApplicationPage {
  readonly tenant: PageTenant;
  /** URL to which the form is submitted. */
  readonly action: string;
  readonly formToken: string;
  readonly clientName: string;
  readonly user: Pick<SandboxUser, 'userPrincipalName' | 'displayName'>;
}

const strong = (content: string): string => html`<strong>!${content}</strong>`;

/**
 * Renders the consent page, which lists the scopes that the application requests. Scopes without a text show their
 * name.
 */
export function consentPage(page: ApplicationPage, scopes: readonly string[]): string {
  const { tenant, clientName: application } = page;
  const { texts } = tenant;
  const label = (scope: string): string => {
    const key = `consent.scope.${scope}`;
    return Object.hasOwn(english, key) ? texts.text(key as TextKey) : scope;
  };
  return applicationPage(page, {
    name: 'consent',
    heading: texts.text('consent.heading', { application }),
    body: html`<p>!${texts.html('consent.lead', { application }, { name: strong })}</p>
<ul>
!${scopes.map((scope) => html`<li>${label(scope)}</li>`)}
</ul>`,
    rows: [
      { control: 'grant', label: texts.text('action.accept') },
      { control: 'refuse', label: texts.text('action.cancel'), weight: 'secondary' },
    ],
  });
}

/** Renders the page that offers to keep the session after the browser is closed. */
export function staySignedInPage(page: ApplicationPage): string {
  const { texts } = page.tenant;
  return applicationPage(page, {
    name: 'stay-signed-in',
    heading: texts.text('stay-signed-in.heading'),
    body: html`<p>${texts.text('stay-signed-in.lead')}</p>`,
    rows: [
      { control: 'stay', label: texts.text('stay-signed-in.yes') },
      { control: 'go', label: texts.text('stay-signed-in.no'), weight: 'secondary' },
    ],
  });
}

/** Renders the list of accounts that are signed in in this browser, with an option to use another account. */
export function accountPickerPage(page: ApplicationPage): string {
  const { tenant, user, clientName: application } = page;
  const { texts } = tenant;
  const { displayName, userPrincipalName: username } = user;
  return applicationPage(page, {
    name: 'account-picker',
    heading: texts.text('account-picker.heading'),
    body: html`<p>!${texts.html('name.application', { application }, { name: strong })}</p>`,
    rows: [
      { control: 'keep', label: texts.text('account-picker.account', { displayName, username }) },
      { control: 'other', label: texts.text('account-picker.other'), weight: 'secondary' },
    ],
  });
}

interface Parts {
  readonly name: (typeof applicationPages)[number];
  readonly heading: string;
  readonly body: string;
  readonly rows: readonly Button[];
}

function applicationPage(page: ApplicationPage, { name, heading, body, rows }: Parts): string {
  const { tenant, action, formToken, user } = page;
  return layout({
    title: heading,
    name,
    tenant,
    body: html`<p class="who"><bdi>${user.userPrincipalName}</bdi></p>
<h1>${heading}</h1>
!${body}
<form method="post" action="${action}">
<input type="hidden" name="formToken" value="${formToken}">
!${buttons(...rows)}
</form>`,
  });
}
