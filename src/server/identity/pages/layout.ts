import { html } from 'ghtml';
import type { Branding } from '../../../contract/sandbox.schema.ts';
import { defaultSandboxId } from '../../../core/default-sandbox.ts';
import { scriptPath, stylesheetPath } from '../assets.ts';
import { type PageTexts, textsIn } from '../texts/page-texts.ts';
import type { PageOfServer } from './page-names.ts';

/** Tenant and language of a page. */
export interface PageTenant {
  readonly sandboxId: string;
  readonly texts: PageTexts;
  readonly branding: Branding | null;
  /** Virtual time as an ISO 8601 instant if the clock is frozen. `null` if it is running. */
  readonly frozenAt: string | null;
  /** URL of the stylesheet with the tenant's color. `null` if the tenant has no color. */
  readonly brandStylesheet: string | null;
}

/**
 * Part of the server that a page belongs to. Every page displays it, so simulated data is not mistaken for real data.
 */
export type ServerPart = 'sign-in' | 'documents' | 'lookup' | 'console';

/** Names of the parts whose pages are only in English. */
const partTexts: Readonly<
  Record<Exclude<ServerPart, 'sign-in'>, { readonly headline: string; readonly testData: string }>
> = {
  documents: { headline: 'simulated documents', testData: 'All documents are test data.' },
  lookup: { headline: 'simulated lookup service', testData: 'All accounts and tokens are test data.' },
  console: { headline: 'console', testData: 'The console shows and changes all sandboxes of this server.' },
};

/** Common parts of all pages. Texts are escaped by the layout, but `body` is HTML that is already escaped. */
export interface Frame {
  readonly title: string;
  /** Name of the page for programs, in `data-page`. */
  readonly name: PageOfServer;
  /** Additional `data-*` attributes of the main element for programs. */
  readonly marks?: string;
  /** Tenant shown around the page to make clear that the page is simulated. */
  readonly tenant: PageTenant;
  readonly body: string;
  /** Part of the server. Defaults to sign-in. */
  readonly part?: ServerPart;
  /** Notes for testers in the footer, already escaped. */
  readonly notes?: readonly string[];
  /** `true` if the page needs the client script for passkeys or unload beacons. */
  readonly script?: boolean;
  /** URL of an additional stylesheet for this page. */
  readonly ownStylesheet?: string;
  readonly ownScript?: string;
}

/** Renders a page with a header, one card for the main part, and a footer. Returns the HTML document. */
export function layout(frame: Frame): string {
  const { title, name, marks = '', tenant, body, part = 'sign-in', script = false, ownStylesheet, ownScript } = frame;
  const { notes = [] } = frame;
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
<footer><p>!${footerText(tenant, part)}</p>!${[...clockNotes(tenant, part), ...notes].map((note) => html`<p>!${note}</p>`)}</footer>
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

/** Returns the note of a frozen clock, since clients that check the real time reject its tokens. */
function clockNotes({ frozenAt, sandboxId, texts }: PageTenant, part: ServerPart): readonly string[] {
  if (frozenAt === null || part !== 'sign-in') return [];
  const code = (content: string): string => html`<code dir="ltr">!${content}</code>`;
  const command = `nudgelab clock resume${sandboxId === defaultSandboxId ? '' : ` --sandbox ${sandboxId}`}`;
  return [texts.html('frame.frozen', { instant: frozenAt, command }, { instant: code, command: code })];
}

function footerText({ sandboxId, texts }: PageTenant, part: ServerPart): string {
  if (part === 'sign-in') return texts.html('frame.footer', { sandbox: sandboxId }, { name: strong });
  const { testData } = partTexts[part];
  return part === 'console' ? html`${testData}` : html`Sandbox <strong>${sandboxId}</strong>. ${testData}`;
}
