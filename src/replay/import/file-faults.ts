/** Fault in part of a file that was left out or interpreted differently, with its count. */
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
  /** Locations of the first occurrences: lines of the file, or the whole file. */
  readonly places: readonly string[];
}

/** Maximum number of stored locations per fault type; further occurrences are only counted. */
const faultPlacesMax = 5;

/** Collects the faults of a file: for each type, the total count and the first locations. */
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
