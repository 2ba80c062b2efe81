import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { directoryPermissions } from '../../../src/contract/directory-api/access.ts';
import { defaultSandboxId } from '../../../src/core/default-sandbox.ts';
import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { planSandbox, type Sandbox, type SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import type { TokenRequest } from '../../../src/sandbox/token-service.ts';
import { directoryApi } from '../../../src/server/directory-api/directory-api.route.ts';
import { policyApi } from '../../../src/server/policy-api/policy-api.route.ts';

/** Response with its parsed body. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Body as text. */
  readonly text: string;
  /** Body as JSON; empty if it is not JSON. */
  readonly body: DirectoryBody;
}

interface DirectoryBody {
  readonly value?: readonly Readonly<Record<string, unknown>>[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly [name: string]: unknown;
}

/** Directory API and policy API as a server mounts them, with one sandbox. */
export class DirectoryServer {
  readonly #server: Server;
  readonly sandbox: Sandbox;
  #token: { readonly text: string; readonly atMs: number } | null = null;

  private constructor(server: Server, sandbox: Sandbox) {
    this.#server = server;
    this.sandbox = sandbox;
  }

  static async start(input: SandboxInput = {}): Promise<DirectoryServer> {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const sandbox = await sandboxes.create(defaultSandboxId, planSandbox(input));
    const app = express();
    const apis = [policyApi(sandboxes), directoryApi(sandboxes)];
    app.use(apis);
    app.use('/s/:sandbox', apis);
    const server = createServer(app);
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return new DirectoryServer(server, sandbox);
  }

  /** URL of the server without a slash at the end. */
  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Issues a token. By default it is one of an application with every permission. */
  async token(request: TokenRequest = { app: 'test', permissions: directoryPermissions }): Promise<string> {
    const { access_token } = await this.sandbox.tokens.issue(request);
    return access_token;
  }

  /** Sends a request. Without `authorization`, it carries a token with every permission. */
  async ask(path: string, { method = 'GET', headers = {}, body }: AskOptions = {}): Promise<Reply> {
    const token = await this.#validToken();
    const url = path.startsWith('http') ? path : `${this.url}${path}`;
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as DirectoryBody) : {},
    };
  }

  /** Returns a token that is valid at the virtual time, wherever the clock was set. */
  async #validToken(): Promise<string> {
    const nowMs = this.sandbox.clock.nowMs();
    const isValid = this.#token !== null && this.#token.atMs <= nowMs && nowMs < this.#token.atMs + 1_800_000;
    if (this.#token === null || !isValid) this.#token = { text: await this.token(), atMs: nowMs };
    return this.#token.text;
  }

  /** Returns the values of one property on a page. */
  async list(path: string, options: AskOptions & { readonly property?: string } = {}): Promise<readonly unknown[]> {
    const { status, body, text } = await this.ask(path, options);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return body.value?.map((row) => row[options.property ?? 'id']) ?? [];
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export const eventual = { ConsistencyLevel: 'eventual' };
