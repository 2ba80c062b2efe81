/** What stands before a quote inside quotes: a second quote, or a backslash. */
export type QuoteMark = '"' | '\\';

/** How a CSV file is written. */
export interface CsvForm {
  readonly delimiter: string;
  readonly mark: QuoteMark;
  readonly lineEnd: '\n' | '\r\n';
}

/** A field by its place among bytes; a quoted one includes its quotes. */
export interface CsvField {
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
}

/** A record of a CSV file: usually a line. */
export interface CsvRecord {
  /** Its fields; `null` for a line whose quotes do not fit. */
  readonly fields: readonly CsvField[] | null;
  /** Where the next record begins. */
  readonly next: number;
  /** Lines that it takes. */
  readonly lines: number;
  /** Whether more bytes may belong to it. */
  readonly isUnfinished: boolean;
  /** Whether it ends with the bytes, and not with the end of a line. */
  readonly isLast: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;

/**
 * Reads a record. Takes the bytes, where it begins, how the file is written, and whether no more bytes follow. A quote in the middle
 * of a field that has none around it is a letter. A field in quotes that does not end, or ends before the end of the field, is a
 * fault of the line on which the record begins, and reading goes on with the next line.
 */
export function csvRecord(bytes: Uint8Array, from: number, form: Omit<CsvForm, 'lineEnd'>, isEnd: boolean): CsvRecord {
  const delimiter = form.delimiter.charCodeAt(0);
  const fields: CsvField[] = [];
  let index = from;
  for (;;) {
    const found = fieldAt(bytes, index, delimiter, form.mark);
    if (!isEnd && found.end >= bytes.length) return unfinished(from);
    if (found.field === null) return brokenLine(bytes, from, isEnd);
    fields.push(found.field);
    if (bytes[found.end] !== delimiter) return ended(bytes, { from, end: found.end, fields, isEnd });
    index = found.end + 1;
  }
}

/** A field and where it ends; it is `null` where its quotes do not fit, and the end may lie beyond the bytes then. */
interface FoundField {
  readonly field: CsvField | null;
  readonly end: number;
}

function fieldAt(bytes: Uint8Array, from: number, delimiter: number, mark: QuoteMark): FoundField {
  const begin = afterBlanks(bytes, from);
  if (bytes[begin] !== quote) {
    let end = from;
    while (end < bytes.length && !isFieldEnd(bytes[end] as number, delimiter)) end += 1;
    return { field: { from, to: end, isQuoted: false }, end };
  }
  const closed = closingQuote(bytes, begin + 1, mark);
  if (closed < 0) return { field: null, end: bytes.length };
  const end = afterBlanks(bytes, closed + 1);
  const isWhole = end >= bytes.length || isFieldEnd(bytes[end] as number, delimiter);
  return { field: isWhole ? { from: begin, to: closed + 1, isQuoted: true } : null, end };
}

/** A record that ends with a line or with the bytes. */
function ended(
  bytes: Uint8Array,
  { from, end, fields, isEnd }: { from: number; end: number; fields: readonly CsvField[]; isEnd: boolean },
): CsvRecord {
  const isReturn = bytes[end] === carriageReturn;
  if (isReturn && end + 1 >= bytes.length && !isEnd) return unfinished(from);
  let lines = 1;
  for (let at = from; at < end; at += 1) if (bytes[at] === lineFeed) lines += 1;
  const next = Math.min(bytes.length, end + (isReturn && bytes[end + 1] === lineFeed ? 2 : 1));
  return { fields, next, lines, isUnfinished: false, isLast: end >= bytes.length };
}

function isFieldEnd(byte: number, delimiter: number): boolean {
  return byte === delimiter || byte === lineFeed || byte === carriageReturn;
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let index = from;
  while (bytes[index] === blank) index += 1;
  return index;
}

/** Where the quote stands that ends a field; -1 where none does. */
function closingQuote(bytes: Uint8Array, from: number, mark: QuoteMark): number {
  for (let index = from; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte === backslash && mark === '\\') index += 1;
    else if (byte === quote) {
      if (mark !== '"' || bytes[index + 1] !== quote) return index;
      index += 1;
    }
  }
  return -1;
}

