/**
 * Formats a table for a terminal with the first column left-aligned and the others right-aligned. All rows have the
 * length of `head`.
 */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)];
}

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * Formats a series as a line of block characters on a scale from 0 to its maximum. `columns` is the maximum width
 * in characters.
 */
export function sparkline(series: readonly number[], columns: number): string {
  const width = Math.min(columns, series.length);
  const top = Math.max(...series, 0);
  return Array.from({ length: width }, (_, column) => {
    const from = Math.floor((column * series.length) / width);
    const to = Math.max(from + 1, Math.floor(((column + 1) * series.length) / width));
    const mean = series.slice(from, to).reduce((sum, value) => sum + value, 0) / (to - from);
    return blocks[top === 0 ? 0 : Math.min(blocks.length - 1, Math.floor((mean / top) * blocks.length))];
  }).join('');
}

/** Formats a whole number with thousands separators. */
export function wholeText(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

/** Formats a share as a percentage with one decimal digit. */
export function shareText(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
