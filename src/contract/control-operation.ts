import type { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { noQuery } from './control.schema.ts';

/** One operation of the control API: the route is served by it, the OpenAPI document and the tests are made from it. */
export interface ControlOperation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /** Under `/_control/v1`, with `{names}` of parameters. */
  readonly path: string;
  readonly summary: string;
  /** What the body may hold; `null` when none is read. */
  readonly body: Body | null;
  /** Media type of a file that the body is, in place of JSON; `null` for none. */
  readonly file: string | null;
  readonly query: Query;
  /** Headers that it takes beyond those of every operation, each with what it says. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * What a success carries; `null` for an empty answer, `events` for a stream of journal entries or of progress, `journey` for
   * the lines of one, `file` for the bytes of a file.
   */
  readonly reply: Reply | 'events' | 'journey' | 'file' | null;
  /** Statuses of a success; the first is the usual one. */
  readonly statuses: readonly [number, ...number[]];
  /** Failures that are particular to it. */
  readonly errors: readonly ErrorCode[];
}

type Verb = ControlOperation['method'];

interface Described<Body extends z.ZodType, Query extends z.ZodType, Reply extends z.ZodType> {
  readonly id: string;
  readonly summary: string;
  readonly body?: Body;
  readonly file?: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply: Reply | 'events' | 'journey' | 'file' | null;
  readonly statuses?: readonly [number, ...number[]];
  readonly errors?: readonly ErrorCode[];
}

/**
 * Writes an operation down. Takes the verb with the path, and what is particular to it; a success is 200, or 204 when there is
 * nothing to carry. A path below a sandbox may always answer `sandbox-unknown`, and `store-failed`, since answers wait for
 * the store.
 */
export function operation<
  Reply extends z.ZodType,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = typeof noQuery,
>(
  route: `${Uppercase<Verb>} /${string}`,
  described: Described<Body, Query, Reply>,
): ControlOperation<Body, Query, Reply> {
  const [verb = '', path = ''] = route.split(' ');
  const { body = null, file = null, query, headers = {}, reply, errors = [] } = described;
  const belowSandbox: readonly ErrorCode[] = path.startsWith('/sandboxes/{') ? ['sandbox-unknown', 'store-failed'] : [];
  return {
    id: described.id,
    method: verb.toLowerCase() as Verb,
    path,
    summary: described.summary,
    body,
    file,
    // Without a query of its own the default type argument stands, which is that of `noQuery`.
    query: query ?? (noQuery as unknown as Query),
    headers,
    reply,
    statuses: described.statuses ?? [reply === null ? 204 : 200],
    errors: [...belowSandbox, ...errors],
  };
}
