/** Maximum size of an object in bytes; a larger one is not a row of an export. */
export const objectBytesMax = 67_108_864;

/** Object in a file, or an error at its position. */
export interface FoundObject {
  /** Line number of its start, from 1. */
  readonly line: number;
  /** Bytes of the object on one line; `null` if it is too large or truncated. */
  readonly bytes: Uint8Array | null;
  readonly problem: 'too-large' | 'cut-off' | 'not-json' | null;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;

/** Bytes allowed between rows: commas and brackets. */
const rowMarks: ReadonlySet<number> = new Set([0x2c, openBrace, closeBrace, openBracket, closeBracket]);

/**
 * Finds the rows of JSON text in any wrapping: consecutive objects, a list of objects, or objects with a list under
 * `value` as in API pages. It processes bytes and keeps at most one row in memory.
 */
export class JsonObjects {
  /** `true` if a page indicates that more pages follow. */
  moreFollow = false;
  readonly #stack: number[] = [];
  #inString = false;
  #escaped = false;
  #line = 1;
  #parts: Uint8Array[] = [];
  #held = 0;
  #tooLarge = false;
  /** Depth at which the current row started; -1 between rows. */
  #rowDepth = -1;
  #rowLine = 0;
  /** Offset in the chunk at which the row starts or continues; -1 between rows. */
  #from = -1;
  /** `true` while reading a value at the position of a row that is not an object. */
  #inStray = false;
  /** Last text at the first level of a wrapping object, which is the key of the next value. */
  #key = '';
  #keyBytes: number[] | null = null;

  /**
   * Processes a chunk of the file and replaces line breaks within rows with spaces. Returns the rows that end in it.
   */
  push(chunk: Uint8Array): readonly FoundObject[] {
    const found: FoundObject[] = [];
    this.#from = this.#rowDepth >= 0 ? 0 : -1;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] as number;
      if (this.#rowDepth < 0) this.#noteStray(byte, found);
      if (this.#inString) this.#readString(byte);
      else if (byte === lineFeed || byte === carriageReturn) this.#readLineEnd(chunk, index);
      else if (byte === quote) this.#beginString();
      else if (byte === openBrace || byte === openBracket) this.#open(byte, index);
      else if ((byte === closeBrace || byte === closeBracket) && this.#close()) {
        this.#keep(chunk.subarray(this.#from, index + 1));
        found.push(this.#row());
        this.#from = -1;
      }
    }
    if (this.#rowDepth >= 0 && this.#from >= 0) this.#keep(chunk.slice(this.#from));
    return found;
  }

  /** Reports a value at the position of a row, in a list or at the top level, that is not an object. */
  #noteStray(byte: number, objects: FoundObject[]): void {
    if (this.#inString || byte <= blank) {
      if (byte === lineFeed) this.#inStray = false;
      return;
    }
    const isAmongRows = this.#stack.length === 0 || this.#stack.at(-1) === openBracket;
    if (rowMarks.has(byte)) this.#inStray = false;
    else if (isAmongRows && !this.#inStray) {
      this.#inStray = true;
      objects.push({ line: this.#line, bytes: null, problem: 'not-json' });
    }
  }

  #readLineEnd(chunk: Uint8Array, index: number): void {
    if (chunk[index] === lineFeed) this.#line += 1;
    if (this.#rowDepth >= 0) chunk[index] = blank;
  }

  #beginString(): void {
    this.#inString = true;
    if (this.#stack.length === 1 && this.#rowDepth <= 0) this.#keyBytes = [];
  }

  #open(byte: number, index: number): void {
    if (byte === openBrace && this.#rowDepth < 0 && this.#beginsRow()) {
      this.#rowDepth = this.#stack.length;
      this.#rowLine = this.#line;
      this.#from = index;
    }
    this.#stack.push(byte);
    if (byte === openBracket) this.#unwrap();
    if (this.#rowDepth < 0) this.#from = -1;
  }

  /** Closes an object or a list. Returns `true` if it was a row. */
  #close(): boolean {
    this.#stack.pop();
    return this.#rowDepth >= 0 && this.#stack.length === this.#rowDepth;
  }

  /** Returns an error for a row that is truncated at the end of the file. */
  end(): readonly FoundObject[] {
    if (this.#rowDepth >= 0) return [{ line: this.#rowLine, bytes: null, problem: 'cut-off' }];
    return this.#stack.length > 0 ? [{ line: this.#line, bytes: null, problem: 'cut-off' }] : [];
  }

  #readString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) {
      this.#inString = false;
      if (this.#keyBytes !== null) this.#noteKey(String.fromCharCode(...this.#keyBytes));
      this.#keyBytes = null;
      return;
    }
    if (byte === lineFeed) this.#line += 1;
    if (this.#keyBytes !== null && this.#keyBytes.length < keyBytesMax) this.#keyBytes.push(byte);
  }

  #noteKey(key: string): void {
    this.#key = key;
    if (/nextlink$/i.test(key)) this.moreFollow = true;
  }

  /** Checks whether an object starts a row: at the top level, in a list, or in the list of a page. */
  #beginsRow(): boolean {
    const { length } = this.#stack;
    if (length === 0) return true;
    return this.#stack[length - 1] === openBracket && length <= 2;
  }

  /** Reclassifies the current row as the wrapping object of a page, because it contains a list of rows. */
  #unwrap(): void {
    if (this.#rowDepth !== 0 || this.#stack.length !== 2) return;
    if (this.#key !== 'value') return;
    this.#parts = [];
    this.#held = 0;
    this.#tooLarge = false;
    this.#rowDepth = -1;
  }

  #keep(bytes: Uint8Array): void {
    if (this.#tooLarge) return;
    this.#held += bytes.length;
    if (this.#held > objectBytesMax) {
      this.#tooLarge = true;
      this.#parts = [];
    } else this.#parts.push(bytes);
  }

  #row(): FoundObject {
    const bytes = this.#tooLarge ? null : concat(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    const problem = this.#tooLarge ? 'too-large' : null;
    this.#tooLarge = false;
    this.#rowDepth = -1;
    return { line: this.#rowLine, bytes, problem };
  }
}

/** Maximum length of a relevant key in bytes. */
const keyBytesMax = 256;

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
