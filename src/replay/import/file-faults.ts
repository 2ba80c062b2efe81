/** What is wrong with a part of a file: it was left out, or read as something else, and is counted. */
export interface FileFault {
  readonly kind:
    | 'cut-off'
    | 'too-large'
    | 'not-json'
    | 'not-utf8'
    | 'not-csv'
    | 'more-fields'
    | 'more-delimiters'
    | 'fewer-fields'
    | 'more-follow';
  readonly count: number;
  /** Where the first of them are: lines of the file, or the file as a whole. */
  readonly places: readonly string[];
}

/** Faults of a kind whose places are kept; the rest is counted. */
const faultPlacesMax = 5;

/** Gathers faults of a file: of each kind the first with their places, all of them by number. */
export class Faults {
  readonly #found = new Map<FileFault['kind'], { count: number; readonly places: string[] }>();
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  add(kind: FileFault['kind'], place: string): void {
    const known = this.#found.get(kind) ?? { count: 0, places: [] };
    known.count += 1;
    if (known.places.length < faultPlacesMax) known.places.push(`${this.#name}, ${place}`);
    this.#found.set(kind, known);
  }

  get found(): readonly FileFault[] {
    return [...this.#found].map(([kind, { count, places }]) => ({ kind, count, places }));
  }
}
