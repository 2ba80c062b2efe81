/** Escape character of a quote within quotes: a second quote, or a backslash. */
export type QuoteMark = '"' | '\\';

/** Format of a CSV file. */
export interface CsvForm {
  readonly delimiter: string;
  readonly mark: QuoteMark;
  readonly lineEnd: '\n' | '\r\n';
}

/** Position of a field in the bytes, including its quotes. */
export interface CsvField {
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
}

/** Record of a CSV file, usually one line. */
export interface CsvRecord {
  /** Fields of the record; `null` if the quotes of the line are unbalanced. */
  readonly fields: readonly CsvField[] | null;
  /** Offset of the next record. */
  readonly next: number;
  /** Number of lines. */
  readonly lines: number;
  /** `true` if more bytes can belong to it. */
  readonly isUnfinished: boolean;
  /** `true` if it ends with the bytes and not with a line end. */
  readonly isLast: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;

/**
 * Parses a record. A quote within an unquoted field is an ordinary character. If a quoted field does not end, or its
 * closing quote is not at the end of the field, the first line of the record is invalid and parsing continues with the
 * next line.
 * @param isEnd - `true` if no more bytes follow
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

/** Field with its end; `null` if its quotes are unbalanced, in which case the end can be after the bytes. */
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

/** Creates a record that ends with a line or with the bytes. */
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

/** Returns the offset of the quote that closes a field; -1 if there is none. */
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

/** States of the check within a record, and the results of a byte: end of field, end of line, or an error. */
const [atLine, atField, inField, inQuotes, afterQuote, afterEscape, afterReturn] = [0, 1, 2, 3, 4, 5, 6];
const [fieldEnd, lineEnd, misfit] = [7, 8, 9];
const bytesOfState = 256;

/** Builds the state transition table, with one row of 256 bytes per state. */
function createSteps({ delimiter, mark, lineEnd: end }: CsvForm): Uint8Array {
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
 * Checks that every line of a file has as many fields as there are columns, only whole fields are quoted, and all line
 * ends are equal. Every byte of an export passes through it, so it is a single loop over a transition table without any
 * details.
 */
export class CsvCheck {
  readonly #steps: Uint8Array;
  readonly #width: number;
  readonly #bytesMax: number;
  #state = atLine;
  #fields = 1;
  /** Bytes of the record in earlier chunks. */
  #before = 0;

  /** Creates a check for the format of the file, its number of columns, and the maximum bytes per record. */
  constructor(form: CsvForm, width: number, bytesMax: number) {
    this.#steps = createSteps(form);
    this.#width = width;
    this.#bytesMax = bytesMax;
  }

  /** Processes the next bytes. Returns `false` if they are invalid. */
  push(bytes: Uint8Array): boolean {
    const steps = this.#steps;
    const { length } = bytes;
    let state = this.#state;
    let fields = this.#fields;
    let from = -this.#before;
    for (let index = 0; index < length; index += 1) {
      state = steps[(state << 8) | (bytes[index] as number)] as number;
      if (state < fieldEnd) {
        // Most bytes are ordinary characters of a field and do not change the state.
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

  /** Returns `true` if the end of the file is also valid. */
  end(): boolean {
    if (this.#state === atLine) return true;
    return [atField, inField, afterQuote].includes(this.#state) && this.#fields === this.#width;
  }
}
