import { onTestFinished } from 'vitest';
import type { JournalStore } from '../../src/journal/store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { startServer } from '../../src/server/start.ts';
import { readPage } from './labelled-page.ts';

/** Email address of the lookup account under attack. */
export const email = 'free@example.test';
/** Password of every user in these tests. */
export const right = 'correct horse';

/** Starts a server on a store, with the requests of an attacker. */
export async function serverOn(store: JournalStore) {
  const sandboxes = await Sandboxes.open(store);
  if (!(await sandboxes.exists('default'))) {
    const clients = [{ id: 'job', kind: 'service' as const, secret: 'right-secret' }];
    const plan = planSandbox({ users: [{ id: 'ada' }], clients, clock: { nowMs: 1_772_600_767_000, running: false } });
    await sandboxes.create('default', plan);
  }
  const server = await startServer({ sandboxes, port: 0 });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await server.close();
    await sandboxes.close();
  };
  onTestFinished(close);
  const post = async (path: string, fields: Readonly<Record<string, string>>, cookie = '') => {
    const headers = { cookie };
    const response = await fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers,
      redirect: 'manual',
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await response.text(), cookies: response.headers.getSetCookie() };
  };
  return {
    sandboxes,
    close,
    lookupAccount: async (name: string, password: string) =>
      (await post('/lookup/tokens', { action: 'sign-in', email: name, password })).status,
    clientSecret: async (_name: string, secret: string) =>
      (await post('/oauth2/token', { grant_type: 'client_credentials', client_id: 'job', client_secret: secret }))
        .status,
    userPassword: async (_name: string, password: string) => {
      const begun = await post('/sign-in', { username: 'ada@example.test' });
      const form = readPage(begun.text).forms[0];
      const formToken = form?.fields.find(({ name }) => name === 'formToken')?.value ?? '';
      const cookie = begun.cookies.map((given) => given.split(';')[0]).join('; ');
      return (await post(form?.address ?? '', { formToken, action: 'password', password }, cookie)).status;
    },
  };
}

type Served = Awaited<ReturnType<typeof serverOn>>;

/** Values under attack, each with the correct value. */
export const ways = [
  ['lookupAccount', right],
  ['clientSecret', 'right-secret'],
  ['userPassword', right],
] as const;

/** Returns the statuses of repeated failed attempts. */
export async function guess(served: Served, way: (typeof ways)[number][0], times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push(await served[way](email, `wrong-${count}`));
  return statuses;
}

/** Creates the expected statuses of failed attempts. */
export const refused = (times: number) => new Array<number>(times).fill(401);
