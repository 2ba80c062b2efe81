import type * as http from 'node:http';
import type * as https from 'node:https';
import { createRequire } from 'node:module';

/**
 * Parts of `node:http` that the server uses. They are loaded with `require`, because an import evaluates all exports,
 * and the HTTP client among them is slow to load. An import of the module anywhere in the server would remove this
 * benefit.
 */
const parts = createRequire(import.meta.url)('node:http') as typeof http;

/** Creates a server like `node:http`. */
export const createServer: typeof http.createServer = parts.createServer;

/** Maximum size of request headers in bytes. */
export const maxHeaderSize: number = parts.maxHeaderSize;

/** Status names by HTTP status code. */
export const statusNames: Readonly<Record<string, string | undefined>> = parts.STATUS_CODES;

/** Loads the client of `http:` or `https:`, which only servers that hand over requests need. */
export async function loadClient(protocol: string): Promise<Pick<typeof https, 'request' | 'Agent'>> {
  if (protocol === 'https:') return import('node:https');
  return { request: parts.request, Agent: parts.Agent } as unknown as Pick<typeof https, 'request' | 'Agent'>;
}
