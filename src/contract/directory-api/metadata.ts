import type { z } from 'zod';
import { toJsonSchema } from '../openapi.ts';
import type { Dialect } from './dialect.ts';
import { directoryApiOperationList } from './directory-api-operations.ts';
import type { ResourceType } from './resource-type.ts';
import { directoryObjectTypes, getNotSimulated, resourceTypes } from './resource-types.ts';

/** Set of resources at the root of the API. */
interface RootSet {
  readonly name: string;
  readonly kind: 'EntitySet' | 'Singleton';
  /** Name of the type of its resources. */
  readonly type: string;
}

/** Returns the sets at the root: the lists whose path has one segment, and the user of the token. */
function listRootSets(): readonly RootSet[] {
  const sets = directoryApiOperationList.flatMap(({ path, method, types }): readonly RootSet[] => {
    const [name = '', ...below] = path.slice(1).split('/');
    const [key] = types;
    return key !== undefined && method === 'get' && below.length === 0
      ? [{ name, kind: 'EntitySet', type: resourceTypes[key].name }]
      : [];
  });
  return [...sets, { name: 'me', kind: 'Singleton', type: 'user' }];
}

/** Creates the service document. `root` is the URL of the version, which ends with a slash. */
export function createServiceDocument(root: string): object {
  return {
    '@odata.context': `${root}$metadata`,
    value: listRootSets().map(({ name, kind }) => ({ name, kind, url: name })),
  };
}

const baseType = 'directoryObject';

/** Creates the metadata document, which contains only what the API serves. */
export function createMetadataDocument(dialect: Dialect): string {
  const types = Object.values(resourceTypes).map((type) => describeType(type, dialect));
  const sets = listRootSets().map(({ name, kind, type }) =>
    kind === 'EntitySet'
      ? `<EntitySet Name="${name}" EntityType="${dialect.data.namespace}.${type}"/>`
      : `<Singleton Name="${name}" Type="${dialect.data.namespace}.${type}"/>`,
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>',
    `<Schema Namespace="${dialect.data.namespace}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    ...listBases().map(
      (name) =>
        `<EntityType Name="${name}" Abstract="true"><Key><PropertyRef Name="id"/></Key>${idProperty}</EntityType>`,
    ),
    ...types,
    `<EntityContainer Name="service">${sets.join('')}</EntityContainer>`,
    '</Schema></edmx:DataServices></edmx:Edmx>',
    '',
  ].join('\n');
}

/** Lists the names of the base types. */
function listBases(): readonly string[] {
  const types: readonly ResourceType[] = Object.values(resourceTypes);
  return [...new Set([baseType, ...types.flatMap(({ base }) => base ?? [])])];
}

const idProperty = '<Property Name="id" Type="Edm.String" Nullable="false"/>';

function describeType(type: ResourceType, dialect: Dialect): string {
  const isObject = directoryObjectTypes.some((name) => name === type.name);
  const base = isObject ? baseType : type.base;
  const name = dialect.toWire(type.name);
  const isEntity = Object.hasOwn(type.schema.shape, 'id');
  const tag = isEntity ? 'EntityType' : 'ComplexType';
  const key = isEntity ? `<Key><PropertyRef Name="id"/></Key>${idProperty}` : '';
  const head =
    base === undefined
      ? `<${tag} Name="${name}">${key}`
      : `<EntityType Name="${name}" BaseType="${dialect.data.namespace}.${base}">`;
  const complexTypes: string[] = [];
  const properties = Object.entries(type.schema.shape)
    .filter(([property]) => property !== 'id')
    .map(([property, schema]) =>
      describeProperty(property, schema as z.ZodType, { owner: name, dialect, complexTypes }),
    );
  const { values, lists } = getNotSimulated(type, dialect);
  const known = [
    ...values.map((one) => `<Property Name="${one}" Type="Edm.Untyped"/>`),
    ...lists.map((one) => `<Property Name="${one}" Type="Collection(Edm.Untyped)"/>`),
  ];
  const related = Object.entries(type.related ?? {}).map(
    ([relation, target]) =>
      `<NavigationProperty Name="${relation}" Type="Collection(${dialect.data.namespace}.${target})"/>`,
  );
  return [...complexTypes, `${head}${[...properties, ...known, ...related].join('')}</${tag}>`].join('\n');
}

interface PropertyContext {
  readonly owner: string;
  readonly dialect: Dialect;
  /** Types of nested objects, which a property adds. */
  readonly complexTypes: string[];
}

function describeProperty(name: string, schema: z.ZodType, context: PropertyContext): string {
  const { type, isNullable } = toEdmType(name, toJsonSchema(schema), context);
  return `<Property Name="${name}" Type="${type}"${isNullable ? '' : ' Nullable="false"'}/>`;
}

interface EdmType {
  readonly type: string;
  readonly isNullable: boolean;
}

function toEdmType(name: string, schema: Readonly<Record<string, unknown>>, context: PropertyContext): EdmType {
  const alternatives = schema['anyOf'];
  if (Array.isArray(alternatives)) {
    const [value = {}] = alternatives.filter((one: { type?: unknown }) => one.type !== 'null');
    return { ...toEdmType(name, value as Readonly<Record<string, unknown>>, context), isNullable: true };
  }
  switch (schema['type']) {
    case 'array': {
      const items = schema['items'] as Readonly<Record<string, unknown>>;
      return { type: `Collection(${toEdmType(name, items, context).type})`, isNullable: false };
    }
    case 'object':
      return { type: addComplexType(name, schema, context), isNullable: false };
    case 'boolean':
      return { type: 'Edm.Boolean', isNullable: false };
    case 'integer':
      return { type: 'Edm.Int32', isNullable: false };
    default:
      return {
        type: schema['format'] === 'date-time' ? 'Edm.DateTimeOffset' : 'Edm.String',
        isNullable: false,
      };
  }
}

function addComplexType(name: string, schema: Readonly<Record<string, unknown>>, context: PropertyContext): string {
  const own = `${context.owner}_${name}`;
  const properties = Object.entries(schema['properties'] ?? {}).map(([key, value]) => {
    const { type, isNullable } = toEdmType(key, value as Readonly<Record<string, unknown>>, context);
    return `<Property Name="${key}" Type="${type}"${isNullable ? '' : ' Nullable="false"'}/>`;
  });
  context.complexTypes.push(`<ComplexType Name="${own}">${properties.join('')}</ComplexType>`);
  return `${context.dialect.data.namespace}.${own}`;
}
