import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { onTestFinished } from 'vitest';
import { controlDocument } from '../../src/contract/control-openapi.ts';
import { errorResponse } from '../../src/contract/control-responses.schema.ts';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { type ControlOptions, controlApi } from '../../src/server/control-api/control-api.route.ts';
import { logRequests, RequestLog } from '../../src/server/request-log.ts';
import { withoutReferences } from '../openapi-references.ts';
import { findMisfit } from '../schema-misfit.ts';

/** Response of the API. It is validated against the document before a test receives it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; the shape was checked against the document.
  readonly body: any;
}

export interface ControlServer {
  readonly sandboxes: Sandboxes;
  readonly requestLog: RequestLog;
  /** Base URL of the control API: `http://localhost:PORT/_control/v1`. */
  readonly controlUrl: string;
  /** Sends a request such as `POST /sandboxes`. A path with a leading dot is relative to the default sandbox. */
  ask(line: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

export interface ControlServerOptions extends Partial<ControlOptions> {
  /** Input that the default sandbox is created from. */
  readonly sandbox?: SandboxInput;
  readonly store?: JournalStore;
}

/** Serves the control API on a free port until the test ends, with a default sandbox whose clock is frozen. */
export async function serveControl(options: ControlServerOptions = {}): Promise<ControlServer> {
  const { sandbox = { users: [{ id: 'ada' }] }, store = new MemoryStore(), ...apiOptions } = options;
  const sandboxes = await Sandboxes.open(store);
  await sandboxes.create(defaultSandboxId, planSandbox(sandbox));
  const requestLog = new RequestLog();
  const app = express();
  app.use(logRequests(sandboxes, requestLog));
  app.use('/_control/v1', controlApi(sandboxes, { requestLog, ...apiOptions }));
  const server = createServer(app);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => closed(server, sandboxes));
  const controlUrl = `http://localhost:${(server.address() as AddressInfo).port}/_control/v1`;
  return { sandboxes, requestLog, controlUrl, ask: (line, body, headers) => ask(controlUrl, line, body, headers) };
}

async function closed(server: Server, sandboxes: Sandboxes): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
  await sandboxes.close();
}

async function ask(
  controlUrl: string,
  line: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method = '', address = ''] = line.split(' ');
  const path = address.replace(/^\./, `/sandboxes/${defaultSandboxId}`);
  const response = await fetch(`${controlUrl}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const reply = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
  checkReply(method, path.split('?')[0] ?? '', reply);
  return reply;
}

interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

const described = Object.entries(
  withoutReferences(controlDocument).paths as unknown as Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DescribedResponse>> }>>>
  >,
).map(([template, item]) => ({
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  item,
}));

/**
 * Validates a response against the document: the status is described, and the body matches the schema without extra
 * fields.
 */
function checkReply(method: string, path: string, reply: Reply): void {
  const item = described.find(({ pattern }) => pattern.test(path))?.item;
  const operation = item?.[method.toLowerCase()];
  if (operation === undefined) {
    errorResponse.parse(reply.body);
    return;
  }
  const response = operation.responses[String(reply.status)];
  if (response === undefined) throw new Error(`${method} ${path} answers ${reply.status}, which is not described.`);
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) {
    if (reply.body !== null) throw new Error(`${method} ${path} answers a body, and none is described.`);
  } else if (reply.status >= 400) errorResponse.parse(reply.body);
  else {
    const misfit = findMisfit(schema, reply.body);
    if (misfit !== null) throw new Error(`${method} ${path} answers what its schema forbids: ${misfit}`);
  }
}
