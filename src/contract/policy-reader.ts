import type { z } from 'zod';
import type { ValidationProblem } from '../core/errors.ts';
import { policyProblemsMax } from '../core/limits.ts';
import { isPlainObject } from '../core/merge-patch.ts';

/**
 * Reads one part of a PATCH against what stands there now. A reader notes every fault and keeps the current value there, so
 * that one pass finds all faults and the rest can still be evaluated; a value that says what stands there already is always
 * accepted and comes back as the very same object, so that "nothing changed" is a comparison.
 */
export type Reader<T> = (given: unknown, current: T, place: string, refusals: Refusals) => T;

/** Reads an item of a list; `known` is the item of the current list for the same object. Nothing comes back for a fault. */
export type ItemReader<T> = (given: unknown, known: T | undefined, place: string, refusals: Refusals) => T | undefined;

export type Readers<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

/** The faults of one body, bounded: what is beyond the limit is counted. */
export class Refusals {
  readonly #problems: ValidationProblem[] = [];
  #count = 0;

  /** Notes a fault. Takes the place in the body and what is wrong there: the value and what is allowed. */
  refuse(place: string, message: string): void {
    this.#count += 1;
    if (this.#problems.length < policyProblemsMax)
      this.#problems.push({ location: place === '' ? 'body' : place, message });
  }

  /** How many faults were noted. */
  get count(): number {
    return this.#count;
  }

  /** The faults, in the order of the body. */
  get problems(): readonly ValidationProblem[] {
    const hidden = this.#count - this.#problems.length;
    if (hidden === 0) return this.#problems;
    return [...this.#problems, { location: 'body', message: `${hidden} further faults are not listed` }];
  }
}

/** A value that a schema accepts. Takes the words for what it allows. */
export function leaf<T>(schema: z.ZodType<T>, allowed: string): Reader<T> {
  return (given, current, place, refusals) => {
    if (given !== undefined && given === current) return current;
    const result = schema.safeParse(given);
    if (result.success) return result.data;
    refusals.refuse(place, `${shown(given)} is not ${allowed}`);
    return current;
  };
}

/** One of a list of words, in any case; it comes back as the list spells it. Takes other spellings that stand for a word. */
export function word<T extends string>(words: readonly T[], aliases: ReadonlyMap<string, T> = new Map()): Reader<T> {
  const spelled = new Map([
    ...[...aliases].map(([alias, meant]) => [alias.toLowerCase(), meant] as const),
    ...words.map((one) => [one.toLowerCase(), one] as const),
  ]);
  const allowed = [...new Set([...words, ...aliases.keys()])].map((one) => JSON.stringify(one)).join(', ');
  return (given, current, place, refusals) => {
    const meant = typeof given === 'string' ? spelled.get(given.toLowerCase()) : undefined;
    if (meant !== undefined) return meant;
    refusals.refuse(place, `${shown(given)} is not one of ${allowed}`);
    return current;
  };
}

/** A property that no one may set: what repeats the current value is ignored, what differs is refused. */
export function readOnly<T>(same: (given: unknown, current: T) => boolean = repeats): Reader<T> {
  return (given, current, place, refusals) => {
    if (!same(given, current)) {
      refusals.refuse(
        place,
        `${shown(given)} differs from the current value, ${shown(current)}; the property is read-only`,
      );
    }
    return current;
  };
}

/** A rule about several properties of one object, evaluated when each of them is well. */
export type ObjectRule<T> = (after: T, place: string, refusals: Refusals) => void;

interface ObjectShape<T> {
  /** The name that `@odata.type` may give it, in any namespace. */
  readonly typeName: string;
  readonly readers: Readers<T>;
  readonly rule?: ObjectRule<T>;
}

/** An object that merges deep: what is left out stays. */
export function section<T extends object>(shape: ObjectShape<T>): Reader<T> {
  return (given, current, place, refusals) => {
    const before = refusals.count;
    const read = readProperties(shape, given, current, place, refusals);
    const keys = Object.keys(read) as (keyof T)[];
    if (keys.every((key) => read[key] === current[key])) return current;
    const after = { ...current, ...read };
    if (refusals.count === before) shape.rule?.(after, place, refusals);
    return after;
  };
}

/** An object of a list, which has to be whole: arrays replace. */
export function element<T extends object>(shape: ObjectShape<T>): ItemReader<T> {
  const keys = Object.keys(shape.readers) as (keyof T & string)[];
  return (given, known, place, refusals) => {
    const before = refusals.count;
    const read = readProperties(shape, given, known, place, refusals);
    if (isPlainObject(given)) {
      const missing = keys.filter((key) => !Object.hasOwn(given, key));
      for (const key of missing)
        shape.readers[key](undefined, known?.[key] as T[typeof key], pathOf(place, key), refusals);
    }
    if (refusals.count > before) return undefined;
    if (known !== undefined && keys.every((key) => read[key] === known[key])) return known;
    shape.rule?.(read as T, place, refusals);
    return refusals.count > before ? undefined : (read as T);
  };
}

interface ListShape<T> {
  readonly item: ItemReader<T>;
  /** The object that an item is about, as text: equal for two items about the same one; `null` when it cannot be told. */
  readonly identityOf: (item: unknown) => string | null;
  readonly itemsMax: number;
  /** A rule about all items, evaluated on those that are well. */
  readonly rule?: ObjectRule<readonly T[]>;
}

/** A list that replaces the current one whole; `[]` clears it. */
export function list<T extends object>({ item, identityOf, itemsMax, rule }: ListShape<T>): Reader<readonly T[]> {
  return (given, current, place, refusals) => {
    if (!Array.isArray(given)) {
      refusals.refuse(place, `${shown(given)} is not a list`);
      return current;
    }
    if (given.length > Math.max(itemsMax, current.length)) {
      refusals.refuse(place, `${shown(given)} is longer than ${itemsMax} items`);
      return current;
    }
    const known = new Map(current.map((one) => [identityOf(one), one]));
    // Two items of the current list may be about one object; the one at the same index is meant then.
    const knownFor = (identity: string | null, index: number): T | undefined => {
      if (identity === null) return undefined;
      return identityOf(current[index]) === identity ? current[index] : known.get(identity);
    };
    const before = refusals.count;
    const items: T[] = [];
    given.forEach((one: unknown, index) => {
      const read = item(one, knownFor(identityOf(one), index), `${place}[${index}]`, refusals);
      if (read !== undefined) items.push(read);
    });
    rule?.(items, place, refusals);
    if (refusals.count > before) return current;
    return items.length === current.length && items.every((one, index) => one === current[index]) ? current : items;
  };
}

/** Whether a value says what stands there: an object may leave properties out, a list may not leave items out. */
function repeats(given: unknown, current: unknown): boolean {
  if (given === current) return true;
  if (Array.isArray(current)) {
    return (
      Array.isArray(given) &&
      given.length === current.length &&
      current.every((one, index) => repeats(given[index], one))
    );
  }
  if (!isPlainObject(current) || !isPlainObject(given)) return false;
  return Object.entries(given).every(([key, value]) => Object.hasOwn(current, key) && repeats(value, current[key]));
}

const shownCharactersMax = 80;

/** A value as a message shows it: a scalar as JSON, a composite by its kind, either way short. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return shortened(typeof value === 'number' ? String(value) : JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
}

function pathOf(place: string, key: string): string {
  return place === '' ? shortened(key) : `${place}.${shortened(key)}`;
}

/** The properties that were given, read; those at fault stand there with their current value. */
function readProperties<T extends object>(
  { readers, typeName }: ObjectShape<T>,
  given: unknown,
  current: T | undefined,
  place: string,
  refusals: Refusals,
): Partial<T> {
  const read: Partial<T> = {};
  if (!isPlainObject(given)) {
    refusals.refuse(place, `${shown(given)} is not an object`);
    return read;
  }
  for (const key of Object.keys(given)) {
    const at = pathOf(place, key);
    if (isKeyOf(readers, key)) read[key] = readers[key](given[key], current?.[key] as T[typeof key], at, refusals);
    else if (key.includes('@odata.')) readAnnotation(key, given[key], typeName, at, refusals);
    else refusals.refuse(at, `is not a property here; allowed: ${Object.keys(readers).join(', ')}`);
  }
  return read;
}

function isKeyOf<T>(readers: Readers<T>, key: string): key is keyof T & string {
  return Object.hasOwn(readers, key);
}

/**
 * Annotations are read-only. Clients write the type of an object with the namespace that they know; the name alone tells what
 * it is. Others have no value here that could be repeated.
 */
function readAnnotation(key: string, given: unknown, typeName: string, place: string, refusals: Refusals): void {
  if (key === '@odata.type' && typeof given === 'string' && given.split(/[.#]/).at(-1) === typeName) return;
  const current = key === '@odata.type' ? `the type ${typeName}` : 'no value';
  refusals.refuse(place, `${shown(given)} differs: the annotation has ${current} here and is read-only`);
}
