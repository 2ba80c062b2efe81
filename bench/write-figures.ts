import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRow, findDecision, formatRatio, noBar, root } from './measure.ts';

/** Measured rows of one benchmark. */
export interface Figures {
  readonly name: string;
  readonly rows: readonly BenchRow[];
}

/** Additional data that is written with the figures. */
export interface WrittenWith {
  readonly today: string;
  /** Description of the machine that the figures were measured on. */
  readonly on: string;
  /** Names of all benchmarks, in table order. */
  readonly names: readonly string[];
}

const begin = '<!-- bench: begin -->';
const end = '<!-- bench: end -->';
const chartFile = 'benchmarks.svg';

/**
 * Writes the figures of a run between their markers in docs/benchmarks.md, and a chart of the ratios that have a
 * target. Rows of benchmarks that were not run are unchanged and keep their date. Throws if the document has no
 * markers.
 */
export function writeFigures(all: readonly Figures[], { today, on, names }: WrittenWith): void {
  const file = join(root, 'docs', 'benchmarks.md');
  const before = readFileSync(file, 'utf8');
  if (!before.includes(begin) || !before.includes(end)) throw new Error(`${file} has no marks for figures.`);
  const [head = '', tail = ''] = [
    before.slice(0, before.indexOf(begin)),
    before.slice(before.indexOf(end) + end.length),
  ];
  const lines = new Map(Map.groupBy(linesIn(before.slice(head.length)), nameIn));
  for (const { name, rows } of all) {
    lines.set(
      name,
      rows.map((row) => tableLine(name, row, today)),
    );
  }
  const table = names.flatMap((name) => lines.get(name) ?? []);
  const text = [
    begin,
    `Written by \`npm run bench -- --write\`, last on ${today}: ${on}.`,
    '',
    '| benchmark | what | ours | against | ratio | bar | | of |',
    '|---|---|---|---|---|---|---|---|',
    ...table,
    '',
    `![How far each ratio of these rows is beyond its bar](${chartFile})`,
    end,
  ].join('\n');
  writeFileSync(file, `${head}${text}${tail}`);
  writeFileSync(join(root, 'docs', chartFile), createChart(table.flatMap(parseBars)));
}

/** Lists the rows of the table at the start of a text. */
function linesIn(text: string): readonly string[] {
  return text
    .slice(0, text.indexOf(end))
    .split('\n')
    .filter((line) => line.startsWith('| `'));
}

function nameIn(line: string): string {
  return splitCells(line)[0]?.replaceAll('`', '') ?? '';
}

function splitCells(line: string): readonly string[] {
  return line.slice(2, -2).split(' | ');
}

/** Ratio with its target. */
interface MeasuredBar {
  readonly what: string;
  readonly ratio: string;
  readonly bar: string;
  /**
   * Factor by which the ratio is better than its target. Values of 1 and above reach it, for upper and lower
   * targets.
   */
  readonly beyond: number;
}

const barPattern = /^([≥≤]) ([\d.]+) ×$/;

/** Returns the chart entry of a table row. The list is empty if the row has no ratio or no target. */
function parseBars(line: string): readonly MeasuredBar[] {
  const [name = '', what = '', , , ratio = '', bar = ''] = splitCells(line);
  const [, way, limit] = barPattern.exec(bar) ?? [];
  if (limit === undefined || ratio === '–') return [];
  const times = Number((ratio.split(' ')[0] ?? '').replaceAll(',', ''));
  const beyond = way === '≥' ? times / Number(limit) : Number(limit) / times;
  return [{ what: `${name.replaceAll('`', '')}: ${what}`, ratio, bar, beyond }];
}

function tableLine(name: string, row: BenchRow, today: string): string {
  const { what, ours, theirs, unit, bar } = row;
  const against = theirs === null ? '–' : formatFigure(theirs);
  const times = formatRatio(row);
  const decision = findDecision(row);
  const verdict = bar === noBar ? '–' : decision === 'missed' ? '**missed**' : decision;
  return `| \`${name}\` | ${what} | ${formatFigure(ours)} ${unit} | ${against} | ${times} | ${bar} | ${verdict} | ${today} |`;
}

function formatFigure(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en-GB') : figure.toPrecision(3);
}

const rowHeight = 22;
const labelWidth = 620;
const barWidth = 260;
const figureWidth = 170;
/** Range of the logarithmic axis in powers of ten: from 0.1 to 10. */
const powers = 1;
const reachedColour = '#3b6ea5';
const missedColour = '#c2570c';

/**
 * Draws the ratios relative to their targets on a logarithmic scale. Bars to the right of the center line reach
 * them.
 */
function createChart(rows: readonly MeasuredBar[]): string {
  const middle = labelWidth + barWidth / 2;
  const height = (rows.length + 1) * rowHeight;
  const bars = rows.map(({ what, ratio, bar, beyond }, index) => {
    const power = Math.max(-powers, Math.min(powers, Math.log10(beyond)));
    const length = (Math.abs(power) / powers) * (barWidth / 2);
    const top = index * rowHeight + 4;
    const left = power < 0 ? middle - length : middle;
    const color = beyond < 1 ? missedColour : reachedColour;
    const label = `${ratio} × (${bar})${beyond < 1 ? ', missed' : ''}`;
    return [
      `<text x="${labelWidth - 8}" y="${top + 12}" text-anchor="end">${escaped(what)}</text>`,
      `<rect x="${left.toFixed(1)}" y="${top}" width="${Math.max(1, length).toFixed(1)}" height="14" fill="${color}"/>`,
      `<text x="${labelWidth + barWidth + 8}" y="${top + 12}">${escaped(label)}</text>`,
    ].join('');
  });
  const width = labelWidth + barWidth + figureWidth;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>Ratios of the benchmarks and how far each is beyond its bar, on a logarithmic scale</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...bars,
    `<line x1="${middle}" y1="0" x2="${middle}" y2="${height}" stroke="#333"/>`,
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
