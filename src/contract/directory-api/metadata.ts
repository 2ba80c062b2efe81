import { policySchema } from '../policy.schema.ts';
import type { Dialect } from './dialect.ts';
import { type DirectoryApiOperation, directoryApiOperationList } from './directory-api-operations.ts';
import { describeMembers, describeType, isEntityType, toEdmName } from './metadata-types.ts';
import type { ResourceType } from './resource-type.ts';
import { directoryObjectTypes, type ResourceTypeName, resourceTypes } from './resource-types.ts';

/** Part of a path: what is read there, and what is below it. */
interface PathNode {
  /** Path with its parameters. */
  readonly path: string;
  readonly children: Map<string, PathNode>;
  /** What is below one resource of a list. */
  item?: PathNode;
  /** Operation that reads the path. */
  read?: DirectoryApiOperation;
  /** Operation that adds to the list at the path, or runs an action. */
  post?: DirectoryApiOperation;
}

/** Type that has relationships only: a part of paths that is no resource itself. */
type ContainerType = string;

/** Names of the types of path parts that are no resources themselves. */
const containerTypes: Readonly<Record<string, ContainerType>> = {
  '/auditLogs': 'auditLogRoot',
  '/policies': 'policyRoot',
  '/policies/authenticationMethodsPolicy': 'authenticationMethodsPolicy',
  '/reports': 'reportRoot',
  '/reports/authenticationMethods': 'authenticationMethodsRoot',
  '/users/{user}/authentication': 'authentication',
};

const baseType = 'directoryObject';
const entityBase = 'entity';

/** Returns the tree of the paths of a version. */
function listPaths(isBeta: boolean): PathNode {
  const root: PathNode = { path: '', children: new Map() };
  for (const operation of directoryApiOperationList) {
    if (operation.path.startsWith('/$') || (operation.isBeta && !isBeta)) continue;
    const node = operation.path.slice(1).split('/').reduce(goTo, root);
    if (operation.method === 'get') node.read = operation;
    else if (operation.method === 'post') node.post = operation;
  }
  return root;
}

function goTo(node: PathNode, segment: string): PathNode {
  const path = `${node.path}/${segment}`;
  if (segment.startsWith('{')) {
    node.item ??= { path, children: new Map() };
    return node.item;
  }
  const child = node.children.get(segment) ?? { path, children: new Map() };
  node.children.set(segment, child);
  return child;
}

/** Resource set or singleton at the root of the API. */
interface RootSet {
  readonly name: string;
  readonly kind: 'EntitySet' | 'Singleton';
  /** Name of the type of its resources. */
  readonly type: string;
}

/** Returns what is at the root: the lists, the parts of longer paths, and the user of the token. */
function listRootSets(root: PathNode): readonly RootSet[] {
  const sets = [...root.children].map(([name, { read, path }]): RootSet => {
    return read === undefined
      ? { name, kind: 'Singleton', type: nameContainer(path) }
      : { name, kind: 'EntitySet', type: getTypeName(read.types) };
  });
  return [...sets, { name: 'me', kind: 'Singleton', type: 'user' }];
}

/** Creates the service document. `root` is the URL of the version, which ends with a slash. */
export function createServiceDocument(root: string): object {
  return {
    '@odata.context': `${root}$metadata`,
    value: listRootSets(listPaths(root.endsWith('/beta/'))).map(({ name, kind }) => ({ name, kind, url: name })),
  };
}

/**
 * Creates the metadata document, which contains only what the API serves.
 *
 * @param isBeta - `true` for the version `/beta`
 */
