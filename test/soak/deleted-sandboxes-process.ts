import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { startServer } from '../../src/server/start.ts';
import { PageClient } from './page-client.ts';
import { sendJson } from './sandbox-audit.ts';

/**
 * Measures the memory of sandboxes and checks that nothing remains after their deletion. Requires `--expose-gc`. It
 * creates sandboxes, uses every API of each, and deletes them. It prints one line of JSON: the number of created
 * sandboxes, the number still reachable, and the heap bytes per sandbox after creation, use and deletion. `--hold`
 * retains one deliberately, as a leak would.
 */
const { values } = parseArgs({
  options: { sandboxes: { type: 'string', default: '40' }, hold: { type: 'boolean', default: false } },
});
const count = Number(values.sandboxes);
const turnsMax = 30;
const sandboxes = await Sandboxes.open(new MemoryStore());
const server = await startServer({ sandboxes, port: 0 });
const { controlUrl, baseUrl } = server;
const dispatcher = new Agent({ connections: 1 });
const refs: WeakRef<Sandbox>[] = [];
const held: Sandbox[] = [];

const tenant = {
  campaign: {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};
const clients = [{ id: 'job', kind: 'service', secret: 'job-secret', appRoles: ['Policy.Read.All'] }];
const reads = ['requests', 'journal', 'journal/counts', 'users', 'sign-ins', 'campaign', 'states', 'lookup/calls'];

async function collected(): Promise<number> {
  for (let time = 0; time < 5; time += 1) {
    // Responses and their timers finish in later turns of the event loop.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    (globalThis as unknown as { gc: () => void }).gc();
  }
  return process.memoryUsage().heapUsed;
}

async function got(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

async function make(id: string): Promise<void> {
  const { status, body } = await sendJson('POST', `${controlUrl}/sandboxes`, {
    id,
    tenant,
    users: [{ id: 'ada' }, { id: 'ben' }],
    clients,
  });
  if (status !== 201) throw new Error(`${id} was not made: ${status} ${JSON.stringify(body)}`);
}

/** Uses each API of a sandbox once, so all lazily created objects exist. */
async function use(id: string): Promise<void> {
  const url = `${controlUrl}/sandboxes/${id}`;
  const face = `${baseUrl}/s/${id}`;
  const app = { app: 'leaks', permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'] };
  const { access_token: token } = (await sendJson('POST', `${url}/tokens`, app)).body as { access_token: string };
  await got(`${face}/v1.0/policies/authenticationmethodspolicy`, { authorization: `Bearer ${token}` });
  await got(`${face}/api/v2/?type=email&query=ada@example.test&tool=all`, { authorization: 'Bearer test-token' });
  await sendJson('POST', `${url}/documents`, { title: 'Open', public: true, pages: [{ content: 'A page of text' }] });
  await got(`${face}/api/v1/document/`);
  await got(`${face}/api/v1/page/?q=text`);
  const discovered = JSON.parse(await got(`${face}/.well-known/openid-configuration`)) as { token_endpoint: string };
  const parameters = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'job',
    client_secret: 'job-secret',
  });
  const answered = await fetch(discovered.token_endpoint, { method: 'POST', body: parameters });
  if (!answered.ok) throw new Error(`The token endpoint answered ${answered.status}: ${await answered.text()}`);
  await answered.text();
  const browser = new PageClient(face, dispatcher);
  await browser.begin('ada');
  await browser.act('password', { password: 'wrong' });
  await browser.act('password', { password: 'correct horse' });
  await browser.act('code', { code: '123456' });
  if ((await browser.act('skip')).status !== 200) throw new Error(`The prompt of ${id} was not skipped.`);
  const following = new AbortController();
  const stream = await fetch(`${url}/events`, { signal: following.signal });
  if (!stream.ok) throw new Error(`The stream of ${id} answered ${stream.status}.`);
  following.abort();
  for (const read of reads) await got(`${url}/${read}`);
  await sendJson('POST', `${url}/snapshot`, { name: 'here' });
  await sendJson('POST', `${url}/restore`, { name: 'here' });
}

await make('first');
await use('first');
await fetch(`${controlUrl}/sandboxes/first`, { method: 'DELETE' });
const ids = Array.from({ length: count }, (_, number) => `leak-${number}`);
const before = await collected();
for (const id of ids) await make(id);
const made = await collected();
for (const id of ids) await use(id);
const used = await collected();
for (const id of ids) refs.push(new WeakRef(sandboxes.get(id)));
if (values.hold) held.push(sandboxes.get(ids[0] ?? ''));
for (const id of ids) {
  const { status } = await fetch(`${controlUrl}/sandboxes/${id}`, { method: 'DELETE' });
  if (status !== 204) throw new Error(`${id} was not removed: ${status}`);
}
// A connection retains its previous request until the next one arrives, and an aborted connection retains it until
// the system reports its end. Objects that are still reachable after this number of turns are leaks.
const reachable = (): number => refs.filter((ref) => ref.deref() !== undefined).length;
let gone = before;
for (let time = 0; time < turnsMax && (time < 4 || reachable() > 0); time += 1) {
  await got(`${controlUrl}/health`);
  gone = await collected();
}
const each = (bytes: number): number => Math.round((bytes - before) / count);
process.stdout.write(
  `${JSON.stringify({
    made: refs.length,
    reachable: reachable(),
    bytesMade: each(made),
    bytesUsed: each(used),
    bytesGone: each(gone),
  })}\n`,
);
await dispatcher.close();
await server.close();
await sandboxes.close();
if (held.length > 1) throw new RangeError('One at most is held.');
