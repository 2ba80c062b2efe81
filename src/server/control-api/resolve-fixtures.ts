import { z } from 'zod';
import { findGivenByFixture, type GivenByFixture, partsBelow, takesFixtures } from '../../contract/fixture-given.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { FixtureSource } from '../fixture-source.ts';

/** Maximum number of listed problems. Each of them lists the fixtures that exist. */
const problemsMax = 100;

/** Replaces a marked value. The location is its path in the request. */
type Replace = (given: unknown, by: GivenByFixture, location: string) => unknown;

/**
 * Replaces the fixture names and `extends` in a request body by their facts. A body without them is returned unchanged.
 *
 * @param schema - schema of the body, with its marks
 * @param body - body as received
 * @param open - opens the fixtures of the server; `undefined` if it has none
 * @throws NudgeLabError `fixture-not-found` or `fixture-invalid` with the problems and their locations, at most
 *   `problemsMax` of them
 */
export async function resolveFixtures(
  schema: z.ZodType,
  body: unknown,
  open: (() => Promise<FixtureSource>) | undefined,
): Promise<unknown> {
  const locations: string[] = [];
  mapGiven(schema, body, 'body', (given, _by, location) => {
    if (namesFixture(given)) locations.push(location);
    return given;
  });
  if (locations.length === 0) return body;
  if (open === undefined) {
    const problems = locations
      .slice(0, problemsMax)
      .map((location) => ({ location, message: 'this server was started without fixtures' }));
    throw new NudgeLabError('fixture-not-found', { problems });
  }
  const fixtures = await open();
  const failures: NudgeLabError[] = [];
  const problems: ValidationProblem[] = [];
  const resolved = mapGiven(schema, body, 'body', (given, by, location) => {
    if (!namesFixture(given) || problems.length >= problemsMax) return given;
    try {
      return resolveOne(fixtures, given, by);
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      failures.push(error);
      const below = error.problems.length === 0 ? [{ location: '', message: error.message }] : error.problems;
      problems.push(...below.map(({ message }) => ({ location, message })));
      return given;
    }
  });
  const [first] = failures;
  if (first !== undefined) throw new NudgeLabError(first.code, { problems, cause: first });
  return resolved;
}

function namesFixture(given: unknown): boolean {
  return typeof given === 'string' || (isPlainObject(given) && 'extends' in given);
}

/** Returns the facts of a fixture. Its own id has no effect: the request names the value, or the fixture's name does. */
function resolveOne(fixtures: FixtureSource, given: unknown, { kind, named }: GivenByFixture): unknown {
  const facts = fixtures.resolve(kind, given);
  if (kind !== 'users' && !named) return facts;
  const { id: fixtureId, ...rest } = facts;
  const ownId = isPlainObject(given) ? given['id'] : undefined;
  const name = isPlainObject(given) ? given['extends'] : given;
  const id = ownId ?? (kind === 'users' ? undefined : fixtureId) ?? (named ? name : undefined);
  return id === undefined ? rest : { ...rest, id };
}

/** Returns a copy of a value in which every marked part is replaced. */
function mapGiven(schema: z.ZodType, value: unknown, location: string, replace: Replace): unknown {
  if (!takesFixtures(schema)) return value;
  const by = findGivenByFixture(schema);
  if (by !== undefined) return value === undefined ? value : replace(value, by, location);
  if (schema instanceof z.ZodObject) {
    if (!isPlainObject(value)) return value;
    const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
    return mapEntries(value, (key, part) => {
      const below = Object.hasOwn(shape, key) ? shape[key] : undefined;
      return below === undefined ? part : mapGiven(below, part, `${location}.${key}`, replace);
    });
  }
  if (schema instanceof z.ZodRecord) {
    if (!isPlainObject(value)) return value;
    const each = schema.valueType as z.ZodType;
    return mapEntries(value, (key, part) => mapGiven(each, part, `${location}.${key}`, replace));
  }
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return value;
    const each = schema.element as z.ZodType;
    return value.map((part: unknown, index) => mapGiven(each, part, `${location}.${index}`, replace));
  }
  return partsBelow(schema).reduce((mapped, part) => mapGiven(part, mapped, location, replace), value);
}

function mapEntries(
  value: Readonly<Record<string, unknown>>,
  replace: (key: string, part: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(key, part)]));
}
