import { z } from 'zod';
import type { FixtureKind } from './fixture-kinds.ts';

/** The keyword that marks a schema whose values can be given by a fixture. */
const fixtureKeyword = 'x-fixture';

/** How values of a marked schema are given: the kind of fixture, and whether its name becomes a missing id. */
export interface GivenByFixture {
  readonly kind: FixtureKind;
  /** `true` if a value without an id takes the name of its fixture. */
  readonly named: boolean;
}

/** A value in full, the name of a fixture, or a merge patch over the fixture that `extends` names. */
export type FixtureGiven<T> = T | string | { readonly extends: string; readonly [key: string]: unknown };

/**
 * Creates the schema of a request value that can also be given by a fixture, as in scenario files. The server resolves
 * the fixture before it parses the value, so the schema itself describes the complete value.
 *
 * @param kind - the kind of fixture
 * @param schema - schema of the complete value
 * @param named - `true` if a value without an id takes the name of its fixture
 */
export function fixtureGiven<S extends z.ZodType>(
  kind: FixtureKind,
  schema: S,
  named = false,
): z.ZodType<z.output<S>, FixtureGiven<z.input<S>>> {
  const marked = schema.meta({ ...schema.meta(), [fixtureKeyword]: { kind, named } satisfies GivenByFixture });
  return marked as unknown as z.ZodType<z.output<S>, FixtureGiven<z.input<S>>>;
}

/** Returns how values of a schema are given by fixtures; `undefined` if the schema is not marked. */
export function findGivenByFixture(schema: z.ZodType): GivenByFixture | undefined {
  return schema.meta()?.[fixtureKeyword] as GivenByFixture | undefined;
}

/** Completes the JSON Schema of a marked schema with the two forms that name a fixture. */
export function describeGivenByFixture({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const given = jsonSchema[fixtureKeyword] as GivenByFixture | undefined;
  if (given === undefined) return;
  const { [fixtureKeyword]: _mark, default: initial, ...whole } = { ...jsonSchema };
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  const name = { type: 'string' as const, minLength: 1, maxLength: 128 };
  Object.assign(jsonSchema, {
    ...(initial === undefined ? {} : { default: initial }),
    anyOf: [
      { ...name, description: `Name of a fixture of the server in ${given.kind}.` },
      {
        type: 'object',
        description: 'A merge patch over the fixture that extends names.',
        properties: { extends: name },
        required: ['extends'],
        additionalProperties: true,
      },
      // A value that is parsed later is described as an object.
      Object.keys(whole).length === 0 ? { type: 'object', additionalProperties: true } : whole,
    ],
  });
}

const fixtureTakers = new WeakMap<z.ZodType, boolean>();

/** Checks whether a schema has a place that a fixture can fill. */
export function takesFixtures(schema: z.ZodType): boolean {
  const known = fixtureTakers.get(schema);
  if (known !== undefined) return known;
  const takes = findGivenByFixture(schema) !== undefined || partsBelow(schema).some(takesFixtures);
  fixtureTakers.set(schema, takes);
  return takes;
}

/** Returns the schemas directly below a schema: the parts of a container, the options of a union, or what it wraps. */
export function partsBelow(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape as Readonly<Record<string, z.ZodType>>);
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodUnion) return schema.options as readonly z.ZodType[];
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return [schema.unwrap() as z.ZodType];
  }
  return [];
}
