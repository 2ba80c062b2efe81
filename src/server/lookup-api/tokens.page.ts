import { html } from 'ghtml';
import type { LookupToken } from '../../contract/lookup.schema.ts';
import { layout, type PageTenant } from '../identity/pages/layout.ts';
import { field, formMessage } from '../identity/pages/sign-in-page.ts';

/** Maximum number of characters in a token name. */
export const tokenNameCharactersMax = 100;

const messages = {
  'password-wrong': 'The email address or the password is incorrect.',
  'account-suspended': 'The account is suspended.',
  'too-many-guesses': 'Too many failed attempts. Try again in 10 minutes on the virtual clock.',
  'name-missing': 'Enter a name.',
} as const;

/** Errors in the forms of these pages. */
export type TokensFault = keyof typeof messages;

interface Page {
  readonly tenant: PageTenant;
  readonly address: string;
  readonly fault: TokensFault | null;
}

/** Renders the page on which an account of the lookup API signs in to manage its tokens. */
export function tokensSignInPage({ tenant, address, fault, email }: Page & { readonly email: string }): string {
  const heading = 'Lookup API tokens';
  return layout({
    title: fault === null ? heading : `Error: ${heading}`,
    part: 'lookup',
    name: 'lookup-sign-in',
    tenant,
    body: html`<h1>${heading}</h1>
<p>Sign in with a lookup API account. These accounts are separate from the users of the simulated sign-in.</p>
!${formMessage(fault === null ? null : messages[fault])}
<form method="post" action="${address}">
!${field({
      name: 'email',
      label: 'Email address',
      attributes: html`type="text" inputmode="email" value="${email}" autocomplete="username" required`,
      message: null,
    })}
!${field({
      name: 'password',
      label: 'Password',
      attributes: 'type="password" autocomplete="current-password" required',
      message: null,
    })}
<div class="actions"><button class="primary" name="action" value="sign-in">Sign in</button></div>
</form>`,
  });
}

/** Input of an account's token page. */
export interface TokensPage extends Page {
  readonly formToken: string;
  readonly email: string;
  readonly tokens: readonly Omit<LookupToken, 'tokenHash'>[];
  /** Newly issued token, which is displayed only once. */
  readonly issued: { readonly name: string; readonly token: string } | null;
  /** URL of the lookup API. */
  readonly apiAddress: string;
}

/** Renders the page that issues, renames, and revokes the tokens of an account. */
export function tokensPage(page: TokensPage): string {
  const { tenant, email, fault, issued, apiAddress } = page;
  const heading = 'Your tokens';
  return layout({
    title: fault === null ? heading : `Error: ${heading}`,
    part: 'lookup',
    name: 'lookup-tokens',
    tenant,
    body: html`<p class="who">${email}</p>
<h1>${heading}</h1>
!${formMessage(fault === null ? null : messages[fault])}
!${issued === null ? '' : issuedNotice(issued)}
!${tokenList(page)}
<h2>Issue a token</h2>
!${smallForm(page, html`!${nameField('name', '')}<button class="primary" name="action" value="issue">Issue</button>`)}
<p class="note">Send a token as <code>Authorization: Bearer</code> to <code>${apiAddress}</code>. Each token allows 30 requests per minute and 1,000 per month.</p>
!${smallForm(page, '<div class="actions"><button class="secondary" name="action" value="sign-out">Sign out</button></div>')}`,
  });
}

function issuedNotice({ name, token }: NonNullable<TokensPage['issued']>): string {
  return html`<p class="notice" role="status">Token “${name}” was issued. Copy it now; it is shown only once.</p>
<p><code data-token>${token}</code></p>`;
}

function tokenList(page: TokensPage): string {
  if (page.tokens.length === 0) return '<p>You have no tokens.</p>';
  return html`<ul class="list">!${page.tokens.map((token) => tokenRow(page, token))}</ul>`;
}

function tokenRow(page: TokensPage, { id, name }: TokensPage['tokens'][number]): string {
  const hidden = html`<input type="hidden" name="token" value="${id}">`;
  return html`<li><span>${name}</span>!${smallForm(
    page,
    html`!${hidden}<button class="secondary" name="action" value="revoke" aria-label="Revoke ${name}">Revoke</button>`,
  )}<details><summary>Rename ${name}</summary>!${smallForm(
    page,
    html`!${hidden}!${nameField(`name-${id}`, name)}<button class="secondary" name="action" value="rename">Save</button>`,
  )}</details></li>`;
}

function nameField(id: string, value: string): string {
  return field({
    name: 'name',
    id,
    label: 'Name',
    attributes: html`type="text" value="${value}" maxlength="${tokenNameCharactersMax}" autocomplete="off" required`,
    message: null,
  });
}

function smallForm({ address, formToken }: TokensPage, content: string): string {
  return html`<form method="post" action="${address}"><input type="hidden" name="formToken" value="${formToken}">!${content}</form>`;
}
