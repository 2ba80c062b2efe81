import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRow, noBar, root } from './measure.ts';

/** Rows of one benchmark. */
export interface Figures {
  readonly name: string;
  readonly rows: readonly BenchRow[];
}

const begin = '<!-- bench: begin -->';
const end = '<!-- bench: end -->';
const chartFile = 'benchmarks.svg';

/**
 * Writes the figures of a run between their marks in docs/benchmarks.md, and a chart of the ratios beside it. Takes the
 * figures, the date and what they were taken on.
 */
export function writeFigures(
  all: readonly Figures[],
  { today, on }: { readonly today: string; readonly on: string },
): void {
  const file = join(root, 'docs', 'benchmarks.md');
  const before = readFileSync(file, 'utf8');
  if (!before.includes(begin) || !before.includes(end)) throw new Error(`${file} has no marks for figures.`);
  const lines = all.flatMap(({ name, rows }) => rows.map((row) => tableLine(name, row)));
  const text = [
    begin,
    `\`npm run bench -- --write\` of ${today}: ${on}.`,
    '',
    '| benchmark | what | ours | against | ratio | bar | |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    '',
    `![Ratios of these rows: ours against the other](${chartFile})`,
    end,
  ].join('\n');
  const kept = [before.slice(0, before.indexOf(begin)), before.slice(before.indexOf(end) + end.length)];
  writeFileSync(file, kept.join(text));
  writeFileSync(join(root, 'docs', chartFile), chartOf(all.flatMap(({ rows }) => rows)));
}

function tableLine(name: string, { what, ours, theirs, unit, ratio, bar, reached }: BenchRow): string {
  const against = theirs === null ? '–' : shown(theirs);
  const times = ratio === null ? '–' : shownRatio(ratio);
  const held = bar === noBar ? '' : reached ? 'reached' : '**missed**';
  return `| \`${name}\` | ${what} | ${shown(ours)} ${unit} | ${against} | ${times} | ${bar} | ${held} |`;
}

function shownRatio(ratio: number): string {
  return ratio >= 100 ? Math.round(ratio).toLocaleString('en-GB') : ratio.toFixed(2);
}

function shown(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en-GB') : figure.toPrecision(3);
}

const rowHeight = 22;
const labelWidth = 430;
const barWidth = 300;
/** Ratios from a hundredth to a hundred, each power of ten as wide as the next. */
const powers = 2;

/** Bars from 1 on, to the right where ours is more; the scale is logarithmic. */
function chartOf(rows: readonly BenchRow[]): string {
  const drawn = rows.filter(({ ratio }) => ratio !== null);
  const middle = labelWidth + barWidth / 2;
  const height = (drawn.length + 1) * rowHeight;
  const bars = drawn.map(({ what, ratio }, index) => {
    const power = Math.max(-powers, Math.min(powers, Math.log10(ratio ?? 1)));
    const length = (Math.abs(power) / powers) * (barWidth / 2);
    const top = index * rowHeight + 4;
    const left = power < 0 ? middle - length : middle;
    return [
      `<text x="${labelWidth - 8}" y="${top + 12}" text-anchor="end">${escaped(what)}</text>`,
      `<rect x="${left.toFixed(1)}" y="${top}" width="${Math.max(1, length).toFixed(1)}" height="14" fill="#3b6ea5"/>`,
      `<text x="${labelWidth + barWidth + 8}" y="${top + 12}">${(ratio ?? 1).toFixed(2)} ×</text>`,
    ].join('');
  });
  const width = labelWidth + barWidth + 80;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>Ratios of the benchmarks, ours against the other, on a logarithmic scale</title>',
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
