import { createHmac, generateKeySync } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import { requestLogMax } from '../core/limits.ts';
import type { AskedTool } from '../sandbox/lookup/lookup-engine.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** One request of the log. Values of the query are secrets of their users, so only a keyed hash of them is kept. */
export interface LoggedRequest {
  readonly method: string;
  /** The path as it was asked for, without the query. */
  readonly path: string;
  /** Equal for equal queries of one process; `null` without a query. */
  readonly queryHash: string | null;
  /** Status of the answer; `null` until there is one. */
  readonly status: number | null;
  /** Virtual time of the sandbox, in ms. */
  readonly atMs: number;
  /** Which tool of the lookup API was asked by whom; these words are no secrets. */
  readonly lookup?: AskedTool;
}

/** The requests of one sandbox that are still held, oldest first, and how many were dropped before them. */
export interface RequestList {
  readonly requests: readonly LoggedRequest[];
  readonly dropped: number;
}

type Entry = { -readonly [K in keyof LoggedRequest]: LoggedRequest[K] };

/** Longer paths are cut: nothing that answers has one. */
const pathCharactersMax = 256;
const queryHashCharacters = 16;

interface Ring {
  readonly entries: Entry[];
  /** How many were noted in all; the place of the next one follows from it. */
  noted: number;
}

/** A bounded ring of requests for each sandbox. It answers "how often was this asked", is never folded and may drop. */
export class RequestLog {
  readonly #rings = new Map<string, Ring>();
  readonly #key = generateKeySync('hmac', { length: 256 });
  readonly #requestsMax: number;

  /** Takes how many requests of one sandbox are held. */
  constructor(options: { readonly requestsMax?: number } = {}) {
    this.#requestsMax = options.requestsMax ?? requestLogMax;
  }

  /** Notes a request that has arrived. Takes its address with the query; returns the entry that waits for its status. */
  note(sandboxId: string, method: string, url: string, atMs: number): Entry {
    const ring = this.#ringOf(sandboxId);
    const queryAt = url.indexOf('?');
    const path = queryAt === -1 ? url : url.slice(0, queryAt);
    const entry: Entry = {
      method,
      path: path.length > pathCharactersMax ? path.slice(0, pathCharactersMax) : path,
      queryHash: queryAt === -1 ? null : this.#hashOf(url.slice(queryAt + 1)),
      status: null,
      atMs,
    };
    ring.entries[ring.noted % this.#requestsMax] = entry;
    ring.noted += 1;
    return entry;
  }

  /** The requests of a sandbox; only those whose path begins with `path`, whatever its case, when it is given. */
  requestsOf(sandboxId: string, query: { readonly path?: string | undefined } = {}): RequestList {
    const ring = this.#rings.get(sandboxId);
    if (ring === undefined) return { requests: [], dropped: 0 };
    const { entries, noted } = ring;
    const oldestAt = noted <= this.#requestsMax ? 0 : noted % this.#requestsMax;
    const held = [...entries.slice(oldestAt), ...entries.slice(0, oldestAt)];
    const beginning = query.path?.toLowerCase();
    return {
      requests: beginning === undefined ? held : held.filter(({ path }) => beginsWith(path.toLowerCase(), beginning)),
      dropped: Math.max(0, noted - this.#requestsMax),
    };
  }

  /** Forgets the requests of a sandbox that is gone. */
  forget(sandboxId: string): void {
    this.#rings.delete(sandboxId);
  }

  #ringOf(sandboxId: string): Ring {
    const known = this.#rings.get(sandboxId);
    if (known !== undefined) return known;
    const ring: Ring = { entries: [], noted: 0 };
    this.#rings.set(sandboxId, ring);
    return ring;
  }

  #hashOf(query: string): string {
    return createHmac('sha256', this.#key).update(query).digest('hex').slice(0, queryHashCharacters);
  }
}

/** Logs every request to a sandbox that exists, pages and APIs alike, under the sandbox that its address names. */
export function logRequests(sandboxes: Sandboxes, log: RequestLog): RequestHandler {
  return (request, response, next) => {
    const { method, originalUrl } = request;
    const id = addressedSandbox(originalUrl);
    if (sandboxes.has(id)) {
      const entry = log.note(id, method, originalUrl, sandboxes.get(id).clock.nowMs());
      response.locals['logged'] = entry;
      response.locals['sandboxId'] = id;
      response.once('finish', () => {
        entry.status = response.statusCode;
        if (!sandboxes.has(id)) log.forget(id);
      });
    } else log.forget(id);
    next();
  };
}

/** Adds to the entry of a request which tool was asked. */
export function noteLookup(response: Response, asked: AskedTool): void {
  const entry = response.locals['logged'] as Entry | undefined;
  if (entry !== undefined) entry.lookup = asked;
}

const addressed = /^(?:https?:\/\/[^/?]*)?\/(?:s|_control\/v1\/sandboxes)\/([^/?]+)/i;
const sandboxPrefix = /^\/s\/[^/]+/;

function addressedSandbox(url: string): string {
  return addressed.exec(url)?.[1] ?? defaultSandboxId;
}

/** A path may be asked for as it was sent, or as the sandbox sees it, without its prefix. */
function beginsWith(path: string, beginning: string): boolean {
  return path.startsWith(beginning) || path.replace(sandboxPrefix, '').startsWith(beginning);
}
