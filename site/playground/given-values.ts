import { type Definitions, readDeclaredValues } from '../../src/contract/declared-values.ts';
import type { ValidationProblem } from '../../src/core/errors.ts';
import { isPlainObject } from '../../src/core/merge-patch.ts';
import type { PlaygroundRuleset } from './rulesets.ts';

/** Who or what declared values describe: settings and facts of the tenant, facts of the user and of the sign-in. */
export const owners = ['settings', 'tenant', 'user', 'attempt'] as const;
export type Owner = (typeof owners)[number];

/** Value as it is written in a scenario: instants in ISO 8601, durations such as `7d`. */
export type WrittenValue = boolean | number | string | readonly string[] | null;
export type WrittenValues = Readonly<Record<string, WrittenValue>>;

/** Values that differ from the defaults of the ruleset, by owner and name. */
export type GivenValues = Readonly<Record<Owner, WrittenValues>>;

export const noValues: GivenValues = { settings: {}, tenant: {}, user: {}, attempt: {} };

/** Maximum length of values in a URL. */
const givenCharactersMax = 20_000;

/** Returns true if any value is given. */
export function hasValues(given: GivenValues): boolean {
  return owners.some((owner) => Object.keys(given[owner]).length > 0);
}

/** Returns given values with one of them changed. `undefined` sets the default again. */
export function withValue(
  given: GivenValues,
  owner: Owner,
  name: string,
  value: WrittenValue | undefined,
): GivenValues {
  const { [name]: _before, ...others } = given[owner];
  return { ...given, [owner]: value === undefined ? others : { ...others, [name]: value } };
}

/** Reads given values from a URL. A text that has none is ignored. */
export function readGiven(text: string | null): GivenValues {
  if (text === null || text.length > givenCharactersMax) return noValues;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return noValues;
  }
  if (!isPlainObject(parsed)) return noValues;
  const groups = owners.map((owner) => {
    const group = parsed[owner];
    const values = isPlainObject(group) ? Object.entries(group).filter(([, value]) => isWritten(value)) : [];
    return [owner, Object.fromEntries(values)];
  });
  return Object.fromEntries(groups) as GivenValues;
}

function isWritten(value: unknown): value is WrittenValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return value === null || ['boolean', 'number', 'string'].includes(typeof value);
}

/** Returns what a ruleset declares, by owner. */
export function listDeclared({
  declared: { facts, settings },
}: PlaygroundRuleset): Readonly<Record<Owner, Definitions>> {
  return { settings, ...facts };
}

/** Places of declared values in messages, as scenarios name them. */
const places: Readonly<Record<Owner, string>> = {
  settings: 'tenant.settings',
  tenant: 'tenant.facts',
  user: 'user.facts',
  attempt: 'attempt.facts',
};

/** Returns the problem location of a value. */
export function placeOfValue(owner: Owner, name: string): string {
  return `${places[owner]}.${name}`;
}

/** Returns every given value that the ruleset does not declare, or that has another type. */
export function listValueProblems(given: GivenValues, ruleset: PlaygroundRuleset): readonly ValidationProblem[] {
  const declared = listDeclared(ruleset);
  return owners.flatMap((owner) => readDeclaredValues(given[owner], declared[owner], places[owner]).problems);
}
