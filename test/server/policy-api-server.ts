import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { z } from 'zod';
import { policyDocument } from '../../src/contract/policy-openapi.ts';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { directoryApi } from '../../src/server/directory-api/directory-api.route.ts';
import { policyApi } from '../../src/server/policy-api/policy-api.route.ts';
import { enabledTenant } from '../sandbox/policy-sandbox.ts';

export const policyPath = '/v1.0/policies/authenticationmethodspolicy';

/** Policy API as a server mounts it, without other routes, with two sandboxes: the default one and `other`. */
export class PolicyServer {
  readonly #server: Server;
  readonly sandbox: Sandbox;
  readonly other: Sandbox;
  readonly faults: unknown[];

  private constructor(server: Server, sandbox: Sandbox, other: Sandbox, faults: unknown[]) {
    this.#server = server;
    this.sandbox = sandbox;
    this.other = other;
    this.faults = faults;
  }

  static async start(): Promise<PolicyServer> {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const plan = planSandbox({ tenant: enabledTenant() });
    const sandbox = await sandboxes.create(defaultSandboxId, plan);
    const other = await sandboxes.create('other', plan);
    const faults: unknown[] = [];
    const app = express();
    const api = policyApi(sandboxes, { onFault: ({ error }) => faults.push(error) });
    const others = directoryApi(sandboxes, { onFault: ({ error }) => faults.push(error) });
    app.use(api, others);
    app.use('/s/:sandbox', api, others);
    const server = createServer(app);
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return new PolicyServer(server, sandbox, other, faults);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Issues an access token of the default sandbox with write permission. */
  async token(): Promise<string> {
    const { access_token } = await this.sandbox.tokens.issue({
      permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
      roles: ['Authentication Policy Administrator'],
    });
    return access_token;
  }

  /** Sends a request with a valid token. A header with the value `null` is omitted. */
  async ask(
    method: string,
    options: {
      readonly path?: string;
      readonly headers?: Readonly<Record<string, string | null>>;
      readonly body?: string | Uint8Array<ArrayBuffer>;
    } = {},
  ): Promise<Response> {
    const { path = policyPath, body } = options;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const given = { authorization: `Bearer ${await this.token()}`, ...type, ...options.headers };
    const headers = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
    const request = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await fetch(`http://localhost:${this.port}${path}`, request);
    if (path.includes('/v1.0/')) await checkReply(method, path, response.clone());
    return response;
  }

  /** Sends a PATCH request with an object. */
  patch(body: unknown, headers: Readonly<Record<string, string | null>> = {}): Promise<Response> {
    return this.ask('PATCH', { body: JSON.stringify(body), headers });
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

const operations = policyDocument.paths['/policies/authenticationMethodsPolicy'];
const parsers = Object.fromEntries(
  Object.entries(policyDocument.components.schemas).map(([name, schema]) => [
    name,
    z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]),
  ]),
);

/** Validates a response against the OpenAPI document: status, headers and body. */
async function checkReply(method: string, path: string, response: Response): Promise<void> {
  const operation = method === 'GET' ? operations.get : method === 'PATCH' ? operations.patch : null;
  if (operation === null) return;
  const described = (operation.responses as Readonly<Record<string, { readonly headers?: object }>>)[response.status];
  if (described === undefined) throw new Error(`${method} answers ${response.status}, which is not described`);
  const missing = ['request-id', 'etag'].filter(
    (name) =>
      response.headers.has(name) !== Object.keys(described.headers ?? {}).some((one) => one.toLowerCase() === name),
  );
  if (missing.length > 0) throw new Error(`${response.status} and its headers: ${missing.join(', ')}`);
  const text = await response.text();
  if (text !== '')
    parsers[response.status !== 200 ? 'Error' : path.includes('select') ? 'SelectedPolicy' : 'Policy']?.parse(
      JSON.parse(text),
    );
}
