import { html } from 'ghtml';
import type { StepResult } from '../contract/result.ts';
import { createPictures, pictureAt, waysIn } from './screen-pictures.ts';

/**
 * The steps of a scenario in a row, each with the screens that a person saw and how it went. Takes pictures of the real screens as
 * they stood when it failed, as `data:` addresses: one for each tab; they take the place of the last drawing.
 */
export function renderFilmstrip(steps: readonly StepResult[], shots: readonly string[] = []): string {
  const last = steps.findLastIndex(({ status }) => status !== 'not-run');
  return html`<ol class="filmstrip">!${steps.map((step, index) => frame(step, index === last ? shots : []))}</ol>`;
}

/** One step: its screens, its verb, the screen where it ended, and why a sign-in was not asked. */
function frame(step: StepResult, shots: readonly string[]): string {
  const { kind, status, page, reason } = step;
  const drawn = createPictures(step).slice(0, shots.length > 0 ? -1 : undefined);
  const pictures = drawn.length === 0 ? '' : html`<span aria-hidden="true">!${drawn.map(pictureAt)}</span>`;
  const real = shots.map((address) => html`<img src="${address}" alt="The screen as it stood">`);
  const way = waysIn(step).join(', ');
  const screen = page === undefined ? '' : html` !${way === '' ? '' : html`<i>${way},</i> `}<b>${page}</b>`;
  const why = typeof reason === 'string' ? html` <small>${reason}</small>` : '';
  return html`<li!${status === 'passed' ? '' : html` class="${status}"`}>!${pictures}!${real}${kind}!${screen}!${why}</li>`;
}
