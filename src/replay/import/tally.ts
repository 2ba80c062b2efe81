import type { Confidence } from '../../contract/import-mapping.schema.ts';
import type { Counted, ImportReport } from '../../contract/import-report.ts';
import type { FileFault } from './file-faults.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import type { SourceFile } from './source-file.ts';

/** Maximum number of listed locations per item; other locations are only counted. */
export const placesMax = 5;

/** Counts the read, omitted, unknown and inferred items of an import. */
export class Tally {
  readonly #skipped = new Map<string, Counted>();
  readonly #odd = new Map<string, Counted>();
  readonly #unknown = new Map<string, Counted & { readonly field: string }>();
  readonly #inferred = new Map<string, ImportReport['inferred'][number]>();
  readonly #files: ImportReport['files'][number][] = [];
  readonly columns: Record<string, string | null> = {};
  readonly #unread = new Set<string>();
  readonly #pseudonyms: Pseudonyms | null;

  /** Creates a tally. With pseudonyms, locations do not contain user ids. */
  constructor(pseudonyms: Pseudonyms | null = null) {
    this.#pseudonyms = pseudonyms;
  }

  /** Returns a user as a location. `user` is an id or a user principal name. */
  formatPlace(user: string): string {
    return `user ${this.#pseudonyms?.of(user) ?? user}`;
  }

  /** Adds a file with its faults. */
  file({ name, kind, bytes, encoding }: SourceFile): void {
    this.#files.push({ name, kind, bytes, encoding });
  }

  /** Adds faults of a file: omitted rows, or text that was interpreted differently. */
  faults(faults: readonly FileFault[]): void {
    for (const { kind, count, places } of faults) {
      const into = readAllTheSame.includes(kind) ? this.#odd : this.#skipped;
      addAll(into, faultTexts[kind], count, places);
    }
  }

  /** Adds columns that were not used. */
  unread(columns: readonly string[]): void {
    for (const column of columns) this.#unread.add(column);
  }

  /** Counts omitted items with their description, their number, and some or all of their locations. */
  skip(what: string, count: number, ...places: readonly string[]): void {
    addAll(this.#skipped, what, count, places);
  }

  /** Counts suspicious items that were read nevertheless; takes the same arguments as `skip`. */
  odd(what: string, count: number, ...places: readonly string[]): void {
    addAll(this.#odd, what, count, places);
  }

  unknown(field: string, value: string, count: number, place: string | null): void {
    const key = `${field} ${value}`;
    const known = this.#unknown.get(key) ?? { field, what: value, count: 0, places: [] };
    this.#unknown.set(key, { ...counted(known, count, place === null ? [] : [place]), field });
  }

  infer(fact: string, confidence: Confidence, count: number, of: string): void {
    if (count === 0) return;
    const key = `${fact} ${confidence} ${of}`;
    const known = this.#inferred.get(key);
    this.#inferred.set(key, { fact, confidence, of, count: (known?.count ?? 0) + count });
  }

  /** Returns all counts, with each list in descending order of frequency. */
  report(): Pick<
    ImportReport,
    'files' | 'skipped' | 'anomalies' | 'unknownValues' | 'inferred' | 'columns' | 'unusedColumns'
  > {
    const byCount = <T extends { readonly count: number }>(rows: Iterable<T>): readonly T[] =>
      [...rows].toSorted((a, b) => b.count - a.count);
    return {
      files: this.#files,
      skipped: byCount(this.#skipped.values()),
      anomalies: byCount(this.#odd.values()),
      unknownValues: byCount(this.#unknown.values()),
      inferred: byCount(this.#inferred.values()),
      columns: this.columns,
      unusedColumns: [...this.#unread],
    };
  }
}

const readAllTheSame: readonly FileFault['kind'][] = ['not-utf8', 'more-follow', 'more-delimiters', 'fewer-fields'];

const faultTexts: Readonly<Record<FileFault['kind'], string>> = {
  'cut-off': 'content truncated at the end of the file',
  'too-large': 'rows larger than the maximum',
  'not-json': 'lines that are not JSON objects',
  'not-csv': 'lines with unbalanced quotation marks',
  'more-fields': 'lines with more fields than columns',
  'more-delimiters': 'lines with empty fields beyond the last column',
  'fewer-fields': 'lines with fewer fields than columns; the missing fields are empty',
  'not-utf8': 'lines that are not UTF-8, read as Windows-1252',
  'more-follow': 'pages that announce more pages',
};

function addAll(into: Map<string, Counted>, what: string, count: number, places: readonly string[]): void {
  if (count === 0) return;
  into.set(what, counted(into.get(what) ?? { what, count: 0, places: [] }, count, places));
}

function counted(known: Counted, count: number, places: readonly string[]): Counted {
  return { ...known, count: known.count + count, places: [...known.places, ...places].slice(0, placesMax) };
}
