/** The largest object that is read: more is no row of an export. */
export const objectBytesMax = 67_108_864;

/** An object of a file, or what is wrong there. */
export interface FoundObject {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** Its bytes on one line; `null` where it is too large or was cut off. */
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

/** What may stand between rows: commas and brackets. */
const rowMarks: ReadonlySet<number> = new Set([0x2c, openBrace, closeBrace, openBracket, closeBracket]);

/**
 * Finds the rows of JSON text, however it is wrapped: one object after another, a list of them, or objects that hold a list
 * under `value`, as pages of an API do. Works on bytes and keeps no more than one row in memory.
 */
export class JsonObjects {
  /** Whether a page said that more of them follow. */
  moreFollow = false;
  readonly #stack: number[] = [];
  #inString = false;
  #escaped = false;
  #line = 1;
  #parts: Uint8Array[] = [];
  #held = 0;
  #tooLarge = false;
  /** Depth at which the row that is being read began; -1 between rows. */
  #rowDepth = -1;
  #rowLine = 0;
  /** Where in the chunk the row begins or goes on; -1 between rows. */
  #from = -1;
  /** Whether something that is no object stands where a row would. */
  #inStray = false;
  /** The last text at the first level of a wrapping object, which names what follows. */
  #key = '';
  #keyBytes: number[] | null = null;

  /** Takes a chunk of the file, whose line breaks inside rows become blanks; returns the rows that ended in it. */
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

  /** Notes what is no object and stands where rows are: in a list of them, or by itself. */
  #noteStray(byte: number, found: FoundObject[]): void {
    if (this.#inString || byte <= blank) {
      if (byte === lineFeed) this.#inStray = false;
      return;
    }
    const isAmongRows = this.#stack.length === 0 || this.#stack.at(-1) === openBracket;
    if (rowMarks.has(byte)) this.#inStray = false;
    else if (isAmongRows && !this.#inStray) {
      this.#inStray = true;
      found.push({ line: this.#line, bytes: null, problem: 'not-json' });
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

  /** Leaves an object or a list; whether that was a row. */
  #close(): boolean {
    this.#stack.pop();
    return this.#rowDepth >= 0 && this.#stack.length === this.#rowDepth;
  }

  /** What was cut off at the end of the file. */
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

  /** A row stands by itself, in a list, or in the list of a page. */
  #beginsRow(): boolean {
    const { length } = this.#stack;
    if (length === 0) return true;
    return this.#stack[length - 1] === openBracket && length <= 2;
  }

  /** An object that turns out to hold the list of a page was no row, but what wraps rows. */
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

/** The longest name of a key that matters. */
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
