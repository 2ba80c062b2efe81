import { visibleText } from '../../core/visible-text.ts';
import { formatCurve, labelLineHeight, layoutStatechart, toTenth } from '../../report/statechart-layout.ts';
import { getOutput, getTarget, type MealyMachine, transitionNumber } from '../mealy/mealy-machine.ts';
import { parseOutput } from '../systems/learning-alphabet.ts';
import { notAvailable } from '../systems/system-under-learning.ts';
import { nameState } from './machine-module.ts';

/** Transitions from one state to another, in a picture. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly differs: boolean;
}

/** Color of a transition that differs from the specification, which is also drawn with another line. */
const differentColor = '#b3261e';

/** Formats an output for people: its values without their names. */
export function formatValues(output: string): string {
  if (!output.startsWith('{')) return output;
  const { page, outcome, state, snoozesLeft, snoozes, failed } = parseOutput(output);
  const parts = [
    page,
    outcome,
    state,
    snoozesLeft === undefined ? undefined : `${snoozesLeft ?? 'unlimited'} left`,
    snoozes === undefined ? undefined : `${snoozes} used`,
    failed === undefined ? undefined : `failed (${failed})`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/**
 * Draws a machine as a Mermaid state diagram.
 * @param different - numbers of the transitions that differ from the specification; they are marked
 */
export function drawMermaid(machine: MealyMachine, different: ReadonlySet<number>): string {
  const lines = listArrows(machine, different).map(
    ({ from, to, text, differs }) => `  ${from} --> ${to}: ${differs ? '≠ ' : ''}${text.replaceAll(/[:;#]/g, ' ')}`,
  );
  return ['stateDiagram-v2', `  [*] --> ${nameState(0)}`, ...lines, ''].join('\n');
}

/** Draws a machine in the language of Graphviz. */
export function drawDot(machine: MealyMachine, different: ReadonlySet<number>): string {
  const lines = listArrows(machine, different).map(({ from, to, text, differs }) => {
    const style = differs ? `, color="${differentColor}", fontcolor="${differentColor}", style=bold` : '';
    return `  ${from} -> ${to} [label=${JSON.stringify(text)}${style}];`;
  });
  return [
    'digraph learned {',
    '  node [shape=box, style=rounded];',
    `  start [shape=point]; start -> ${nameState(0)};`,
    ...lines,
    '}',
    '',
  ].join('\n');
}

/** Draws a machine as an SVG document, laid out like the statecharts of reports. */
export function drawSvg(machine: MealyMachine, different: ReadonlySet<number>): string {
  const arrows = listArrows(machine, different);
  const states = Array.from({ length: machine.states }, (_, state) => ({ id: nameState(state) }));
  const chart = layoutStatechart(
    { states, transitions: arrows },
    { listLines: (group) => group.map(({ text }) => text) },
  );
  const [width, height] = [Math.ceil(chart.width) + 16, Math.ceil(chart.height) + 16];
  const title = `Learned machine: ${machine.states} states, ${different.size} transitions that differ`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    '<style>svg{background:#fff;font:12px sans-serif}path{fill:none;stroke:#5f6368}rect.state{fill:#fff;stroke:#202124}',
    `path.different{stroke:${differentColor};stroke-width:2;stroke-dasharray:6 3}text.different{fill:${differentColor}}`,
    'rect.behind{fill:#fff}text{text-anchor:middle}</style>',
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" style="fill:#5f6368"/></marker></defs>',
    ...chart.arrows.map(
      ({ points, transitions }) =>
        `<path class="${transitions.some(({ differs }) => differs) ? 'different' : 'equal'}" d="${formatCurve(points)}" marker-end="url(#tip)"/>`,
    ),
    ...chart.states.map(({ id, x, y, width: wide, height: high }) => {
      const name = id === nameState(0) ? `▶ ${id}` : id;
      return `<rect class="state" x="${toTenth(x)}" y="${toTenth(y)}" width="${toTenth(wide)}" height="${toTenth(high)}" rx="8"/><text x="${toTenth(x + wide / 2)}" y="${toTenth(y + high / 2 + 4)}">${escapeXml(name)}</text>`;
    }),
    ...chart.arrows.flatMap(({ label, lines, transitions }) => [
      `<rect class="behind" x="${toTenth(label.x)}" y="${toTenth(label.y)}" width="${toTenth(label.width)}" height="${toTenth(label.height)}"/>`,
      ...lines.map((line, at) => {
        const differs = transitions.find(({ text }) => text === line)?.differs === true;
        return `<text class="${differs ? 'different' : 'equal'}" x="${toTenth(label.x + label.width / 2)}" y="${toTenth(label.y + at * labelLineHeight + 14)}">${escapeXml(line)}</text>`;
      }),
    ]),
    '</svg>',
    '',
  ].join('\n');
}

/** Lists the transitions to draw: those that are available, without loops that show nothing new. */
function listArrows(machine: MealyMachine, different: ReadonlySet<number>): readonly Arrow[] {
  return Array.from({ length: machine.states }, (_, state) =>
    machine.inputs.flatMap((name, input): readonly Arrow[] => {
      const output = getOutput(machine, state, input);
      if (output === notAvailable) return [];
      const to = nameState(getTarget(machine, state, input));
      const differs = different.has(transitionNumber(machine, state, input));
      return [{ from: nameState(state), to, text: visibleText(`${name} / ${formatValues(output)}`), differs }];
    }),
  ).flat();
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
