import type { Dialect } from '../../contract/directory-api/dialect.ts';
import type { ResourceType } from '../../contract/directory-api/resource-type.ts';
import {
  getNotSimulated,
  listProperties,
  type ResourceTypeName,
  resourceTypes,
} from '../../contract/directory-api/resource-types.ts';
import type { SelectableType } from '../../contract/odata/query-options.ts';
import type { ApiVersion } from './directory-exchange.ts';

/** Writes one property of a resource: its name and its value. */
interface PropertyWriter<Row> {
  readonly name: string;
  readonly read: (row: Row) => unknown;
}

/** Parts of a response that depend on the request. */
export interface Rendering {
  readonly version: ApiVersion;
  readonly dialect: Dialect;
  /** Selected properties, or `null` for the default ones. */
  readonly select: readonly string[] | null;
}

/**
 * Creates a function that renders rows of one type. Properties have the order of the type.
 *
 * @param createReader - creates a reader of a simulated property
 */
export function createRenderer<Row>(
  type: ResourceType,
  { version, dialect, select }: Rendering,
  createReader: (name: string) => (row: Row) => unknown,
): (row: Row) => Record<string, unknown> {
  const { values, lists } = getNotSimulated(type, dialect);
  const names = select === null ? listShown(type, { version, dialect }) : select;
  const writers = names.flatMap((name): PropertyWriter<Row>[] => {
    if (Object.hasOwn(type.schema.shape, name)) return [{ name, read: createReader(name) }];
    if (values.includes(name)) return [{ name, read: () => null }];
    return lists.includes(name) ? [{ name, read: () => [] }] : [];
  });
  return (row) => {
    const rendered: Record<string, unknown> = {};
    for (const writer of writers) rendered[writer.name] = writer.read(row);
    return rendered;
  };
}

/** Returns the properties that `$select` can name: those of the types that a list can contain. */
export function toSelectable(types: readonly ResourceTypeName[], dialect: Dialect): SelectableType {
  const properties = types.flatMap((type) => listProperties(resourceTypes[type], dialect));
  return {
    typeName: dialect.toQualifiedType(getTypeName(types)),
    properties: [...new Set(properties)],
  };
}

/** Returns the name of the only type, or of the base type that several types have. */
function getTypeName(types: readonly ResourceTypeName[]): string {
  const [first] = types;
  if (first === undefined) return 'directoryObject';
  const type: ResourceType = resourceTypes[first];
  return types.length === 1 ? type.name : (type.base ?? 'directoryObject');
}

/** Returns the properties of a response without `$select`: those of the type, and those that the dialect adds. */
function listShown(
  { schema, shown, shownInBeta = [], notSimulated }: ResourceType,
  { version, dialect }: Pick<Rendering, 'version' | 'dialect'>,
): readonly string[] {
  const further = notSimulated === undefined ? undefined : dialect.data.shownProperties[notSimulated];
  const { always = [], beta = [] } = further ?? {};
  const own = shown ?? Object.keys(schema.shape);
  return version === 'beta' ? [...own, ...shownInBeta, ...always, ...beta] : [...own, ...always];
}
