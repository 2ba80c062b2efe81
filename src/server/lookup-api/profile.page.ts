import { html } from 'ghtml';
import { layout, type PageTenant } from '../identity/pages/layout.ts';

/** Content of an account's profile page. */
export interface ProfilePage {
  readonly tenant: PageTenant;
  readonly toolName: string;
  readonly toolId: string;
  /** Username. `null` if the account was found by its username, which the page does not know. */
  readonly username: string | null;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  /** URL of the avatar. */
  readonly avatar: string;
}

/** Renders the page of a `profile_url`. */
export function profilePage({ tenant, toolName, toolId, username, fields, avatar }: ProfilePage): string {
  const rows = Object.entries(fields).map(([name, value]) => html`<dt>${name}</dt><dd>${String(value)}</dd>`);
  return layout({
    title: `Account on ${toolName}`,
    part: 'lookup',
    name: 'profile',
    marks: html` data-tool="${toolId}"`,
    tenant,
    body: html`<h1>Account on ${toolName}</h1>
<p><img src="${avatar}" alt="Generated picture of the account" width="96" height="96"></p>
<dl>
!${username === null ? '' : html`<dt>username</dt><dd>${username}</dd>`}
!${rows.join('\n')}
</dl>
<p>This synthetic account is generated from a random seed and belongs to no one.</p>`,
  });
}
