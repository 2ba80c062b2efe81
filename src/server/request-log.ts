import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import { requestLogMax } from '../core/limits.ts';
import { redactTokens } from '../core/redact-tokens.ts';
import { newSecret } from '../core/secrets.ts';
import type { RequestedTool } from '../sandbox/lookup/lookup-engine.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { FindingListener } from './finding.ts';

/** Caller of a request, as far as it is known. */
export interface RequestCaller {
  /**
   * Id of the user that the request belongs to: who signs in, for whom the token of an API acts, or whom the control API
   * reads or changes.
   */
  readonly userId: string | null;
  /** Id of the application or of the lookup account that sent the request. */
  readonly client: string | null;
}

/** Request in the log. Query values can be secrets of users, so only a keyed hash of them is stored. */
export interface LoggedRequest extends RequestCaller {
  /** Number of the request in the sandbox, from 1. */
  readonly seq: number;
  readonly method: string;
  /** Requested path without the query and without tokens. */
  readonly path: string;
  /** Keyed hash of the query, equal for equal queries in one process. `null` if there is no query. */
  readonly queryHash: string | null;
  /** Status of the response. `null` until the response is sent. */
  readonly status: number | null;
  /** Virtual time of the sandbox in milliseconds. */
  readonly atMs: number;
  /** Tool and caller of a lookup API request. Neither is secret. */
  readonly lookup?: RequestedTool;
  /** What the developer of the application should know, such as the reason for a rejection that browsers hide. */
  readonly finding?: string;
  /** Sequence numbers of the journal entries that a request to the policy API or the directory API made. */
  readonly entries?: readonly number[];
}

/** Filter of a request list. Omitted properties match every request. */
export interface RequestFilter {
  /** Path prefix, matched without regard to case, with or without the prefix of the sandbox. */
  readonly path?: string | undefined;
  /** Status such as `404`, or class of statuses such as `4xx`. */
  readonly status?: string | undefined;
  /** Id of a user, matched without regard to case. */
  readonly user?: string | undefined;
  /** `false` leaves out requests below `/_`: those to the control API, to the console, and for files of pages. */
  readonly control?: boolean | undefined;
  /** `true` leaves out all requests but those to the policy API and the directory API. */
  readonly administration?: boolean | undefined;
}

/** Page of a request list. Omitted properties do not limit it. */
export interface RequestPage {
  /** Number of a request before which the page ends. */
  readonly before?: number | undefined;
  /** Maximum number of requests, of which the latest are taken. */
  readonly limit?: number | undefined;
}

/** Matching requests of one sandbox, oldest first, and the number of dropped ones. */
export interface RequestList {
  readonly requests: readonly LoggedRequest[];
  /** Number of matching requests on all pages. */
  readonly total: number;
  readonly dropped: number;
}

type Entry = { -readonly [K in keyof LoggedRequest]: LoggedRequest[K] };

/** Maximum length of a logged path in characters. Longer paths match no route and are truncated. */
const pathCharactersMax = 256;
const queryHashCharacters = 16;

interface Ring {
  readonly entries: Entry[];
  /** Total number of logged requests, which determines the index of the next one. */
  noted: number;
}

/**
 * Bounded log of recent requests for each sandbox. It counts requests, can drop old ones, and never affects the state.
 */
export class RequestLog {
  readonly #rings = new Map<string, Ring>();
  readonly #key = newSecret();
  readonly #requestsMax: number;

  /** Creates the log. `requestsMax` is the maximum number of stored requests per sandbox. */
  constructor(options: { readonly requestsMax?: number } = {}) {
    this.#requestsMax = options.requestsMax ?? requestLogMax;
  }

