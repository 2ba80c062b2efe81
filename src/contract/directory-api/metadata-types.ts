import type { z } from 'zod';
import { toJsonSchema } from '../openapi.ts';
import type { Dialect } from './dialect.ts';
import type { ResourceType } from './resource-type.ts';
import { getNotSimulated } from './resource-types.ts';

/** Returns `true` for a type with an id; all others are complex types. */
export function isEntityType({ schema }: ResourceType): boolean {
  return Object.hasOwn(schema.shape, 'id');
}

/** Returns the name of a type with its namespace. */
export function toEdmName(type: string, dialect: Dialect): string {
  return `${dialect.data.namespace}.${dialect.toWire(type)}`;
}

interface TypeContext {
  readonly dialect: Dialect;
  /** Base type of an entity type. */
  readonly base: string;
  /** Relationships, as elements. */
  readonly relations: string;
}

/** Describes a type, after the types of the objects in it. */
export function describeType(type: ResourceType, { dialect, base, relations }: TypeContext): string {
  const name = dialect.toWire(type.name);
  const tag = isEntityType(type) ? 'EntityType' : 'ComplexType';
  const head = isEntityType(type)
    ? `<${tag} Name="${name}" BaseType="${dialect.data.namespace}.${base}">`
    : `<${tag} Name="${name}">`;
  const { properties, complexTypes } = describeMembers(type.schema.shape, name, dialect);
  const { values, lists } = getNotSimulated(type, dialect);
  const known = [
    ...values.map((one) => `<Property Name="${one}" Type="Edm.Untyped"/>`),
    ...lists.map((one) => `<Property Name="${one}" Type="Collection(Edm.Untyped)"/>`),
  ];
  return [...complexTypes, `${head}${properties}${known.join('')}${relations}</${tag}>`].join('\n');
}

/** Properties of a type, and the types of the objects in them. */
interface DescribedMembers {
  readonly properties: string;
  readonly complexTypes: readonly string[];
}

/**
 * Describes the properties of a type except for the id, annotations and relationships.
 *
 * @param owner - name of the type, with which the names of the types of nested objects begin
 */
export function describeMembers(
  shape: Readonly<Record<string, unknown>>,
  owner: string,
  dialect: Dialect,
): DescribedMembers {
  const context: PropertyContext = { owner, dialect, complexTypes: [] };
  const properties = Object.entries(shape)
    .filter(([name]) => name !== 'id' && name !== 'authenticationMethodConfigurations' && !name.includes('@'))
    .map(([name, schema]) => describeProperty(name, toJsonSchema(schema as z.ZodType), context));
  return { properties: properties.join(''), complexTypes: context.complexTypes };
}

type JsonSchema = Readonly<Record<string, unknown>>;

interface PropertyContext {
  readonly owner: string;
  readonly dialect: Dialect;
  /** Types of nested objects, which a property adds. */
  readonly complexTypes: string[];
}

function describeProperty(name: string, schema: JsonSchema, context: PropertyContext): string {
  const { type, isNullable } = toEdmType(name, schema, context);
  return `<Property Name="${name}" Type="${type}"${isNullable ? '' : ' Nullable="false"'}/>`;
}

interface EdmType {
  readonly type: string;
  readonly isNullable: boolean;
}

const notNull = (type: string): EdmType => ({ type, isNullable: false });

function toEdmType(name: string, schema: JsonSchema, context: PropertyContext): EdmType {
  const { anyOf: alternatives, type } = schema;
  if (Array.isArray(alternatives)) {
    const [value = {}] = (alternatives as readonly JsonSchema[]).filter((one) => one['type'] !== 'null');
    return { ...toEdmType(name, value, context), isNullable: true };
  }
  if (Array.isArray(type)) {
    const value = (type as readonly string[]).find((one) => one !== 'null');
    return { ...toEdmType(name, { ...schema, type: value }, context), isNullable: true };
  }
  switch (type) {
    case 'array':
      return notNull(`Collection(${toEdmType(name, (schema['items'] ?? {}) as JsonSchema, context).type})`);
    case 'object':
      return notNull(schema['properties'] === undefined ? 'Edm.Untyped' : addComplexType(name, schema, context));
    case 'boolean':
      return notNull('Edm.Boolean');
    case 'integer':
      return notNull('Edm.Int32');
    default:
      return notNull(schema['format'] === 'date-time' ? 'Edm.DateTimeOffset' : 'Edm.String');
  }
}

/** Adds the type of a nested object, whose name is the path to it. */
function addComplexType(name: string, schema: JsonSchema, context: PropertyContext): string {
  const owner = `${context.owner}_${name}`;
  const properties = Object.entries(schema['properties'] ?? {}).map(([key, value]) =>
    describeProperty(key, value as JsonSchema, { ...context, owner }),
  );
  context.complexTypes.push(`<ComplexType Name="${owner}">${properties.join('')}</ComplexType>`);
  return `${context.dialect.data.namespace}.${owner}`;
}
