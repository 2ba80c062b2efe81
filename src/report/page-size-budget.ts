/** Maximum page size in bytes, which keeps a report with a thousand scenarios below two megabytes. */
const pageBytesMax = 1_900_000;

/**
 * Number of scenarios that one such budget covers. The budget grows by the same amount for each further thousand.
 */
const scenariosOfPage = 1_000;

/** Tracks the remaining size budget of an HTML report. Details that have a short form consume it. */
export class PageSizeBudget {
  #left: number;

  /**
   * Creates the budget of a page.
   *
   * @param scenarios - number of scenarios on the page
   * @param fixed - texts that the page always contains
   */
  constructor(scenarios: number, fixed: readonly string[]) {
    this.#left = pageBytesMax * Math.max(1, Math.ceil(scenarios / scenariosOfPage));
    for (const text of fixed) this.#left -= countBytes(text);
  }

  /** Reserves budget for one type of detail, up to `bytesMax` bytes. */
  share(bytesMax: number): (text: string, inShort?: string) => boolean {
    let open = bytesMax;
    return (text, inShort = '') => {
      const bytes = countBytes(text) - countBytes(inShort);
      if (bytes > open || bytes > this.#left) return false;
      open -= bytes;
      this.#left -= bytes;
      return true;
    };
  }
}

function countBytes(text: string): number {
  return Buffer.byteLength(text);
}
