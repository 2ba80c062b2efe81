import type { Dialect } from '../../contract/directory-api/dialect.ts';
import {
  type DirectoryApiOperation,
  directoryApiOperationList,
} from '../../contract/directory-api/directory-api-operations.ts';
import type { ResourceTypeName } from '../../contract/directory-api/resource-types.ts';
import { type PathSegment, parseResourcePath } from '../../contract/odata/resource-path.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { ApiVersion } from './directory-exchange.ts';

/** Path of the API that requests can use. */
export interface MatchedPath {
  /** Operations on the path, by method. */
  readonly operations: ReadonlyMap<string, DirectoryApiOperation>;
  /** Ids in the path, by the names of their parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** `true` if the path ends with `/$count`. */
  readonly isCount: boolean;
  /** `true` if the path starts with `me`, which means the user of the token. */
  readonly isOwn: boolean;
  /** Type that the path selects from a list, or `null` for all types. */
  readonly cast: ResourceTypeName | null;
}

/** Path of a resource with its operations. */
interface RouteTemplate {
  readonly segments: readonly string[];
  readonly operations: ReadonlyMap<string, DirectoryApiOperation>;
  /** Names of the arguments that the last segment can have in parentheses. */
  readonly functionArguments: readonly string[];
}

function createTemplates(listed: readonly DirectoryApiOperation[]): readonly RouteTemplate[] {
  return [...Map.groupBy(listed, ({ path }) => path)].map(([path, operations]) => ({
    segments: path.slice(1).split('/'),
    operations: new Map(operations.map((operation) => [operation.method.toUpperCase(), operation])),
    functionArguments: operations.flatMap(({ functionArguments }) => functionArguments),
  }));
}

const templatesByVersion: Readonly<Record<ApiVersion, readonly RouteTemplate[]>> = {
  'v1.0': createTemplates(directoryApiOperationList.filter(({ isBeta }) => !isBeta)),
  beta: createTemplates(directoryApiOperationList),
};

const countSegment = '$count';

/**
 * Finds the resource of a path.
 *
 * @param path - path below the version as sent
 * @throws NudgeLabError `not-found` for a path that is no resource, with the first unknown segment
 */
export function matchPath(path: string, dialect: Dialect, version: ApiVersion): MatchedPath {
  const parsed = parseResourcePath(path);
  if (parsed === null) throw unknownSegment('', path, dialect);
  const isOwn = parsed[0]?.text.toLowerCase() === 'me';
  const segments = parsed.flatMap((segment, index) => (index === 0 && isOwn ? ownUser : toKeySegments(segment)));
  const isCount = segments.at(-1)?.text.toLowerCase() === countSegment;
  const listed = isCount ? segments.slice(0, -1) : segments;
  const templates = templatesByVersion[version];
  const direct = findTemplate(templates, listed, dialect);
  if (direct !== null) {
    const list = direct.operations.get('GET');
    if (isCount && list?.row.count !== true) throw unknownSegment(countSegment, path, dialect);
    return { ...direct, isCount, isOwn, cast: null };
  }
  const cast = findTemplate(templates, listed.slice(0, -1), dialect);
  const type = toLocalName(listed.at(-1), dialect);
  const selected = listCasts(cast?.operations.get('GET')).find((one) => one.toLowerCase() === type);
  if (cast !== null && selected !== undefined) return { ...cast, isCount, isOwn, cast: selected };
  throw unknownSegment(findUnknown(templates, listed, dialect), path, dialect);
}

/** Lists the types that a segment can select from a list. */
function listCasts(operation: DirectoryApiOperation | undefined): readonly ResourceTypeName[] {
  return operation !== undefined && operation.types.length > 1 ? operation.types : [];
}

/** Lists the methods of a matched path for the header `Allow`. */
export function listMethods({ operations }: MatchedPath): string {
  const methods = [...operations.keys()];
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ');
}

const badRequest = 400;

