import { request } from 'undici';
import { z } from 'zod';
import { lookupDocument } from '../../src/contract/lookup-openapi.ts';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, type Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';

/** Response of the lookup API. It is validated against the document before a test receives it. */
export interface LookupReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; the shape was checked against the document.
  readonly body: any;
}

export interface LookupQuestion {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path prefix of the sandbox, such as `/s/other`. */
  readonly prefix?: string;
  /** Allows a response that a fault may have altered. Only its outer structure is validated against the document. */
  readonly bent?: boolean;
}

/** Server whose default sandbox has a lookup service. */
export interface LookupSite extends RunningServer {
  readonly sandboxes: Sandboxes;
  readonly sandbox: Sandbox;
  /** Sends an unmodified query, with the test token unless the headers contain other credentials. */
  ask(query: string, question?: LookupQuestion): Promise<LookupReply>;
  close(): Promise<void>;
}

export const startedAtMs = Date.parse('2026-01-31T23:58:00.000Z');
export const good = 'type=email&query=ada@example.test&tool=quorvex';
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const basic = (email: string, password = 'correct horse') => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

/** Returns the quota headers of a response. */
export const quota = ({ headers }: LookupReply) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
});

/** Returns the monthly usage of the test token. */
export async function usedByTestToken(site: LookupSite): Promise<number> {
  const { body } = await site.ask('action=usage');
  return body.windows.find(({ name }: { name: string }) => name === 'month').used;
}

/** Starts a server with one sandbox, which is created from the given input in the given store. */
export async function startLookupSite(
  input: SandboxInput = {},
  store: JournalStore = new MemoryStore(),
): Promise<LookupSite> {
  const sandboxes = await Sandboxes.open(store);
  if (!sandboxes.has(defaultSandboxId)) {
    const clock = { nowMs: startedAtMs, running: false };
    await sandboxes.create(defaultSandboxId, planSandbox({ clock, ...input }));
  }
  const server = await startServer({ sandboxes, port: 0 });
  const close = async () => {
    await server.close();
    await sandboxes.close();
  };
  return {
    ...server,
    sandboxes,
    sandbox: sandboxes.get(defaultSandboxId),
    ask: (query, question = {}) => ask(server.baseUrl, query, question),
    close,
  };
}

async function ask(
  baseUrl: string,
  query: string,
  { method = 'GET', headers, prefix = '', bent = false }: LookupQuestion,
): Promise<LookupReply> {
  const {
    statusCode: status,
    headers: received,
    body,
  } = await request(`${baseUrl}${prefix}/api/v2/${query === '' ? '' : `?${query}`}`, {
    method: method as 'GET',
    headers: { ...(headers ?? bearer('test-token')) },
  });
  const text = await body.text();
  const reply = { status, headers: received, body: text === '' ? null : (JSON.parse(text) as unknown) };
  if (!bent && method !== 'HEAD') checkReply(reply);
  return reply;
}

const { schemas } = lookupDocument.components;
const parsers = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [
    name,
    z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]),
  ]),
);

/** Validates a response against the document: status, body and the related headers. */
function checkReply({ status, headers, body }: LookupReply): void {
  const described = lookupDocument.paths['/api/v2/'].get.responses as Readonly<
    Record<string, { readonly headers?: object }>
  >;
  const response = described[String(status)];
  if (response === undefined) throw new Error(`${status} is not described`);
  const allowed = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const extra = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit') && !allowed.includes(name));
  if (extra.length > 0) throw new Error(`${extra.join(', ')} is not described for ${status}`);
  if (headers['content-type'] !== 'application/json; charset=utf-8') throw new Error('the media type is another one');
  const name = status >= 400 ? 'Error' : 'results' in body ? 'Lookup' : 'tools' in body ? 'Tools' : 'Usage';
  parsers[name]?.parse(body);
  if (status >= 400 && body.code !== status) throw new Error('the code is not the status');
}