  /** Logs a request when it arrives. `url` includes the query. Returns the entry, whose status is set later. */
  note(sandboxId: string, method: string, url: string, atMs: number): Entry {
    const ring = this.#getRing(sandboxId);
    const queryAt = url.indexOf('?');
    const path = queryAt === -1 ? url : url.slice(0, queryAt);
    const before = ring.entries[(ring.noted - 1) % this.#requestsMax]?.path;
    const entry: Entry = {
      seq: ring.noted + 1,
      method,
      // Requests often repeat the path of the one before.
      path: path === before ? before : copyText(path.length > pathCharactersMax ? truncatePath(path) : path),
      queryHash: queryAt === -1 ? null : this.#computeHash(url.slice(queryAt + 1)),
      status: null,
      atMs,
      userId: null,
      client: null,
    };
    ring.entries[ring.noted % this.#requestsMax] = entry;
    ring.noted += 1;
    return entry;
  }

  /** Returns a page of the requests of a sandbox that match a filter. */
  listRequests(sandboxId: string, filter: RequestFilter = {}, page: RequestPage = {}): RequestList {
    const ring = this.#rings.get(sandboxId);
    if (ring === undefined) return { requests: [], total: 0, dropped: 0 };
    const { entries, noted } = ring;
    const oldestAt = noted <= this.#requestsMax ? 0 : noted % this.#requestsMax;
    const matching = [...entries.slice(oldestAt), ...entries.slice(0, oldestAt)].filter(createMatcher(filter));
    const { before = Number.POSITIVE_INFINITY, limit = this.#requestsMax } = page;
    const earlier = matching.filter(({ seq }) => seq < before);
    return {
      requests: earlier.slice(Math.max(0, earlier.length - limit)).map(showCaller),
      total: matching.length,
      dropped: Math.max(0, noted - this.#requestsMax),
    };
  }

  /** Deletes the requests of a deleted sandbox. */
  forget(sandboxId: string): void {
    this.#rings.delete(sandboxId);
  }

  #getRing(sandboxId: string): Ring {
    const known = this.#rings.get(sandboxId);
    if (known !== undefined) return known;
    const ring: Ring = { entries: [], noted: 0 };
    this.#rings.set(sandboxId, ring);
    return ring;
  }

  #computeHash(query: string): string {
    // A truncated digest is a keyed hash without the second round of an HMAC, which takes five times as long.
    return hash('sha256', this.#key + query, 'hex').slice(0, queryHashCharacters);
  }
}

/**
 * Creates the handler that logs every request to an existing sandbox, both for pages and APIs.
 *
 * @param onFinding - listener for findings about the requests
 */
export function logRequests(sandboxes: Sandboxes, log: RequestLog, onFinding?: FindingListener): RequestHandler {
  return (request, response, next) => {
    response.locals['onFinding'] = onFinding;
    const { method, originalUrl } = request;
    // Other forms of an address continue at the URL below the sandbox.
    const id = addressedSandbox(request.url);
    if (sandboxes.has(id)) {
      const entry = log.note(id, method, originalUrl, sandboxes.get(id).clock.nowMs());
      response.locals['logged'] = entry;
      response.locals['sandboxId'] = id;
      response.on('finish', () => {
        entry.status = response.statusCode;
        if (!sandboxes.has(id)) log.forget(id);
      });
    } else log.forget(id);
    next();
  };
}

/** Adds the requested lookup tool to the log entry of a request. */
export function noteLookup(response: Response, tool: RequestedTool): void {
  const entry = response.locals['logged'] as Entry | undefined;
  if (entry !== undefined) entry.lookup = tool;
}

/** Adds a journal entry that a request made to its log entry. */
export function noteRecorded(response: Response, seq: number): void {
  const entry = response.locals['logged'] as Entry | undefined;
  if (entry !== undefined) entry.entries = [...(entry.entries ?? []), seq];
}

const addressed = /^(?:https?:\/\/[^/?]*)?\/(?:s|_control\/v1\/sandboxes)\/([^/?]+)/i;
const sandboxPrefix = /^\/s\/[^/]+/;

function addressedSandbox(url: string): string {
  return addressed.exec(url)?.[1] ?? defaultSandboxId;
}

/** Adds what is known of the caller of a request to its log entry. */
export function noteCaller(response: ServerResponse, caller: Partial<RequestCaller>): void {
  const { locals } = response as { readonly locals?: Response['locals'] };
  const entry = locals?.['logged'] as Entry | undefined;
  if (entry !== undefined) Object.assign(entry, caller);
}

/** Copies a text. A part of a text would keep the whole URL in memory, including the secrets of its query. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/** Truncates a path. Tokens are removed first, because the beginning of a token is not recognized. */
function truncatePath(path: string): string {
  return redactTokens(path).slice(0, pathCharactersMax);
}

const controlUser = /^\/_control\/v1\/sandboxes\/[^/]+\/users\/([^/]+)/i;

/** Adds the user in a path of the control API and the lookup account to a request, and removes tokens from its path. */
function showCaller(entry: Entry): LoggedRequest {
  const path = redactTokens(entry.path);
  return { ...entry, path, userId: getUserId(entry), client: entry.client ?? entry.lookup?.caller ?? null };
}

function getUserId({ userId, path }: Entry): string | null {
  const named = userId ?? controlUser.exec(path)?.[1] ?? null;
  if (userId !== null || named === null) return userId;
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}

function createMatcher({
  path,
  status,
  user,
  control = true,
  administration = false,
}: RequestFilter): (entry: Entry) => boolean {
  const beginning = path?.toLowerCase();
  const wantedUser = user?.toLowerCase();
  const digits = status?.toLowerCase().replaceAll('x', '');
  return (entry) =>
    (beginning === undefined || beginsWith(entry.path.toLowerCase(), beginning)) &&
    (digits === undefined || String(entry.status ?? '').startsWith(digits)) &&
    (wantedUser === undefined || getUserId(entry)?.toLowerCase() === wantedUser) &&
    (control || !entry.path.startsWith(sharedPath)) &&
    (!administration || administrationPath.test(entry.path));
}

/** Paths of the policy API and the directory API, with or without the prefix of a sandbox. */
const administrationPath = /^(?:\/s\/[^/]+)?\/(?:v1\.0|beta)(?:\/|$)/i;

/** Start of the paths that belong to no sandbox. */
const sharedPath = '/_';

/** Returns `true` if the path starts with a prefix, either as sent or without the sandbox prefix. */
function beginsWith(path: string, beginning: string): boolean {
  return path.startsWith(beginning) || path.replace(sandboxPrefix, '').startsWith(beginning);
}