export function createMetadataDocument(dialect: Dialect, isBeta: boolean): string {
  const { namespace } = dialect.data;
  const root = listPaths(isBeta);
  const relations = new Relations(dialect);
  for (const [name, node] of root.children) relations.follow(name, node, null);
  const sets = listRootSets(root).map(({ name, kind, type }) =>
    kind === 'EntitySet'
      ? `<EntitySet Name="${name}" EntityType="${namespace}.${type}"/>`
      : `<Singleton Name="${name}" Type="${namespace}.${type}"/>`,
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>',
    `<Schema Namespace="${namespace}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    `<EntityType Name="${entityBase}" Abstract="true"><Key><PropertyRef Name="id"/></Key>${idProperty}</EntityType>`,
    ...listBases().map(
      (name) => `<EntityType Name="${name}" BaseType="${namespace}.${entityBase}" Abstract="true"></EntityType>`,
    ),
    ...Object.values(resourceTypes).map((type: ResourceType) => {
      const isObject = directoryObjectTypes.some((name) => name === type.name);
      return describeType(type, {
        dialect,
        base: isObject ? baseType : (type.base ?? entityBase),
        relations: relations.get(type.name),
      });
    }),
    ...relations.containers.map((name) => describeContainer(name, relations.get(name), dialect)),
    ...relations.operations,
    `<EntityContainer Name="service">${sets.join('')}</EntityContainer>`,
    '</Schema></edmx:DataServices></edmx:Edmx>',
    '',
  ].join('\n');
}

const idProperty = '<Property Name="id" Type="Edm.String" Nullable="false"/>';

/** Lists the names of the base types of resources. */
function listBases(): readonly string[] {
  const types: readonly ResourceType[] = Object.values(resourceTypes);
  return [...new Set([baseType, ...types.flatMap(({ base }) => base ?? [])])];
}

function nameContainer(path: string): ContainerType {
  return containerTypes[path] ?? path.slice(path.lastIndexOf('/') + 1);
}

function describeContainer(name: ContainerType, relations: string, dialect: Dialect): string {
  const isPolicy = name === containerTypes['/policies/authenticationMethodsPolicy'];
  const { properties, complexTypes } = describeMembers(isPolicy ? policySchema.shape : {}, name, dialect);
  const head = `<EntityType Name="${name}" BaseType="${dialect.data.namespace}.${entityBase}">`;
  return [...complexTypes, `${head}${properties}${relations}</EntityType>`].join('\n');
}

/** Returns the name of the only type, or of the base type that several types have. */
function getTypeName(types: readonly ResourceTypeName[]): string {
  const [first] = types;
  const type: ResourceType | undefined = first === undefined ? undefined : resourceTypes[first];
  if (type === undefined) return baseType;
  return types.length === 1 ? type.name : (type.base ?? baseType);
}

/** Relationships and bound operations of types, by the paths below their resources. */
class Relations {
  readonly #dialect: Dialect;
  readonly #byType = new Map<string, Map<string, string>>();
  readonly containers: ContainerType[] = [];
  /** Functions and actions. */
  readonly operations: string[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    for (const type of Object.values(resourceTypes) as readonly ResourceType[]) {
      for (const [name, target] of Object.entries(type.related ?? {})) this.#add(type.name, name, this.#many(target));
    }
  }

  /** Returns the relationships of a type. */
  get(type: string): string {
    return [...(this.#byType.get(type)?.values() ?? [])].join('');
  }

  /**
   * Adds what is at a part of a path, and all below it.
   *
   * @param owner - type of the resource with the path, or `null` for the root
   */
  follow(name: string, node: PathNode, owner: string | null): void {
    const { read, post, path } = node;
    if (read === undefined && post !== undefined) return this.#addOperation('Action', name, { owner, operation: post });
    if (read !== undefined && read.functionArguments.length > 0)
      return this.#addOperation('Function', name, { owner, operation: read });
    const type = read === undefined ? nameContainer(path) : getTypeName(read.types);
    if (read === undefined) this.containers.push(type);
    const isList = read?.result === 'list';
    if (owner !== null) this.#add(owner, name, isList ? this.#many(type) : this.#one(type, read));
    for (const [child, below] of node.children) this.follow(child, below, isList ? `Collection(${type})` : type);
    for (const [child, below] of node.item?.children ?? []) this.follow(child, below, type);
  }

  #qualify(type: string): string {
    return toEdmName(type, this.#dialect);
  }

  #many(type: string): string {
    return `NavigationProperty Type="Collection(${this.#qualify(type)})" ContainsTarget="true"`;
  }

  #one(type: string, read: DirectoryApiOperation | undefined): string {
    const [key] = read?.types ?? [];
    if (key !== undefined && !isEntityType(resourceTypes[key])) return `Property Type="${this.#qualify(type)}"`;
    return `NavigationProperty Type="${this.#qualify(type)}" ContainsTarget="true"`;
  }

  #add(owner: string, name: string, described: string): void {
    const relations = this.#byType.get(owner) ?? new Map<string, string>();
    this.#byType.set(owner, relations);
    if (relations.has(name)) return;
    const [tag = '', ...attributes] = described.split(' ');
    relations.set(name, `<${tag} Name="${this.#dialect.toWire(name)}" ${attributes.join(' ')}/>`);
  }

  #addOperation(
    kind: 'Action' | 'Function',
    name: string,
    { owner, operation }: { readonly owner: string | null; readonly operation: DirectoryApiOperation },
  ): void {
    const [, collected] = /^Collection\((.*)\)$/.exec(owner ?? '') ?? [];
    const bound = collected === undefined ? this.#qualify(owner ?? '') : `Collection(${this.#qualify(collected)})`;
    const [key] = operation.types;
    const answered = key === undefined ? 'Collection(Edm.String)' : this.#qualify(resourceTypes[key].name);
    const answer = operation.result === 'nothing' ? '' : `<ReturnType Type="${answered}"/>`;
    // A function can be called with all of its arguments or without any.
    const overloads = operation.functionArguments.length === 0 ? [[]] : [[], operation.functionArguments];
    for (const given of overloads) {
      const parameters = given.map((one) => `<Parameter Name="${one}" Type="Edm.String" Nullable="false"/>`);
      this.operations.push(
        `<${kind} Name="${name}" IsBound="true"><Parameter Name="bindingParameter" Type="${bound}"/>${parameters.join('')}${answer}</${kind}>`,
      );
    }
  }
}
