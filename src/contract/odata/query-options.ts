import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { formatValue } from '../policy-reader.ts';
import { type Filter, listFilterParts } from './filter.ts';
import { parseFilter } from './filter-parser.ts';
import { OptionSyntaxError } from './filter-scanner.ts';
import type { QueryRow } from './query-row.ts';
import { parseSearch, type Search } from './search.ts';

/** Names of the properties of a type, for `$select`. */
export interface SelectableType {
  /** Name of the type in messages. */
  readonly typeName: string;
  /** Properties in the documented spelling. */
  readonly properties: readonly string[];
}

/** Requested expansion of one relationship. */
export interface Expansion {
  readonly name: string;
  /** Properties of the expanded objects, or `null` for the default ones. */
  readonly select: readonly string[] | null;
}

/** Sort order by one property. */
export interface Ordering {
  readonly property: string;
  readonly descending: boolean;
}

/** Parsed query options of one request. */
export interface QueryOptions {
  readonly select: readonly string[] | null;
  readonly filter: Filter | null;
  readonly orderby: readonly Ordering[];
  readonly search: Search | null;
  readonly expand: readonly Expansion[];
  /** `true` if the response contains the number of all rows. */
  readonly count: boolean;
  readonly top: number | null;
  readonly skip: number;
  readonly skiptoken: string | null;
}

/** Type and options of a requested resource. */
export interface QueryTarget {
  readonly row: QueryRow;
  readonly type: SelectableType;
  /** Types of the objects that can be expanded, by name. */
  readonly expandable?: Readonly<Record<string, SelectableType>>;
}

/** Request headers that affect the options. */
export interface QueryConditions {
  /** Value of the header `ConsistencyLevel`. */
  readonly consistencyLevel?: string | undefined;
  /** `false` accepts every supported option without that header. */
  readonly isStrict: boolean;
  /** `true` for a request of only the number of rows, with `/$count` at the end of the path. */
  readonly isCountOnly?: boolean;
}

const optionNames = [
  'select',
  'filter',
  'top',
  'skip',
  'skiptoken',
  'orderby',
  'count',
  'search',
  'expand',
  'api-version',
] as const;
type OptionName = (typeof optionNames)[number];

const orderingsMax = 2;

/**
 * Reads the query of a request: every option of the resource, in any case, with or without the dollar sign.
 *
 * @param query - the query without the question mark
 * @throws NudgeLabError `bad-request` with every option that is unknown, repeated, not supported, or has an invalid
 *   value
 */
export function readQueryOptions(query: string, target: QueryTarget, conditions: QueryConditions): QueryOptions {
  const problems: ValidationProblem[] = [];
  const { row, type } = target;
  const given = readNames(query, listSupported(row, conditions.isCountOnly === true), problems);
  const { consistencyLevel: level } = conditions;
  if (level !== undefined && level.trim().toLowerCase() !== 'eventual') {
    problems.push({ location: 'ConsistencyLevel', message: `${formatValue(level)} is not eventual` });
  }
  const attempt = <T>(option: OptionName, read: (value: string) => T, absent: T): T => {
    const value = given.get(option);
    if (value === undefined) return absent;
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof OptionSyntaxError)) throw error;
      problems.push({ location: `$${option}`, message: error.message });
      return absent;
    }
  };
  const options: QueryOptions = {
    select: attempt('select', (value) => readSelect(value, type), null),
    filter: attempt('filter', (value) => parseFilter(value, row.filter ?? {}), null),
    orderby: attempt('orderby', (value) => readOrderby(value, row.orderby ?? []), []),
    search: attempt('search', (value) => parseSearch(value, row.search ?? []), null),
    expand: attempt('expand', (value) => readExpand(value, target.expandable ?? {}), []),
    count: attempt('count', readCount, false),
    top: attempt('top', (value) => readNumber(value, { min: 1, max: row.page?.rowsMax ?? 1 }), null),
    skip: attempt('skip', (value) => readNumber(value, { min: 0, max: Number.MAX_SAFE_INTEGER }), 0),
    skiptoken: attempt('skiptoken', (value) => value, null),
  };
  if (problems.length === 0) problems.push(...findMissingConditions(options, row, conditions));
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems, aspect: 'option', ...quote(problems) });
  return options;
}

/** Start of the message for an unknown property, which the public reference quotes (DIR21). */
const unknownProperty = 'Could not find a property named';

/** Returns the message of the public reference if it is that of the only problem. */
function quote([problem, ...others]: readonly ValidationProblem[]): { readonly message?: string } {
  const isQuoted = others.length === 0 && problem?.message.startsWith(unknownProperty) === true;
  return isQuoted ? { message: problem.message } : {};
}

/** Lists the options that a resource supports. */
function listSupported(row: QueryRow, isCountOnly: boolean): readonly OptionName[] {
  const filters: readonly OptionName[] = [
    ...(row.filter === undefined ? [] : (['filter'] as const)),
    ...(row.search === undefined ? [] : (['search'] as const)),
  ];
  if (isCountOnly) return filters;
  return [
    ...(row.select === false ? [] : (['select'] as const)),
    ...filters,
    ...(row.page === null ? [] : (['top', 'skiptoken'] as const)),
    ...(row.skip === true ? (['skip'] as const) : []),
    ...(row.orderby === undefined ? [] : (['orderby'] as const)),
    ...(row.count === true ? (['count'] as const) : []),
    ...(row.expand === undefined ? [] : (['expand'] as const)),
  ];
}

