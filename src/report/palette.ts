/** Emphasis by meaning; a terminal shows colors, a file none. */
export interface Palette {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  doubtful(text: string): string;
}

/** No emphasis at all. */
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
