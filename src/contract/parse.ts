import type { z } from 'zod';
import { type ErrorCode, NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { suggestName } from '../core/nearest-name.ts';
import { allowedKeys } from './allowed-keys.ts';

/**
 * Parses a value with a schema.
 *
 * @param code - code of the error for an invalid value
 * @param schema - the schema
 * @param value - the value to parse
 * @param root - name of the value in locations
 * @returns the parsed value
 * @throws NudgeLabError `code` with every problem: its location, the value there, and the allowed values
 */
export function parseOr<S extends z.ZodType>(code: ErrorCode, schema: S, value: unknown, root: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new NudgeLabError(code, { problems: listProblems(schema, result.error, value, root) });
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
  return error.issues.map((issue) => ({
    location: [root, ...issue.path].map(String).join('.'),
    message:
      issue.code === 'unrecognized_keys'
        ? describeUnknown(issue.keys, allowedKeys(schema, issue.path))
        : describe(issue, valueAt(value, issue.path)),
  }));
}

function describeUnknown(keys: readonly string[], allowed: readonly string[]): string {
  const known = allowed.length === 0 ? '' : `; allowed: ${allowed.join(', ')}`;
  const nearest = keys.map((key) => suggestName(key, allowed)).find((suggestion) => suggestion !== '');
  return `unknown key ${keys.map((key) => `"${key}"`).join(', ')}${known}${nearest ?? ''}`;
}

/** Keys whose values never appear in error messages. */
const secretKeys: readonly PropertyKey[] = ['password', 'code', 'token'];

function describe(issue: z.core.$ZodIssue, given: unknown): string {
  const shown = showGiven(issue, given);
  switch (issue.code) {
    case 'invalid_value':
      return `${shown} is not one of ${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}${suggestValue(issue, given)}`;
    case 'too_big':
      return `${shown} is more than ${issue.maximum}`;
    case 'too_small':
      return `${shown} is less than ${issue.minimum}`;
    case 'invalid_type':
      return `${shown} is not of type ${issue.expected}`;
    default:
      if (given !== undefined) return `${shown}: ${issue.message}`;
      return issue.code === 'custom' ? issue.message : 'is required';
  }
}

/** Suggests the nearest allowed word. A secret value is not compared, because the suggestion would reveal it. */
function suggestValue({ values, path }: z.core.$ZodIssueInvalidValue, given: unknown): string {
  if (typeof given !== 'string' || path.some((key) => secretKeys.includes(key))) return '';
  return suggestName(
    given,
    values.filter((value) => typeof value === 'string'),
  );
}

function showGiven(issue: z.core.$ZodIssue, given: unknown): string {
  if (given === undefined) return 'nothing';
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

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
