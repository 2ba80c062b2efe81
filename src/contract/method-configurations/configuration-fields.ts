import { z } from 'zod';
import type { ExcludeTarget } from '../../../machines/vocabulary.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { featureStates } from '../policy.schema.ts';
import { formatValue, leaf, type Reader, type Refusals, section, word } from '../policy-reader.ts';
import type { TargetReaders } from '../policy-targets.ts';

/** Field of a method configuration or of its targets. */
export interface ConfigurationField {
  readonly schema: z.ZodType;
  readonly initial: unknown;
  /** Creates the reader of its value in a request. */
  readonly createReader: (targets: TargetReaders) => Reader<unknown>;
  /** `true` if only `/beta` has the field. */
  readonly isBeta?: true;
  /** Properties of its value that only `/beta` has. */
  readonly betaKeys?: readonly string[];
}

/** Fields by name, in the order of responses. */
export type ConfigurationFields = Readonly<Record<string, ConfigurationField>>;

const maximumText = 256;

/** Returns the field as one that only `/beta` has. */
export function betaField(field: ConfigurationField): ConfigurationField {
  return { ...field, isBeta: true };
}

/** Creates a field for a Boolean, which requests can also send as the text "true" or "false". */
export function flagField(initial: boolean): ConfigurationField {
  return { schema: z.boolean(), initial, createReader: () => readFlag as Reader<unknown> };
}

/** Reads a Boolean, also from a text. */
export function readFlag(given: unknown, current: boolean, place: string, refusals: Refusals): boolean {
  const meant = given === 'true' ? true : given === 'false' ? false : given;
  if (typeof meant === 'boolean') return meant;
  refusals.refuse(place, `${formatValue(given)} is not a Boolean: true or false`);
  return current;
}

/** Creates a field for a whole number in a range. */
export function wholeField(initial: number, min: number, max: number): ConfigurationField {
  const schema = z.int().min(min).max(max);
  return {
    schema,
    initial,
    createReader: () => leaf<unknown>(schema, `an Int32: a whole number from ${min} to ${max}`),
  };
}

/** Creates a field for a whole number that can be missing. */
export function optionalWholeField(): ConfigurationField {
  const schema = z.int().nullable();
  return { schema, initial: null, createReader: () => leaf<unknown>(schema, 'an Int32: a whole number or null') };
}

/** Creates a field for one of several words, which requests can send in any case. */
export function wordField<T extends string>(initial: T, words: readonly T[]): ConfigurationField {
  return { schema: z.enum(words), initial, createReader: () => word(words) as Reader<unknown> };
}

/** Creates a field for a text. */
export function textField(initial: string | null): ConfigurationField {
  const plain = z.string().max(maximumText);
  const schema = initial === null ? plain.nullable() : plain;
  const allowed = `a String of at most ${maximumText} characters${initial === null ? ', or null' : ''}`;
  return { schema, initial, createReader: () => leaf<unknown>(schema, allowed) };
}

/** Creates a field for a GUID. */
export function guidField(initial: string | null): ConfigurationField {
  const schema = initial === null ? z.guid().nullable() : z.guid();
  return { schema, initial, createReader: () => leaf<unknown>(schema, `a Guid${initial === null ? ', or null' : ''}`) };
}

/** Creates a field for a list of texts. */
export function textsField(item: z.ZodType<string>, allowed: string): ConfigurationField {
  const schema = z.array(item).readonly();
  return { schema, initial: [], createReader: () => createTextsReader(item, allowed) as Reader<unknown> };
}

/** Creates a reader for a list of texts, which keeps them as sent. An unchanged list stays the same object. */
export function createTextsReader(item: z.ZodType<string>, allowed: string): Reader<readonly string[]> {
  return (given, current, place, refusals) => {
    if (!Array.isArray(given)) {
      refusals.refuse(place, `${formatValue(given)} is not a list`);
      return current;
    }
    const before = refusals.count;
    given.forEach((one: unknown, index) => {
      if (!item.safeParse(one).success) refusals.refuse(`${place}[${index}]`, `${formatValue(one)} is not ${allowed}`);
    });
    const isSame = given.length === current.length && given.every((one, index) => one === current[index]);
    return refusals.count > before || isSame ? current : (given as readonly string[]);
  };
}

/** Creates a field for an object or a list that is stored as sent. */
export function storedField(initial: object): ConfigurationField {
  const isList = Array.isArray(initial);
  const schema: z.ZodType = isList ? z.array(z.unknown()).readonly() : z.record(z.string(), z.unknown());
  return {
    schema,
    initial,
    createReader: () => (given, current, place, refusals) => {
      if (isList ? Array.isArray(given) : isPlainObject(given)) {
        return JSON.stringify(given) === JSON.stringify(current) ? current : given;
      }
      refusals.refuse(place, `${formatValue(given)} is not ${isList ? 'a list' : 'an object'}`);
      return current;
    },
  };
}

/** Creates a field for an object with fields of its own. */
export function objectField(typeName: string, fields: ConfigurationFields): ConfigurationField {
  const entries = Object.entries(fields);
  return {
    // A property of beta is not in responses of the other version.
    schema: z.strictObject(
      Object.fromEntries(
        entries.map(([name, { schema, isBeta }]) => [name, isBeta === true ? schema.optional() : schema]),
      ),
    ),
    initial: getInitial(fields),
    betaKeys: entries.filter(([, { isBeta }]) => isBeta === true).map(([name]) => name),
    createReader: (targets) => {
      const readers = createReaders(fields, targets);
      return section<Record<string, unknown>>({ typeName, readers }) as Reader<unknown>;
    },
  };
}

/** Creates the readers of fields by name. */
export function createReaders(fields: ConfigurationFields, targets: TargetReaders): Record<string, Reader<unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.createReader(targets)]));
}

/** Returns the initial values of fields by name. */
export function getInitial(fields: ConfigurationFields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]));
}

const everybody: ExcludeTarget = { targetType: 'group', id: 'all_users' };
const nobody: ExcludeTarget = { targetType: 'group', id: '00000000-0000-0000-0000-000000000000' };

/** Creates a field for one target. */
function targetField(initial: ExcludeTarget): ConfigurationField {
  const schema = z.strictObject({ targetType: z.string(), id: z.string() });
  return { schema, initial, createReader: ({ single }) => single('featureTarget') as Reader<unknown> };
}

/** Creates a field for a feature, which has a state and targets of its own. */
export function featureField(): ConfigurationField {
  return objectField('authenticationMethodFeatureConfiguration', {
    state: wordField('default', featureStates),
    includeTarget: targetField(everybody),
    excludeTarget: targetField(nobody),
  });
}