function unfinished(from: number): CsvRecord {
  return { fields: null, next: from, lines: 0, isUnfinished: true, isLast: false };
}

function brokenLine(bytes: Uint8Array, from: number, isEnd: boolean): CsvRecord {
  const end = bytes.indexOf(lineFeed, from);
  if (end < 0 && !isEnd) return unfinished(from);
  const next = end < 0 ? bytes.length : end + 1;
  return { fields: null, next, lines: 1, isUnfinished: false, isLast: end < 0 };
}

/** Where in a record the check is, and what a byte may come to besides: the end of a field or of a line, or something that does not fit. */
const [atLine, atField, inField, inQuotes, afterQuote, afterEscape, afterReturn] = [0, 1, 2, 3, 4, 5, 6];
const [fieldEnd, lineEnd, misfit] = [7, 8, 9];
const bytesOfState = 256;

/** Where each byte leads to from each place, one row of 256 after another. */
function stepsOf({ delimiter, mark, lineEnd: end }: CsvForm): Uint8Array {
  const steps = new Uint8Array((afterReturn + 1) * bytesOfState).fill(misfit);
  const set = (from: number, byte: number | null, to: number): void => {
    if (byte === null) steps.fill(to, from * bytesOfState, (from + 1) * bytesOfState);
    else steps[from * bytesOfState + byte] = to;
  };
  for (const from of [atLine, atField, inField]) set(from, null, inField);
  for (const from of [atLine, atField, inField, afterQuote]) {
    set(from, delimiter.charCodeAt(0), fieldEnd);
    set(from, lineFeed, end === '\n' && from !== atLine ? lineEnd : misfit);
    set(from, carriageReturn, end === '\n' || from === atLine ? misfit : afterReturn);
  }
  for (const from of [atLine, atField]) set(from, quote, inQuotes);
  set(inField, quote, misfit);
  set(inQuotes, null, inQuotes);
  set(inQuotes, quote, afterQuote);
  if (mark === '\\') {
    set(inQuotes, backslash, afterEscape);
    set(afterEscape, null, inQuotes);
  } else set(afterQuote, quote, inQuotes);
  set(afterReturn, lineFeed, lineEnd);
  return steps;
}

/**
 * Looks whether every line of a file has as many fields as there are columns, with quotes around whole fields alone and every line
 * ending alike. Every byte of an export passes here, so this is one loop over a table of numbers that says no more than that.
 */
export class CsvCheck {
  readonly #steps: Uint8Array;
  readonly #width: number;
  readonly #bytesMax: number;
  #state = atLine;
  #fields = 1;
  /** Bytes of the record in earlier chunks. */
  #before = 0;

  /** Takes how the file is written, how many columns it has, and how many bytes a record may have. */
  constructor(form: CsvForm, width: number, bytesMax: number) {
    this.#steps = stepsOf(form);
    this.#width = width;
    this.#bytesMax = bytesMax;
  }

  /** Takes the next bytes. Returns whether they fit. */
  push(bytes: Uint8Array): boolean {
    const steps = this.#steps;
    const { length } = bytes;
    let state = this.#state;
    let fields = this.#fields;
    let from = -this.#before;
    for (let index = 0; index < length; index += 1) {
      state = steps[(state << 8) | (bytes[index] as number)] as number;
      if (state < fieldEnd) {
        // Most bytes are letters in quotes or in a field, which leave the place as it is.
        const row = state << 8;
        while (index + 1 < length && steps[row | (bytes[index + 1] as number)] === state) index += 1;
        continue;
      }
      if (state === fieldEnd) {
        fields += 1;
        state = atField;
      } else {
        if (state === misfit || fields !== this.#width || index - from > this.#bytesMax) return false;
        from = index + 1;
        fields = 1;
        state = atLine;
      }
    }
    this.#state = state;
    this.#fields = fields;
    this.#before = length - from;
    return this.#before <= this.#bytesMax;
  }

  /** Returns whether the end of the file fits too. */
  end(): boolean {
    if (this.#state === atLine) return true;
    return [atField, inField, afterQuote].includes(this.#state) && this.#fields === this.#width;
  }
}
