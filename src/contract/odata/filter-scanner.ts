import { formatValue } from '../policy-reader.ts';

/** Error in a query option, with the position of the offending character. */
export class OptionSyntaxError extends Error {
  override readonly name = 'OptionSyntaxError';
}

const blanks = /\s*/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const quoted = /'[^']*'/y;
/** Value without quotes: a number, a keyword, a time or a GUID. */
const bareWord = /[A-Za-z0-9+\-.:_]+/y;

/** Text of a query option that is read from the left. Every expression matches in linear time. */
export class FilterScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Position of the next character that is not blank, counted from 1. */
  get position(): number {
    this.#take(blanks);
    return this.#at + 1;
  }

  /** Returns `true` at the end of the text. */
  get isAtEnd(): boolean {
    return this.position > this.#text.length;
  }

  /** Takes the given character, if it is next. */
  takeSign(sign: string): boolean {
    this.#take(blanks);
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  /** Takes a name. Returns `null` if something else is next. */
  takeName(): string | null {
    this.#take(blanks);
    return this.#take(name);
  }

  /** Takes a word without regard to case, if it is next and ends there. */
  takeWord(word: string): boolean {
    const before = this.#at;
    if (this.takeName()?.toLowerCase() === word) return true;
    this.#at = before;
    return false;
  }

  /** Takes a value without quotes. Returns `null` if something else is next. */
  takeBareWord(): string | null {
    this.#take(blanks);
    return this.#take(bareWord);
  }

  /** Takes a text in single quotes, in which two quotes stand for one. Returns `null` if something else is next. */
  takeQuoted(): string | null {
    this.#take(blanks);
    if (this.#text[this.#at] !== "'") return null;
    const at = this.position;
    const parts: string[] = [];
    for (let part = this.#take(quoted); part !== null; part = this.#take(quoted)) parts.push(part.slice(1, -1));
    if (parts.length === 0 || this.#text[this.#at] === "'") throw this.failAt(at, 'the text has no closing quote');
    return parts.join("'");
  }

  /** Returns the error for the next character. */
  fail(expected: string): OptionSyntaxError {
    const at = this.position;
    const rest = this.#text.slice(this.#at, this.#at + shownCharacters);
    return this.failAt(at, `${rest === '' ? 'the end' : formatValue(rest)} is not ${expected}`);
  }

  /** Returns the error for an earlier position. */
  failAt(position: number, message: string): OptionSyntaxError {
    return new OptionSyntaxError(`position ${position}: ${message}`);
  }

  #take(expression: RegExp): string | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match === null) return null;
    this.#at = expression.lastIndex;
    return match[0];
  }
}

/** Length of the excerpt in an error message in characters. */
const shownCharacters = 24;
