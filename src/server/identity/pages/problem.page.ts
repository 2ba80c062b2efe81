import { html } from 'ghtml';
import { layout, type PageTenant } from './layout.ts';

/** What went wrong and what can be done about it, as a row of the error table tells it. */
export interface ProblemPage {
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly action: string;
  readonly tenant: PageTenant;
  /** Where a new sign-in begins. */
  readonly beginning: string;
}

/** A request that no page can answer. */
export function problemPage({ code, title, message, action, tenant, beginning }: ProblemPage): string {
  return layout({
    title,
    name: 'problem',
    marks: html` data-error="${code}"`,
    tenant,
    body: html`<h1>${title}</h1>
<p role="alert">${message}</p>
<p>${action}</p>
<div class="actions"><a class="primary" href="${beginning}">Begin a new sign-in</a></div>
<p class="note">Error code: <code>${code}</code></p>`,
  });
}
