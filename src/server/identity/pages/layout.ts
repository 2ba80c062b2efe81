import { html } from 'ghtml';
import { stylesheetPath } from '../stylesheet.ts';

/** What every page has in common; texts are escaped here, `body` is HTML that a template has escaped already. */
export interface Frame {
  readonly title: string;
  /** What a program calls the page, as `data-page`. */
  readonly name: string;
  /** More marks for programs: `data-*` attributes of the main part. */
  readonly marks?: string;
  /** Shown under the page, so that nobody takes a simulated page for a real one. */
  readonly sandboxId: string;
  readonly body: string;
}

/** The one page design: a header, one card with the main part, a footer. Takes its parts; returns the document. */
export function layout({ title, name, marks = '', sandboxId, body }: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – NudgeLab</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheetPath}">
</head>
<body>
<header><p><strong>NudgeLab</strong> simulated sign-in</p></header>
<main data-page="${name}"!${marks}>
!${body}
</main>
<footer><p>Sandbox <strong>${sandboxId}</strong>. Accounts, codes and passkeys here are test data.</p></footer>
</body>
</html>
`;
}
