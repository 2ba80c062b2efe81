import type * as http from 'node:http';
import { createRequire } from 'node:module';

/**
 * What the server uses of `node:http`. It is required, since an import reads all that the module exports: among it are the parts
 * of a client, which take longer to load than everything else of it. Anyone who imports it anywhere in the server undoes that.
 */
const parts = createRequire(import.meta.url)('node:http') as typeof http;

/** Makes a server as `node:http` does. */
export const createServer: typeof http.createServer = parts.createServer;

/** Bytes that the head of a request may have. */
export const maxHeaderSize: number = parts.maxHeaderSize;

/** The names of statuses by their numbers. */
export const statusNames: Readonly<Record<string, string | undefined>> = parts.STATUS_CODES;
