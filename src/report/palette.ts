/** Text emphasis by meaning. Terminals use colors, and files use none. */
export interface Palette {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  doubtful(text: string): string;
}

/** Palette without any emphasis. */
export const plainPalette: Palette = {
  strong: unchanged,
  faint: unchanged,
  good: unchanged,
  bad: unchanged,
  doubtful: unchanged,
};

function unchanged(text: string): string {
  return text;
}
