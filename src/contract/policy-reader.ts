import type { z } from 'zod';
import type { ValidationProblem } from '../core/errors.ts';
import { policyProblemsMax } from '../core/limits.ts';
import { isPlainObject } from '../core/merge-patch.ts';

/**
 * Reads one part of a PATCH against the current value. For an invalid value, a reader records a problem and keeps the
 * current value, so a single pass finds all problems. An unchanged value is always accepted and returned as the same
 * object, so changes can be detected by comparing references.
 */
export type Reader<T> = (given: unknown, current: T, place: string, refusals: Refusals) => T;

/**
 * Reads an item of a list. `known` is the current item for the same object. Returns `undefined` if the item has a
 * problem.
 */
export type ItemReader<T> = (given: unknown, known: T | undefined, place: string, refusals: Refusals) => T | undefined;

export type Readers<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

/** Problems of one request body. Problems beyond the limit are only counted. */
export class Refusals {
  readonly #problems: ValidationProblem[] = [];
  #count = 0;

  /** Records a problem with its location in the body and a message that names the value and the allowed values. */
  refuse(place: string, message: string): void {
    this.#count += 1;
    if (this.#problems.length < policyProblemsMax)
      this.#problems.push({ location: place === '' ? 'body' : place, message });
  }

  /** Total number of recorded problems. */
  get count(): number {
    return this.#count;
  }

  /** Recorded problems in the order of the body. */
  get problems(): readonly ValidationProblem[] {
    const hidden = this.#count - this.#problems.length;
    if (hidden === 0) return this.#problems;
    return [...this.#problems, { location: 'body', message: `${hidden} more problems are not listed` }];
  }
}

/** Creates a reader that validates with a schema. `allowed` describes the valid values in error messages. */
export function leaf<T>(schema: z.ZodType<T>, allowed: string): Reader<T> {
  return (given, current, place, refusals) => {
    if (given !== undefined && given === current) return current;
    const result = schema.safeParse(given);
    if (result.success) return result.data;
    refusals.refuse(place, `${formatValue(given)} is not ${allowed}`);
    return current;
  };
}

/**
 * Creates a reader for a word from a list, in any case. It returns the spelling of the list and also accepts `aliases`.
 */
export function word<T extends string>(words: readonly T[], aliases: ReadonlyMap<string, T> = new Map()): Reader<T> {
  const spelled = new Map([
    ...[...aliases].map(([alias, meant]) => [alias.toLowerCase(), meant] as const),
    ...words.map((one) => [one.toLowerCase(), one] as const),
  ]);
  const allowed = [...new Set([...words, ...aliases.keys()])].map((one) => JSON.stringify(one)).join(', ');
  return (given, current, place, refusals) => {
    const meant = typeof given === 'string' ? spelled.get(given.toLowerCase()) : undefined;
    if (meant !== undefined) return meant;
    refusals.refuse(place, `${formatValue(given)} is not one of ${allowed}`);
    return current;
  };
}

/** Creates a reader for a read-only property. It ignores the current value and rejects any other value. */
export function readOnly<T>(same: (given: unknown, current: T) => boolean = repeats): Reader<T> {
  return (given, current, place, refusals) => {
    if (!same(given, current)) {
      refusals.refuse(
        place,
        `${formatValue(given)} differs from the current value, ${formatValue(current)}; the property is read-only`,
      );
    }
    return current;
  };
}

/** Rule for several properties of an object, evaluated only if each property is valid. */
export type ObjectRule<T> = (after: T, place: string, refusals: Refusals) => void;

interface ObjectShape<T> {
  /** Type name that `@odata.type` may contain, in any namespace. */
  readonly typeName: string;
  readonly readers: Readers<T>;
  readonly rule?: ObjectRule<T>;
}

/** Creates a reader that merges an object recursively. Omitted properties stay unchanged. */
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

/** Creates a reader for a list item. The item must be complete, because lists are replaced as a whole. */
export function element<T extends object>(shape: ObjectShape<T>): ItemReader<T> {
  const keys = Object.keys(shape.readers) as (keyof T & string)[];
  return (given, known, place, refusals) => {
    const before = refusals.count;
    const read = readProperties(shape, given, known, place, refusals);
    if (isPlainObject(given)) {
      const missing = keys.filter((key) => !Object.hasOwn(given, key));
      for (const key of missing)
        shape.readers[key](undefined, known?.[key] as T[typeof key], joinPath(place, key), refusals);
    }
    if (refusals.count > before) return undefined;
    if (known !== undefined && keys.every((key) => read[key] === known[key])) return known;
    shape.rule?.(read as T, place, refusals);
    return refusals.count > before ? undefined : (read as T);
  };
}

interface ListShape<T> {
  readonly item: ItemReader<T>;
  /** Returns the identity of the object that an item refers to, or `null` if the item is invalid. */
  readonly identityOf: (item: unknown) => string | null;
  readonly itemsMax: number;
  /** Rule for all items, evaluated on the valid ones. */
  readonly rule?: ObjectRule<readonly T[]>;
}

/** Creates a reader that replaces a list as a whole. `[]` empties it. */
export function list<T extends object>({ item, identityOf, itemsMax, rule }: ListShape<T>): Reader<readonly T[]> {
  return (given, current, place, refusals) => {
    if (!Array.isArray(given)) {
      refusals.refuse(place, `${formatValue(given)} is not a list`);
      return current;
    }
    if (given.length > Math.max(itemsMax, current.length)) {
      refusals.refuse(place, `${formatValue(given)} has more than ${itemsMax} items`);
      return current;
    }
    const known = new Map(current.map((one) => [identityOf(one), one]));
    // Two current items can refer to the same object. In this case, the item at the same index takes precedence.
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

/** Returns `true` if a value repeats the current one. Objects may omit properties, but lists may not omit items. */
export function repeats(given: unknown, current: unknown): boolean {
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

/** Formats a value for a message: scalars as JSON, objects and lists by their type. The text is always short. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of length ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return shortened(typeof value === 'number' ? String(value) : JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
}

function joinPath(place: string, key: string): string {
  return place === '' ? shortened(key) : `${place}.${shortened(key)}`;
}

/** Reads the properties that the request contains. Invalid ones keep their current value. */
function readProperties<T extends object>(
  { readers, typeName }: ObjectShape<T>,
  given: unknown,
  current: T | undefined,
  place: string,
  refusals: Refusals,
): Partial<T> {
  const read: Partial<T> = {};
  if (!isPlainObject(given)) {
    refusals.refuse(place, `${formatValue(given)} is not an object`);
    return read;
  }
  for (const key of Object.keys(given)) {
    const at = joinPath(place, key);
    if (isReaderKey(readers, key)) read[key] = readers[key](given[key], current?.[key] as T[typeof key], at, refusals);
    else if (key.includes('@odata.')) readAnnotation(key, given[key], typeName, at, refusals);
    else refusals.refuse(at, `is not a property here; allowed: ${Object.keys(readers).join(', ')}`);
  }
  return read;
}

function isReaderKey<T>(readers: Readers<T>, key: string): key is keyof T & string {
  return Object.hasOwn(readers, key);
}

/** Returns `true` for the name of a type in any namespace and any case. */
function isTypeName(given: string, typeName: string): boolean {
  return given.split(/[.#]/).at(-1)?.toLowerCase() === typeName.toLowerCase();
}

/**
 * Checks an annotation, which is always read-only. Clients send the type of an object with any namespace, so only the
 * type name is compared. Other annotations have no current value to repeat and are rejected.
 */
function readAnnotation(key: string, given: unknown, typeName: string, place: string, refusals: Refusals): void {
  if (key === '@odata.type' && typeof given === 'string' && isTypeName(given, typeName)) return;
  const current = key === '@odata.type' ? `the type ${typeName}` : 'no value';
  refusals.refuse(place, `${formatValue(given)} is not allowed: the annotation has ${current} here and is read-only`);
}
