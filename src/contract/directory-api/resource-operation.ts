import { z } from 'zod';
import { operation } from '../control-operation.ts';
import { type QueryRow, singleRow } from '../odata/query-row.ts';
import type { AccessRow } from './access.ts';
import { type ResourceTypeName, resourceTypes } from './resource-types.ts';

/**
 * Kind of a response: a list, a single object, the result of an action, or nothing. A list whose rows can be counted is
 * also available as a number, with `/$count` after its path.
 */
export type ResultKind = 'list' | 'object' | 'action' | 'nothing';

/** Properties of an operation of the directory API. */
export interface DescribedResource {
  readonly summary: string;
  readonly access: AccessRow;
  readonly row: QueryRow;
  readonly result: ResultKind;
  /**
   * Types of the resources in the response. If there are several, a segment after the path can select one, such as
   * `graph.user`.
   */
  readonly types: readonly ResourceTypeName[];
  /** `true` if the rows of the versions differ. */
  readonly isVersioned?: boolean;
  /** `true` if only `/beta` has the operation. */
  readonly isBeta?: boolean;
  /** Names of the arguments that the last segment can have in parentheses. */
  readonly functionArguments?: readonly string[];
  /** Success status codes, the most common one first. Default: 200, or 204 without a response body. */
  readonly statuses?: readonly [number, ...number[]];
}

type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Describes an operation of the directory API with its query options and the access that it requires. */
export function resource<const Route extends `${Verb} /${string}`, Body extends z.ZodType = z.ZodNever>(
  route: Route,
  {
    access,
    row,
    result,
    types,
    isBeta = false,
    isVersioned = false,
    functionArguments = [],
    ...described
  }: DescribedResource & { readonly body?: Body; readonly reply?: z.ZodType },
) {
  const schemas = types.map((type) => resourceTypes[type].schema);
  const [first = z.strictObject({}), ...others] = schemas;
  const item = others.length === 0 ? first : z.union([first, ...others]);
  const reply = result === 'list' ? z.array(item) : item;
  return {
    ...operation(route, { reply, ...described, errors: ['bad-request'] }),
    ...(result === 'nothing' ? { statuses: [204] as const } : {}),
    access,
    row,
    result,
    types,
    isBeta,
    isVersioned,
    functionArguments,
  };
}

/** Describes a list of resources of one type. */
export function list(type: ResourceTypeName, row: QueryRow, access: AccessRow, summary: string): DescribedResource {
  return { summary, access, row, result: 'list', types: [type] };
}

/** Describes a single resource. Of the options of its list, it supports `$expand`. */
export function single(type: ResourceTypeName, row: QueryRow, access: AccessRow, summary: string): DescribedResource {
  const { expand } = row;
  return {
    summary,
    access,
    row: expand === undefined ? singleRow : { page: null, expand },
    result: 'object',
    types: [type],
  };
}
