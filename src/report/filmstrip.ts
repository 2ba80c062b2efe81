import { html } from 'ghtml';
import type { StepResult } from '../contract/result.schema.ts';
import { createPictures, pictureAt, waysIn } from './screen-pictures.ts';

/**
 * Renders the steps of a scenario as a filmstrip, each with the screens that the user saw and its result. `shots`
 * are screenshots at the time of the failure as `data:` URLs, one per tab, which replace the last drawing.
 */
export function renderFilmstrip(steps: readonly StepResult[], shots: readonly string[] = []): string {
  const last = steps.findLastIndex(({ status }) => status !== 'not-run');
  return html`<ol class="filmstrip">!${steps.map((step, index) => frame(step, index === last ? shots : []))}</ol>`;
}

/** Renders one step: its screens, its name, its final screen, and the reason if no prompt was shown. */
function frame(step: StepResult, shots: readonly string[]): string {
  const { kind, status, page, reason } = step;
  const drawn = createPictures(step).slice(0, shots.length > 0 ? -1 : undefined);
  const pictures = drawn.length === 0 ? '' : html`<span aria-hidden="true">!${drawn.map(pictureAt)}</span>`;
  const real = shots.map((address) => html`<img src="${address}" alt="Screenshot">`);
  const way = waysIn(step).join(', ');
  const screen = page === undefined ? '' : html` !${way === '' ? '' : html`<i>${way},</i> `}<b>${page}</b>`;
  const why = typeof reason === 'string' ? html` <small>${reason}</small>` : '';
  return html`<li!${status === 'passed' ? '' : html` class="${status}"`}>!${pictures}!${real}${kind}!${screen}!${why}</li>`;
}