/** Returns the error for a path that is no resource. */
function unknownSegment(segment: string, path: string, { data }: Dialect): NudgeLabError {
  return new NudgeLabError(data.unknownSegmentStatus === badRequest ? 'bad-request' : 'not-found', {
    aspect: 'segment',
    message: `Resource not found for the segment '${segment}'. The path ${path} does not exist.`,
  });
}

/** Segments that `me` is replaced by. The dispatcher replaces the id by that of the token's user. */
const ownUser: readonly PathSegment[] = [
  { text: 'users', isKey: false, named: null },
  { text: 'me', isKey: true, named: null },
];

/** Replaces the alternate key of a directory role by a key. */
function toKeySegments(segment: PathSegment): readonly PathSegment[] {
  const templateId = segment.named?.get('roletemplateid');
  if (segment.text.toLowerCase() !== 'directoryroles' || templateId === undefined) return [segment];
  return [
    { ...segment, named: null },
    { text: templateId, isKey: true, named: null },
  ];
}

function findTemplate(
  templates: readonly RouteTemplate[],
  segments: readonly PathSegment[],
  dialect: Dialect,
): Pick<MatchedPath, 'operations' | 'params'> | null {
  for (const template of templates) {
    const params = matchTemplate(template, segments, dialect);
    if (params !== null) return { operations: template.operations, params };
  }
  return null;
}

function matchTemplate(
  template: RouteTemplate,
  segments: readonly PathSegment[],
  dialect: Dialect,
): Readonly<Record<string, string>> | null {
  if (template.segments.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, wanted] of template.segments.entries()) {
    const segment = segments[index];
    if (segment === undefined) return null;
    const isLast = index === segments.length - 1;
    const given = isLast ? readArguments(template, segment) : null;
    const plain = given === null ? segment : { ...segment, named: null };
    if (!matchesSegment(wanted, plain, dialect)) return null;
    if (wanted.startsWith('{')) params[wanted.slice(1, -1)] = segment.text;
    Object.assign(params, given);
  }
  return params;
}

/** Returns the arguments of a function by name, or `null` if the segment has none, or one that is unknown. */
function readArguments(
  { functionArguments }: RouteTemplate,
  { named }: PathSegment,
): Readonly<Record<string, string>> | null {
  if (named === null) return null;
  const given: Record<string, string> = {};
  for (const [key, value] of named) {
    const name = functionArguments.find((one) => one.toLowerCase() === key);
    if (name === undefined) return null;
    given[name] = value;
  }
  return given;
}

function matchesSegment(wanted: string, segment: PathSegment, dialect: Dialect): boolean {
  if (wanted.startsWith('{')) return segment.named === null && segment.text !== countSegment;
  if (segment.isKey || (segment.named?.size ?? 0) > 0) return false;
  const lower = wanted.toLowerCase();
  return dialect.fromWire(segment.text) === lower || toLocalName(segment, dialect) === lower;
}

/** Returns a name without its namespace in lower case, or `null` for a name without a known namespace. */
function toLocalName(segment: PathSegment | undefined, dialect: Dialect): string | null {
  const { namespace, namespaces } = dialect.data;
  const text = segment?.text.toLowerCase() ?? '';
  const prefix = [namespace, ...namespaces].find((one) => text.startsWith(`${one.toLowerCase()}.`));
  return prefix === undefined ? null : dialect.fromWire(text.slice(prefix.length + 1));
}

/** Path of the policy, which its own router answers. */
const policySegments = ['policies', 'authenticationMethodsPolicy'];

/** Returns the first segment that no resource has at this position, or the last one if the path is incomplete. */
function findUnknown(templates: readonly RouteTemplate[], segments: readonly PathSegment[], dialect: Dialect): string {
  const known = [policySegments, ...templates.map((template) => template.segments)];
  const unknown = segments.find((_, index) => {
    const begun = segments.slice(0, index + 1);
    return !known.some((wanted) => begun.every((one, at) => matchesSegment(wanted[at] ?? '', one, dialect)));
  });
  return (unknown ?? segments.at(-1))?.text ?? '';
}
