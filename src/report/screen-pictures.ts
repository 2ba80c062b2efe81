import { html } from 'ghtml';
import type { StepResult } from '../contract/result.schema.ts';
import { drawings, type PictureName, type Sketch, screenSketches, signs, stepSigns } from './screen-sketches.ts';

/** Size of a screen picture in drawing units. Signs are square. */
const width = 120;
const height = 78;
const sign = 28;

/** Style sheet of the pictures, which use the light or dark colors of the page. */
export const pictureStyle = `
.pictures{position:absolute;width:0;height:0}
.w{fill:var(--card);stroke:var(--quiet)}.gone{fill:none;stroke:var(--quiet);stroke-dasharray:4 3}.bar,.field{fill:var(--ground);stroke:var(--edge)}
.dot,.q{fill:var(--quiet)}.t{fill:var(--text)}.c{fill:var(--card)}.g{fill:var(--good)}.b{fill:var(--bad)}
.o{fill:none;stroke:var(--text);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.on{fill:none;stroke:var(--card);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
.l{fill:none;stroke:var(--edge);stroke-width:3;stroke-linecap:round}
.h,.n,.f,.ml,.ol{font:8.5px system-ui,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--text)}.h,.n,.ml,.ol{font-weight:600}
.h{font-size:9px}.n{font-size:14px}.n,.ml,.ol,.mid{text-anchor:middle}.f{fill:var(--quiet)}
.main{fill:var(--accent)}.other{fill:none;stroke:var(--accent)}.ml,.ol{font-size:7.5px}.ml{fill:var(--card)}.ol{fill:var(--accent)}
`;

/** Short ids of the pictures, because a page refers to them thousands of times. */
const ids: ReadonlyMap<string, string> = new Map(
  [...Object.keys(screenSketches), ...Object.keys(signs)].map((name, place) => [name, `s${place.toString(36)}`]),
);

/** Renders the definitions of the pictures that a page refers to, each once. */
export function pictureSymbols(names: ReadonlySet<PictureName>): string {
  const symbols = [...names].toSorted().map((name) => {
    const sketch = screenSketches[name];
    if (sketch !== undefined) return symbol(name, [width, height], drawWindow(sketch));
    return symbol(name, [sign, sign], signs[name] ?? '');
  });
  return html`<svg class="pictures" aria-hidden="true">!${symbols}</svg>`;
}

/**
 * Renders a reference to a picture without a text alternative, because the text next to it has the same content.
 */
export function pictureAt(name: PictureName): string {
  return html`<svg!${name in signs ? ' class="sign"' : ''}><use href="#${ids.get(name)}"/></svg>`;
}

/**
 * Returns the pictures of a step: the screens that the user saw in order, or a sign for an action without a screen.
 */
export function createPictures({
  kind,
  status,
  page,
  signInScreens: factors = [],
  visitedPages: passed = [],
  method,
}: StepResult): readonly PictureName[] {
  if (page === undefined) {
    const done = stepSigns[kind];
    if (done !== undefined) return [done];
    return status === 'not-run' ? [] : [...factors, ...passed, 'unseen'];
  }
  const end: PictureName = method === undefined ? page : `${page}-${method}`;
  return [...waysIn({ signInScreens: factors, visitedPages: passed }), end in screenSketches ? end : page];
}

/** Returns the screens before the last one. The account picker comes before the second factor screens. */
export function waysIn({
  signInScreens: factors = [],
  visitedPages: passed = [],
}: Pick<StepResult, 'signInScreens' | 'visitedPages'>): readonly PictureName[] {
  const picked = passed[0] === 'account-picker' ? 1 : 0;
  return [...passed.slice(0, picked), ...factors, ...passed.slice(picked)];
}

function symbol(name: PictureName, [across, down]: readonly [number, number], drawn: string): string {
  return html`<symbol id="${ids.get(name)}" viewBox="0 0 ${across} ${down}">!${drawn}</symbol>
`;
}

function drawWindow({ heading, field, drawing, lines = 0, buttons = [], isGone = false }: Sketch): string {
  const edge = html`<rect class="${isGone ? 'gone' : 'w'}" x="1" y="1" width="${width - 2}" height="${height - 2}" rx="5"/>`;
  if (isGone) return html`!${edge}<text class="f mid" x="${width / 2}" y="43">${heading}</text>`;
  const bar = '<path class="bar" d="M1.5 11V6a4.5 4.5 0 0 1 4.5-4.5h108a4.5 4.5 0 0 1 4.5 4.5v5z"/>';
  const dots = [7, 13, 19].map((x) => html`<circle class="dot" cx="${x}" cy="6.5" r="1.7"/>`);
  const text = Array.from({ length: lines }, (_, line) => line).map(
    (line) => html`<path class="l" d="M10 ${34 + line * 7}h${line % 2 === 0 ? 96 : 78}"/>`,
  );
  const typed =
    field === undefined
      ? ''
      : html`<rect class="field" x="9" y="32" width="102" height="16" rx="3"/><text class="f" x="14" y="43">${field}</text>`;
  const drawn =
    drawing === undefined
      ? ''
      : html`<g transform="translate(46 ${buttons.length > 0 ? 29 : 36})">!${drawings[drawing]}</g>`;
  return html`!${edge}!${bar}!${dots}<text class="h" x="10" y="24">${heading}</text>!${text}!${typed}!${drawn}!${buttons.map(drawButton)}`;
}

function drawButton(label: string, index: number, all: readonly string[]): string {
  const across = all.length === 1 ? 60 : index === 0 ? 36 : 62;
  const left = index === 0 ? width - 9 - across : 9;
  const kind = index === 0 ? ['main', 'ml'] : ['other', 'ol'];
  return html`<rect class="${kind[0]}" x="${left}" y="60" width="${across}" height="13" rx="3"/><text class="${kind[1]}" x="${left + across / 2}" y="69.5">${label}</text>`;
}