function readNames(
  query: string,
  supported: readonly OptionName[],
  problems: ValidationProblem[],
): ReadonlyMap<OptionName, string> {
  const given = new Map<OptionName, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const plain = name.toLowerCase().replace(/^\$/, '');
    const option = optionNames.find((one) => one === plain);
    const allowed = supported.map((one) => `$${one}`).join(', ') || 'none';
    if (option === undefined) {
      problems.push({
        location: formatValue(name).slice(1, -1),
        message: `the query option is unknown; allowed: ${allowed}`,
      });
    } else if (given.has(option)) problems.push({ location: name, message: 'is given more than once' });
    else if (option !== 'api-version' && !supported.includes(option)) {
      problems.push({ location: name, message: `the query option is not supported here; allowed: ${allowed}` });
    } else given.set(option, value);
  }
  return given;
}

function readSelect(list: string, { typeName, properties }: SelectableType): readonly string[] | null {
  const names = list.split(',').map((part) => part.trim());
  if (names.includes('*')) return null;
  const known = names.map((name) => {
    const property = properties.find((one) => one.toLowerCase() === name.toLowerCase());
    if (property !== undefined) return property;
    if (name === '') throw new OptionSyntaxError('a name is missing');
    throw new OptionSyntaxError(`${unknownProperty} '${formatValue(name).slice(1, -1)}' on type '${typeName}'.`);
  });
  return [...new Set(known)];
}

function readOrderby(list: string, allowed: readonly string[]): readonly Ordering[] {
  const parts = list.split(',');
  if (parts.length > orderingsMax) throw new OptionSyntaxError(`at most ${orderingsMax} properties are allowed`);
  return parts.map((part) => {
    const [name = '', direction = 'asc', ...rest] = part.trim().split(/\s+/);
    const property = allowed.find((one) => one.toLowerCase() === name.toLowerCase());
    if (property === undefined) {
      throw new OptionSyntaxError(`cannot order by ${formatValue(name)}; allowed: ${allowed.join(', ')}`);
    }
    const word = direction.toLowerCase();
    if ((word !== 'asc' && word !== 'desc') || rest.length > 0) {
      throw new OptionSyntaxError(`${formatValue([direction, ...rest].join(' '))} is not asc or desc`);
    }
    return { property, descending: word === 'desc' };
  });
}

const expansion = /^(\w+)(?:\s*\(\s*\$?select\s*=([^()=]*)\))?$/i;

/** Reads `$expand`: names separated by commas, each with an optional `($select=…)`. */
function readExpand(list: string, expandable: Readonly<Record<string, SelectableType>>): readonly Expansion[] {
  const allowed = Object.keys(expandable);
  return splitOutside(list).map((part) => {
    const [, given = '', select] = expansion.exec(part.trim()) ?? [];
    const name = allowed.find((one) => one.toLowerCase() === given.toLowerCase());
    const type = name === undefined ? undefined : expandable[name];
    if (name === undefined || type === undefined) {
      throw new OptionSyntaxError(`${formatValue(part.trim())} cannot be expanded; allowed: ${allowed.join(', ')}`);
    }
    return { name, select: select === undefined ? null : readSelect(select, type) };
  });
}

/** Splits a list at its commas, except inside parentheses, where they separate selected properties. */
function splitOutside(list: string): readonly string[] {
  const parts: string[] = [];
  let isInside = false;
  for (const piece of list.split(',')) {
    if (isInside) parts.push(`${parts.pop()},${piece}`);
    else parts.push(piece);
    isInside = piece.lastIndexOf('(') > piece.lastIndexOf(')') || (isInside && !piece.includes(')'));
  }
  return parts;
}

function readCount(value: string): boolean {
  const word = value.trim().toLowerCase();
  if (word !== 'true' && word !== 'false') throw new OptionSyntaxError(`${formatValue(value)} is not true or false`);
  return word === 'true';
}

function readNumber(value: string, { min, max }: { readonly min: number; readonly max: number }): number {
  const number = /^\d{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw new OptionSyntaxError(`${formatValue(value)} is not a whole number from ${range}`);
}

/** Lists the options of a directory list that lack `ConsistencyLevel: eventual` or `$count=true`. */
function findMissingConditions(
  { filter, orderby, search, count }: QueryOptions,
  { isDirectory = false }: QueryRow,
  { consistencyLevel, isStrict, isCountOnly = false }: QueryConditions,
): readonly ValidationProblem[] {
  if (isDirectory === false) return [];
  const isEventual = consistencyLevel !== undefined;
  const needsLevel = (location: string): ValidationProblem => ({
    location,
    message: 'requires the request header ConsistencyLevel: eventual',
  });
  const problems: ValidationProblem[] = [];
  if (!isEventual && (count || isCountOnly)) problems.push(needsLevel('$count'));
  if (!isStrict) return problems;
  if (!isEventual && search !== null) problems.push(needsLevel('$search'));
  const isAdvanced = filter !== null && (isAdvancedFilter(filter) || orderby.length > 0);
  if (!isEventual && filter !== null && (isAdvanced || isDirectory === 'filters')) problems.push(needsLevel('$filter'));
  else if (isAdvanced && !count && !isCountOnly) {
    problems.push({ location: '$filter', message: 'requires $count=true with this operator or with $orderby' });
  }
  return problems;
}

/** Returns `true` for filters that directories answer only with eventual consistency. */
function isAdvancedFilter(filter: Filter): boolean {
  return listFilterParts(filter).some(
    (part) =>
      part.kind === 'not' ||
      (part.kind === 'compare' && part.operator === 'ne') ||
      (part.kind === 'text' && part.test === 'endswith'),
  );
}
