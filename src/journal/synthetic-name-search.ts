import { parseGuidStart } from '../core/numbered-guid.ts';
import { givenNames, initials, surnames } from './synthetic-names.ts';

/** What a search needs to know of synthetic users. */
interface NamedUsers {
  readonly domain: string;
  /** Returns the number of the name of a user, in the order of given names, initials and surnames. */
  nameNumberAt(index: number): number;
  idAt(index: number): string;
  nameAt(index: number): string;
}

/** Longest text whose divisions fit into one number of bits. No name without digits is longer. */
const dividedTextMax = 31;

/** Number of digits in a user principal name. */
const numberDigits = 7;

const digits = /\d+/;

/**
 * Returns a test of synthetic users by number: whether the display name or the user principal name contains a text in
 * lower case, or the id starts with it. It compares the text with each part of the names once, so the test of a user
 * only combines two results, and a search of 1,000,000 users takes milliseconds.
 */
export function createNameTest(users: NamedUsers, text: string): (index: number) => boolean {
  const isInId = createIdTest(users, text);
  if (`@${users.domain}`.toLowerCase().includes(text)) return () => true;
  const [number] = digits.exec(text) ?? [];
  if (number !== undefined) {
    // A number of a name that contains the text contains the first digits of the text.
    const isInName = (index: number) =>
      String(index + 1)
        .padStart(numberDigits, '0')
        .includes(number);
    return (index) => isInId(index) || (isInName(index) && users.nameAt(index).includes(text));
  }
  const isInDisplayName = createFormTest(text, displayNameForm);
  const isInPrincipalName = createFormTest(text, principalNameForm);
  return (index) => {
    const name = users.nameNumberAt(index);
    return isInDisplayName(name) || isInPrincipalName(name) || isInId(index);
  };
}

function createIdTest(users: NamedUsers, text: string): (index: number) => boolean {
  const range = parseGuidStart(text);
  if (range === null) return () => false;
  return (index) => index >= range.from && index < range.to && users.idAt(index).startsWith(text);
}

/** Punctuation of a name between its parts, and at its end. */
interface NameForm {
  readonly afterGiven: string;
  readonly afterInitial: string;
  readonly end: string;
}

const displayNameForm: NameForm = { afterGiven: ' ', afterInitial: '. ', end: '' };
const principalNameForm: NameForm = { afterGiven: '.', afterInitial: '.', end: '.' };

/**
 * Returns a test of names by number. A text is in a name if it is in the given name with the initial, or in the surname,
 * or if a division of it ends the former and begins the latter. Each bit stands for one division.
 */
function createFormTest(text: string, { afterGiven, afterInitial, end }: NameForm): (name: number) => boolean {
  if (text.length > dividedTextMax) return () => false;
  const heads = givenNames.flatMap((given) =>
    Array.from(initials, (initial) => `${given}${afterGiven}${initial}${afterInitial}`.toLowerCase()),
  );
  const tails = surnames.map((surname) => `${surname}${end}`.toLowerCase());
  const headHas = Uint8Array.from(heads, (head) => Number(head.includes(text)));
  const tailHas = Uint8Array.from(tails, (tail) => Number(tail.includes(text)));
  const headEnds = Uint32Array.from(heads, (head) => collectBits(text, (at) => head.endsWith(text.slice(0, at))));
  const tailBegins = Uint32Array.from(tails, (tail) => collectBits(text, (at) => tail.startsWith(text.slice(at))));
  return (name) => {
    const tail = name % tails.length;
    const head = Math.floor(name / tails.length);
    if (headHas[head] === 1 || tailHas[tail] === 1) return true;
    return ((headEnds[head] ?? 0) & (tailBegins[tail] ?? 0)) !== 0;
  };
}

/** Returns the divisions of a text for which a condition holds, as bits. */
function collectBits(text: string, holds: (at: number) => boolean): number {
  let bits = 0;
  for (let at = 1; at < text.length; at += 1) if (holds(at)) bits |= 1 << at;
  return bits >>> 0;
}
