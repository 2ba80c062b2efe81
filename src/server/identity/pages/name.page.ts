import { html } from 'ghtml';
import { layout } from './layout.ts';
import { field } from './sign-in-page.ts';

/** What the first page is rendered from. */
export interface NamePage {
  readonly sandboxId: string;
  /** Where sign-ins begin. */
  readonly beginning: string;
  /** What was typed before, when it named nobody. */
  readonly unknownName: string | null;
}

/** The first page: who signs in. */
export function namePage({ sandboxId, beginning, unknownName }: NamePage): string {
  const message = unknownName === null ? null : unknownName === '' ? 'Enter a user name.' : 'No user has this name.';
  return layout({
    title: message === null ? 'Sign in' : 'Error: Sign in',
    name: 'name',
    sandboxId,
    body: html`<h1>Sign in</h1>
<form method="post" action="${beginning}">
!${field({
      name: 'username',
      label: 'User name',
      attributes: html`type="text" value="${unknownName ?? ''}" placeholder="someone@example.test" autocomplete="username" autocapitalize="none" spellcheck="false" autofocus required`,
      message,
    })}
<div class="actions"><button class="primary">Next</button></div>
</form>`,
  });
}
