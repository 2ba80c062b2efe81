import type { z } from 'zod';
import { type ErrorCode, NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { suggestionsMax, suggestName } from '../core/nearest-name.ts';
import { allowedKeys } from './allowed-keys.ts';

/** Maximum number of problems of an error, and of the keys that one of them lists. A value can have thousands. */
const problemsMax = 1_000;
const unknownKeysMax = 100;

/**
 * Parses a value with a schema.
 *
 * @param code - code of the error for an invalid value
 * @param schema - the schema
 * @param value - the value to parse
 * @param root - name of the value in locations
 * @returns the parsed value
 * @throws NudgeLabError `code` with the problems: their locations, the values there, and the allowed values. A last
 *   problem counts those beyond the maximum
 */
export function parseOr<S extends z.ZodType>(code: ErrorCode, schema: S, value: unknown, root: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const problems = describeIssues(schema, issues.slice(0, problemsMax), value, root);
  const more = issues.length - problems.length;
  if (more > 0) problems.push({ location: root, message: `has ${more} more problems` });
  throw new NudgeLabError(code, { problems });
}

/**
 * Lists every problem that a schema found, with its location, the invalid value, and the allowed values. `root` is the
 * name of the value in locations.
 */
export function listProblems(
  schema: z.ZodType,
  error: z.ZodError,
  value: unknown,
  root: string,
): readonly ValidationProblem[] {
  return describeIssues(schema, error.issues, value, root);
}

/** Describes issues of a value by their locations in it, as `listProblems` does. */
export function describeIssues(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  root: string,
): ValidationProblem[] {
  return issues.map((issue, index) => {
    const suggest = index < suggestionsMax ? suggestName : () => '';
    return {
      location: [root, ...issue.path].map(String).join('.'),
      message:
        issue.code === 'unrecognized_keys'
          ? describeUnknown(issue.keys, allowedKeys(schema, issue.path), suggest)
          : describe(issue, valueAt(value, issue.path), suggest),
    };
  });
}

/** Returns the end of a message that suggests the nearest allowed name, or nothing. */
type Suggest = typeof suggestName;

function describeUnknown(keys: readonly string[], allowed: readonly string[], suggest: Suggest): string {
  const known = allowed.length === 0 ? '' : `; allowed: ${allowed.join(', ')}`;
  const nearest = keys
    .slice(0, suggestionsMax)
    .map((key) => suggest(key, allowed))
    .find((suggestion) => suggestion !== '');
  const listed = keys.slice(0, unknownKeysMax).map((key) => `"${key}"`);
  const more = keys.length > unknownKeysMax ? ` and ${keys.length - unknownKeysMax} more` : '';
  return `unknown key ${listed.join(', ')}${more}${known}${nearest ?? ''}`;
}

/** Keys whose values never appear in error messages. */
const secretKeys: readonly PropertyKey[] = ['password', 'code', 'token'];

function describe(issue: z.core.$ZodIssue, given: unknown, suggest: Suggest): string {
  const allowed = describeAllowed(issue);
  if (given === undefined) {
    if (allowed !== null) return `is missing; must be ${allowed}`;
    return issue.code === 'custom' ? issue.message : 'is missing';
  }
  const givenText = showGiven(issue, given);
  if (allowed !== null) return `${givenText} is not ${allowed}${suggestValue(issue, given, suggest)}`;
  switch (issue.code) {
    case 'too_big':
      return `${givenText} ${describeSize('more', issue.origin, issue.maximum)}`;
    case 'too_small':
      return `${givenText} ${describeSize('less', issue.origin, issue.minimum)}`;
    default:
      return `${givenText}: ${issue.message}`;
  }
}

/** Suggests the nearest allowed word. A secret value is not compared, because the suggestion would reveal it. */
function suggestValue(issue: z.core.$ZodIssue, given: unknown, suggest: Suggest): string {
  if (issue.code !== 'invalid_value' || typeof given !== 'string') return '';
  if (issue.path.some((key) => secretKeys.includes(key))) return '';
  return suggest(
    given,
    issue.values.filter((value) => typeof value === 'string'),
  );
}

/** Values or types that an issue names as allowed; `null` if it names none. */
function describeAllowed(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case 'invalid_value':
      return formatChoice(issue.values);
    case 'invalid_type':
      return typeNames[issue.expected] ?? `of type ${issue.expected}`;
    case 'invalid_union': {
      if ('options' in issue && issue.options !== undefined) return formatChoice(issue.options);
      const parts = issue.errors.map(([first]) =>
        first === undefined || first.path.length > 0 ? null : describeAllowed(first),
      );
      return parts.length === 0 || parts.includes(null) ? null : [...new Set(parts)].join(' or ');
    }
    default:
      return null;
  }
}

function formatChoice(values: readonly unknown[]): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  return values.length === 1 ? list : `one of ${list}`;
}

/** Names of types in messages. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function describeSize(direction: 'less' | 'more', origin: string, limit: number | bigint): string {
  const isEmpty = direction === 'less' && Number(limit) === 1;
  if (isEmpty && (origin === 'string' || origin === 'array')) return 'is empty';
  const few = direction === 'less' ? 'fewer' : 'more';
  if (origin === 'string') return `has ${few} than ${limit} characters`;
  return origin === 'array' ? `has ${few} than ${limit} entries` : `is ${direction} than ${limit}`;
}

function showGiven(issue: z.core.$ZodIssue, given: unknown): string {
  return issue.path.some((key) => secretKeys.includes(key)) ? 'the value' : shortened(writtenOut(given));
}

/** Serializes a value for a message. Circular values, which YAML aliases can create, have no JSON form. */
function writtenOut(given: unknown): string | undefined {
  try {
    return JSON.stringify(given);
  } catch {
    return 'a circular value';
  }
}

const shownCharactersMax = 80;

function shortened(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
}

/** Returns the value at a path, or `undefined` if the path leads nowhere. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
