/** Bytes that a page may have, so that a thousand scenarios stay under two megabytes. */
const pageBytesMax = 1_900_000;

/** Scenarios for which that holds; more of them may have as much again. */
const scenariosOfPage = 1_000;

/** The room that is left on a page, from which what may be told in short as well takes its share. */
export class PageSizeBudget {
  #left: number;

  /** Takes how many scenarios the page has, and what stands on it however many details there are. */
  constructor(scenarios: number, fixed: readonly string[]) {
    this.#left = pageBytesMax * Math.max(1, Math.ceil(scenarios / scenariosOfPage));
    for (const text of fixed) this.#left -= bytesOf(text);
  }

  /** Room for the details of one kind, of which no more than `bytesMax` is used. */
  share(bytesMax: number): (text: string, inShort?: string) => boolean {
    let open = bytesMax;
    return (text, inShort = '') => {
      const bytes = bytesOf(text) - bytesOf(inShort);
      if (bytes > open || bytes > this.#left) return false;
      open -= bytes;
      this.#left -= bytes;
      return true;
    };
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
