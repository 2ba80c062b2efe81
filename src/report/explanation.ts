import { html } from 'ghtml';
import { reportStyle } from './html-report-parts.ts';

/** Part of an explanation: a heading, a paragraph, or an item of a list. */
interface Block {
  readonly kind: 'title' | 'heading' | 'item' | 'text';
  readonly text: string;
}

/** Explanations, and what all of them have in common. */
export interface Explanation {
  /** Lines of each explained ruleset. */
  readonly rulesets: readonly (readonly string[])[];
  /** Transitions between the states of a user. */
  readonly stateChanges: readonly StateChange[];
}

interface StateChange {
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
}

/**
 * Reads the lines of an explanation: the first is the title, a line that ends with a colon is a heading, an indented
 * one is an item of a list, and any other is a sentence.
 */
function readBlocks(lines: readonly string[]): readonly Block[] {
  return lines
    .filter((line) => line !== '')
    .map((line, index) => {
      if (index === 0) return { kind: 'title', text: line };
      if (line.endsWith(':')) return { kind: 'heading', text: line.slice(0, -1) };
      if (line.startsWith('  ')) return { kind: 'item', text: line.trim() };
      return { kind: 'text', text: line };
    });
}

/** Characters of Markdown that a text of a ruleset must not use. */
const markdownSign = /[\\`*_{}[\]<>#|~!]/g;

function escapeMarkdown(text: string): string {
  return text.replace(markdownSign, '\\$&');
}

/**
 * Formats explanations as Markdown, with the states of a user as a Mermaid diagram.
 */
export function explanationMarkdown({ rulesets, stateChanges }: Explanation): string {
  const prefixes = { title: '# ', heading: '## ', item: '- ', text: '' };
  const pages = rulesets.map((lines) => {
    const blocks = readBlocks(lines);
    return blocks.map(({ kind, text }, index) => {
      const isJoined = kind === 'item' && blocks[index - 1]?.kind === 'item';
      return `${index === 0 || isJoined ? '' : '\n'}${prefixes[kind]}${escapeMarkdown(text)}`;
    });
  });
  const diagram = stateChanges.map(({ from, to, events }) => {
    const name = (state: string) => (state === 'any state' ? 'anyState' : state);
    return `  ${name(from)} --> ${name(to)}: ${events.join(', ')}`;
  });
  return [
    ...pages.map((page) => `${page.join('\n')}\n`),
    '## States of a user\n',
    '```mermaid',
    'stateDiagram-v2',
    ...diagram,
    '```',
    '',
  ].join('\n');
}

/**
 * Formats explanations as a page of HTML, with the states of a user as a table.
 */
export function explanationHtml({ rulesets, stateChanges }: Explanation): string {
  const title = rulesets.map(([first = '']) => first).join(', ');
  const body = rulesets.map((lines) =>
    readBlocks(lines).map((block, index, all) => blockHtml(block, all[index - 1], all[index + 1])),
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title} – NudgeLab</title>
<style>!${reportStyle}</style>
</head>
<body>
<main>
!${body.flat()}<h2>States of a user</h2>
<div class="scroll" tabindex="0" role="region" aria-label="States of a user"><table>
<thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Events</th></tr></thead>
<tbody>!${stateChanges.map(
    ({ from, to, events }) => html`<tr><th scope="row">${from}</th><td>${to}</td><td>${events.join(', ')}</td></tr>
`,
  )}</tbody></table></div>
</main>
</body>
</html>
`;
}

function blockHtml({ kind, text }: Block, before: Block | undefined, after: Block | undefined): string {
  switch (kind) {
    case 'title':
      return html`<h1>${text}</h1>
`;
    case 'heading':
      return html`<h2>${text}</h2>
`;
    case 'item':
      return html`!${before?.kind === 'item' ? '' : '<ul>\n'}<li>${text}</li>
!${after?.kind === 'item' ? '' : '</ul>\n'}`;
    case 'text':
      return html`<p>${text}</p>
`;
  }
}
