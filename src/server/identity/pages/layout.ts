import { html } from 'ghtml';
import type { Branding } from '../../../contract/sandbox.schema.ts';
import { scriptPath, stylesheetPath } from '../assets.ts';
import type { PageOfServer } from './page-names.ts';

/** The tenant whose page it is. */
export interface PageTenant {
  readonly sandboxId: string;
  readonly branding: Branding | null;
  /** Address of the stylesheet with the tenant's colour; `null` without one. */
  readonly brandStylesheet: string | null;
}

/** What a page is part of; pages say it, so that nobody takes a simulated thing for a real one. */
export type ServerPart = 'sign-in' | 'documents' | 'lookup' | 'console';

const partTexts: Readonly<Record<ServerPart, { readonly headline: string; readonly testData: string }>> = {
  'sign-in': { headline: 'simulated sign-in', testData: 'Accounts, codes and passkeys here are test data.' },
  documents: { headline: 'simulated documents', testData: 'Documents here are test data.' },
  lookup: { headline: 'simulated lookup service', testData: 'Accounts and tokens here are test data.' },
  console: { headline: 'console', testData: 'The console shows and changes every sandbox of this server.' },
};

/** What every page has in common; texts are escaped here, `body` is HTML that a template has escaped already. */
export interface Frame {
  readonly title: string;
  /** What a program calls the page, as `data-page`. */
  readonly name: PageOfServer;
  /** More marks for programs: `data-*` attributes of the main part. */
  readonly marks?: string;
  /** Shown around the page, so that nobody takes a simulated page for a real one. */
  readonly tenant: PageTenant;
  readonly body: string;
  /** A page of a sign-in where it is left out. */
  readonly part?: ServerPart;
  /** Whether the page needs the client script: for passkeys, and to tell that a prompt was left. */
  readonly script?: boolean;
  /** Addresses of a further stylesheet and script that the page alone needs. */
  readonly ownStylesheet?: string;
  readonly ownScript?: string;
}

/** The one page design: a header, one card with the main part, a footer. Takes its parts; returns the document. */
export function layout(frame: Frame): string {
  const { title, name, marks = '', tenant, body, part = 'sign-in', script = false, ownStylesheet, ownScript } = frame;
  const { sandboxId, branding, brandStylesheet } = tenant;
  const { headline, testData } = partTexts[part];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${branding?.name ?? 'NudgeLab'}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheetPath}">
!${brandStylesheet === null ? '' : html`<link rel="stylesheet" href="${brandStylesheet}">`}
!${ownStylesheet === undefined ? '' : html`<link rel="stylesheet" href="${ownStylesheet}">`}
!${ownScript === undefined ? '' : html`<script type="module" src="${ownScript}"></script>`}
!${script ? html`<script type="module" src="${scriptPath}"></script>` : ''}
</head>
<body>
<header>!${whose(branding, headline)}</header>
<main data-page="${name}"!${marks}>
!${body}
</main>
<footer><p>!${part === 'console' ? '' : html`Sandbox <strong>${sandboxId}</strong>. `}${testData}</p></footer>
</body>
</html>
`;
}

function whose(branding: Branding | null, headline: string): string {
  if (branding === null) return html`<p><strong>NudgeLab</strong> ${headline}</p>`;
  const { name, logo } = branding;
  const picture = logo === undefined ? '' : html`<img src="${logo}" alt="" height="32">`;
  return html`<p>!${picture}<strong>${name}</strong> simulated by NudgeLab</p>`;
}
