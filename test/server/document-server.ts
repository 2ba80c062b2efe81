import { documentRequest } from '../../src/contract/document.schema.ts';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import type { DocumentRecord } from '../../src/journal/document-state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { heldToDocument } from './document-conformance.ts';

/** Description of a record in a test. The default is one page of text. */
type Given = Partial<Parameters<typeof documentRequest.parse>[0] & object>;

/** Server with two users, ada and bob, in its default sandbox. */
export class DocumentServer {
  readonly sandboxes: Sandboxes;
  readonly sandbox: Sandbox;
  readonly #server: RunningServer;
  readonly faults: unknown[];

  private constructor(sandboxes: Sandboxes, sandbox: Sandbox, server: RunningServer, faults: unknown[]) {
    this.sandboxes = sandboxes;
    this.sandbox = sandbox;
    this.#server = server;
    this.faults = faults;
  }

  static async start(): Promise<DocumentServer> {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const sandbox = await sandboxes.create(defaultSandboxId, planSandbox({ users: [{ id: 'ada' }, { id: 'bob' }] }));
    const faults: unknown[] = [];
    const server = await startServer({ sandboxes, port: 0, onFault: ({ error }) => faults.push(error) });
    return new DocumentServer(sandboxes, sandbox, server, faults);
  }

  get baseUrl(): string {
    return this.#server.baseUrl;
  }

  /** Adds a record, which is public by default. */
  add(given: Given = {}): Promise<DocumentRecord> {
    const pages = [{ content: 'A page of text' }];
    return this.sandbox.documents.add(
      documentRequest.parse({ title: 'A title', public: true, owner: 'ada', pages, ...given }),
    );
  }

  /** Returns the Authorization header of a user. */
  async bearer(user: string, permissions: readonly string[] = ['write:document']): Promise<Record<string, string>> {
    const { access_token } = await this.sandbox.tokens.issue({ user, permissions, expiresInSeconds: 31_536_000 });
    return { authorization: `Bearer ${access_token}` };
  }

  /** Sends a request to a URL or a path. Redirects are not followed. */
  ask(
    method: string,
    address: string,
    options: { readonly headers?: Record<string, string>; readonly body?: string | FormData } = {},
  ): Promise<Response> {
    const url = address.startsWith('http') ? address : `${this.baseUrl}${address}`;
    const answer = fetch(url, { method, redirect: 'manual', ...options });
    return answer.then((received) => heldToDocument(method, new URL(url).pathname, received));
  }

  /** Returns the JSON response of a GET request. */
  async json(address: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
    return (await (await this.ask('GET', address, { headers })).json()) as Record<string, unknown>;
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.sandboxes.close();
  }
}
