import type { Confidence } from '../../contract/import-mapping.schema.ts';
import type { Counted, ImportReport } from '../../contract/import-report.ts';
import type { FileFault, SourceFile } from './source-file.ts';

/** Places that are listed of one thing; the rest is counted. */
const placesMax = 5;

/** Counts what an import read, left out, did not know and inferred. */
export class Tally {
  readonly #skipped = new Map<string, Counted>();
  readonly #odd = new Map<string, Counted>();
  readonly #unknown = new Map<string, Counted & { readonly field: string }>();
  readonly #inferred = new Map<string, ImportReport['inferred'][number]>();
  readonly #files: ImportReport['files'][number][] = [];
  readonly columns: Record<string, string | null> = {};

  /** A file that is read, with what was wrong with it. */
  file({ name, kind, bytes, encoding }: SourceFile): void {
    this.#files.push({ name, kind, bytes, encoding });
  }

  /** Faults of a file: rows that were left out, or text that was read as something else. */
  faults(faults: readonly FileFault[], count: number): void {
    faults.forEach(({ kind, place }) => {
      const into = kind === 'not-utf8' || kind === 'more-follow' ? this.#odd : this.#skipped;
      add(into, faultTexts[kind], 1, place);
    });
    if (count > faults.length) add(this.#skipped, 'faults beyond those that are listed', count - faults.length, null);
  }

  skip(what: string, count: number, place: string | null = null): void {
    add(this.#skipped, what, count, place);
  }

  odd(what: string, count: number, place: string | null = null): void {
    add(this.#odd, what, count, place);
  }

  unknown(field: string, value: string, count: number, place: string | null): void {
    const key = `${field} ${value}`;
    const known = this.#unknown.get(key) ?? { field, what: value, count: 0, places: [] };
    this.#unknown.set(key, { ...counted(known, count, place), field });
  }

  infer(fact: string, confidence: Confidence, count: number, of: string): void {
    if (count === 0) return;
    const key = `${fact} ${confidence} ${of}`;
    const known = this.#inferred.get(key);
    this.#inferred.set(key, { fact, confidence, of, count: (known?.count ?? 0) + count });
  }

  /** What was counted, each list with the most frequent first. */
  report(): Pick<ImportReport, 'files' | 'skipped' | 'odd' | 'unknownValues' | 'inferred' | 'columns'> {
    const byCount = <T extends { readonly count: number }>(rows: Iterable<T>): readonly T[] =>
      [...rows].toSorted((a, b) => b.count - a.count);
    return {
      files: this.#files,
      skipped: byCount(this.#skipped.values()),
      odd: byCount(this.#odd.values()),
      unknownValues: byCount(this.#unknown.values()),
      inferred: byCount(this.#inferred.values()),
      columns: this.columns,
    };
  }
}

const faultTexts: Readonly<Record<FileFault['kind'], string>> = {
  'cut-off': 'cut off at the end of the file',
  'too-large': 'rows larger than may be read',
  'not-json': 'lines that are no JSON object',
  'not-csv': 'lines that do not fit the columns',
  'not-utf8': 'lines that are no UTF-8, read as Windows-1252',
  'more-follow': 'pages that say that more of them follow',
};

function add(into: Map<string, Counted>, what: string, count: number, place: string | null): void {
  if (count === 0) return;
  into.set(what, counted(into.get(what) ?? { what, count: 0, places: [] }, count, place));
}

function counted(known: Counted, count: number, place: string | null): Counted {
  const places = place === null || known.places.length >= placesMax ? known.places : [...known.places, place];
  return { ...known, count: known.count + count, places };
}
