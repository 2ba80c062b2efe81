import { request } from 'undici';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, type Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start.ts';
import { readPage, type ShownPage } from './labelled-page.ts';

/** Response as a bare HTTP client receives it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Server on a free port with a default sandbox and a second one, both with the same users. */
export interface IdentityServer extends RunningServer {
  readonly sandboxes: Sandboxes;
  readonly sandbox: Sandbox;
  /** Sends a request without the headers that a browser would add. */
  ask(path: string, question?: Question): Promise<Answer>;
}

export const otherSandboxId = 'other';
export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

/** Creates a campaign that prompts all users to register a method. */
export function campaignFor(method: 'fido2' | 'vendorAuthenticator', settings: object = {}): object {
  const everybody = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method };
  return { campaign: { state: 'enabled', includeTargets: [everybody], ...settings } };
}

/** Users of the sandboxes. Ada has no snoozes, and Bob has used all of his. */
const people = [{ id: 'ada' }, { id: 'bob', snooze: { count: 3 } }];

/** Starts the server. Sandboxes that the store does not contain are created from the input with frozen clocks. */
export async function startIdentityServer(
  input: SandboxInput = {},
  options: Partial<ServerOptions> = {},
  store: JournalStore = new MemoryStore(),
): Promise<IdentityServer> {
  const sandboxes = await Sandboxes.open(store);
  const plan = planSandbox({ tenant: campaignFor('vendorAuthenticator'), users: people, ...input });
  for (const id of [defaultSandboxId, otherSandboxId]) if (!sandboxes.has(id)) await sandboxes.create(id, plan);
  const sandbox = sandboxes.get(defaultSandboxId);
  const server = await startServer({ port: 0, ...options, sandboxes });
  const ask = async (path: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Answer> => {
    const answer = await request(`${server.baseUrl}${path}`, {
      method,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  return { ...server, sandboxes, sandbox, ask, close: () => closeAll(server, sandboxes) };
}

async function closeAll(server: RunningServer, sandboxes: Sandboxes): Promise<void> {
  await server.close();
  await sandboxes.close();
}

/** Values that a bare client stores for a running sign-in. */
export interface OpenPrompt {
  readonly address: string;
  readonly cookie: string;
  readonly formToken: string;
}

/** Starts a sign-in of a user with a single request, in the sandbox with the given path prefix. */
export async function begin(server: IdentityServer, userId: string, prefix = ''): Promise<OpenPrompt> {
  const body = `username=${userId}@example.test`;
  const { headers, text } = await server.ask(`${prefix}/sign-in`, { method: 'POST', headers: formType, body });
  const form = readPage(text).forms[0];
  return {
    address: form?.address ?? '',
    cookie: String(headers['set-cookie']).split(';')[0] ?? '',
    formToken: form?.fields.find(({ name }) => name === 'formToken')?.value ?? '',
  };
}

/** Submits a form of a running sign-in with the given fields. */
export async function send(server: IdentityServer, form: OpenPrompt, fields: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ formToken: form.formToken, ...fields }).toString();
  return server.ask(form.address, { method: 'POST', headers: { ...formType, cookie: form.cookie }, body });
}

/** Signs in up to the first page after the second factor. */
export async function beginPrompt(server: IdentityServer, userId: string, prefix = ''): Promise<OpenPrompt> {
  const held = await begin(server, userId, prefix);
  await send(server, held, { action: 'password', password: 'correct horse' });
  await send(server, held, { action: 'code', code: '123456' });
  return held;
}

/** Parses the page of a response. */
export function pageIn(answer: Answer): ShownPage {
  return readPage(answer.text);
}

/** Returns the error code of an error page, or `null` if the page has none. */
export function errorCodeIn({ text }: Answer): string | null {
  return /data-error="([^"]+)"/.exec(text)?.[1] ?? null;
}
