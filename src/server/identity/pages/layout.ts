import { html } from 'ghtml';
import type { Branding } from '../../../contract/sandbox.schema.ts';
import { scriptPath, stylesheetPath } from '../assets.ts';
import { type PageTexts, textsIn } from '../texts/page-texts.ts';
import type { PageOfServer } from './page-names.ts';

/** The tenant whose page it is, and the language of the page. */
export interface PageTenant {
  readonly sandboxId: string;
  readonly texts: PageTexts;
  readonly branding: Branding | null;
  /** Address of the stylesheet with the tenant's color; `null` without one. */
  readonly brandStylesheet: string | null;
}

/** The part of the server that a page belongs to. Every page states it, so that simulated data is not taken for real data. */
export type ServerPart = 'sign-in' | 'documents' | 'lookup' | 'console';

/** The parts whose pages are in English only. */
const partTexts: Readonly<
  Record<Exclude<ServerPart, 'sign-in'>, { readonly headline: string; readonly testData: string }>
> = {
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
  /** Shown around the page, so that no one takes a simulated page for a real one. */
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

/** Renders a page: a header, one card with the main part, and a footer. Returns the document. */
export function layout(frame: Frame): string {
  const { title, name, marks = '', tenant, body, part = 'sign-in', script = false, ownStylesheet, ownScript } = frame;
  const { branding, brandStylesheet } = tenant;
  const { language, direction } = part === 'sign-in' ? tenant.texts : textsIn('en');
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
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
<header>!${headerText(tenant, part)}</header>
<main data-page="${name}"!${marks}>
!${body}
</main>
<footer><p>!${footerText(tenant, part)}</p></footer>
</body>
</html>
`;
}

const strong = (content: string): string => html`<strong>!${content}</strong>`;

function headerText({ branding, texts }: PageTenant, part: ServerPart): string {
  const logo = branding?.logo === undefined ? '' : html`<img src="${branding.logo}" alt="" height="32">`;
  if (part === 'sign-in') {
    const text =
      branding === null
        ? texts.html('frame.plain', {}, { name: strong })
        : texts.html('frame.branded', { tenant: branding.name }, { name: strong });
    return html`<p>!${logo}!${text}</p>`;
  }
  if (branding === null) return html`<p><strong>NudgeLab</strong> ${partTexts[part].headline}</p>`;
  return html`<p>!${logo}<strong>${branding.name}</strong> simulated by NudgeLab</p>`;
}

function footerText({ sandboxId, texts }: PageTenant, part: ServerPart): string {
  if (part === 'sign-in') return texts.html('frame.footer', { sandbox: sandboxId }, { name: strong });
  const { testData } = partTexts[part];
  return part === 'console' ? html`${testData}` : html`Sandbox <strong>${sandboxId}</strong>. ${testData}`;
}
