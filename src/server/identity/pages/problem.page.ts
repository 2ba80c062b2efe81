import { html } from 'ghtml';
import { getBasePath, getStartPath } from '../addresses.ts';
import { textsIn } from '../texts/page-texts.ts';
import { layout, type PageTenant, type ServerPart } from './layout.ts';

/** Problem with its suggested action, as in the error table. */
export interface ProblemPage {
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly action: string;
  readonly tenant: PageTenant;
  /** Part of the server. Defaults to sign-in. */
  readonly part?: ServerPart;
}

/** Texts for users that replace the texts for API clients in the error table. */
type PersonTexts = Partial<Pick<ProblemPage, 'title' | 'message' | 'action'>>;

const notListed: PersonTexts = {
  title: 'Unlisted document',
  message: 'This document is available only through its complete URL.',
  action: 'Ask the owner for the URL that ends in its uid.',
};

const personTexts: Readonly<Record<ServerPart, Readonly<Record<string, PersonTexts>>>> = {
  'sign-in': { 'not-found': { action: 'Check the URL, or continue from the start page.' } },
  documents: {
    'not-found': { action: 'Check the URL. The URL of a document contains its number.' },
    'document-not-found': {
      message: 'The document does not exist or is private.',
      action: 'Check the URL. A private document requires a temporary URL, which its owner can provide.',
    },
    unauthenticated: notListed,
    'access-denied': notListed,
  },
  console: { 'not-found': { action: 'Check the URL, or continue from the start page.' } },
  lookup: { 'not-found': { action: 'Send a lookup request again: its response contains the URLs of accounts.' } },
};

/** Renders the error page for a request that failed. */
export function problemPage(problem: ProblemPage): string {
  const { code, tenant, part = 'sign-in' } = problem;
  const { title, message, action } = { ...problem, ...personTexts[part][code] };
  const begins = part === 'sign-in' && code !== 'not-found';
  const address = begins ? getBasePath(tenant.sandboxId) : getStartPath(tenant.sandboxId);
  const texts = part === 'sign-in' ? tenant.texts : textsIn('en');
  const codeElement = (content: string): string => html`<code>!${content}</code>`;
  return layout({
    title,
    part,
    name: 'problem',
    marks: html` data-error="${code}"`,
    tenant,
    // Errors are in English, because users look them up in logs and API documentation.
    body: html`<div lang="en" dir="ltr"><h1>${title}</h1>
<p role="alert">${message}</p>
<p>${action}</p></div>
<div class="actions"><a class="primary" href="${address}">${texts.text(begins ? 'problem.restart' : 'problem.start-page')}</a></div>
<p class="note">!${texts.html('problem.code', { code }, { code: codeElement })}</p>`,
  });
}
