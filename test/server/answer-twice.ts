import { request } from 'undici';
import type { RequestOptionsJson } from '../../src/authenticators/webauthn-json.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { holdingAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { listPasskeys } from './list-passkeys.ts';
import { appCampaign } from './site.ts';
import { Visitor } from './visitor.ts';

const button = 'Sign in with a passkey';
const synced = { passkeys: [{ type: 'keychain', deviceId: 'phone' }] };

/** Server with its sandboxes. */
export interface Instance {
  readonly sandboxes: Sandboxes;
  readonly server: RunningServer;
}

let instances: Instance[] = [];

/** Stops all started servers and closes their stores. */
export async function endServers(): Promise<void> {
  for (const { server, sandboxes } of instances) {
    await server.close();
    await sandboxes.close();
  }
  instances = [];
}

/** Starts a server on a store. */
export async function serverOn(store: JournalStore): Promise<Instance> {
  const sandboxes = await Sandboxes.open(store);
  const instance = { sandboxes, server: await startServer({ sandboxes, port: 0, publicHosts: ['localhost'] }) };
  instances.push(instance);
  return instance;
}

/** Returns a sandbox of one server, which is entered first if servers share it. */
function getSandbox({ sandboxes }: Instance): Promise<Sandbox> {
  return sandboxes.within('x', (sandbox) => sandbox);
}

/**
 * Signs in Ada with a synced passkey at the first server, then sends the same response to the second one. Synced
 * passkeys have no useful signature counter, so the second server must know that the challenge was used. The
 * arguments start the two servers. The servers listen on different ports, so the browser addresses both by the host
 * of a proxy. Returns the statuses of both servers, in the order of `acceptedOnce`.
 */
export async function answerTwice(first: () => Promise<Instance>, second: () => Promise<Instance>): Promise<number[]> {
  const one = await first();
  await one.sandboxes.create('x', planSandbox({ tenant: appCampaign, users: [{ id: 'ada', ...synced }] }));
  const sandbox = await getSandbox(one);
  const visitor = new Visitor(sandbox);
  await visitor.load();
  const passkeys = await one.sandboxes.within('x', (sandbox) => listPasskeys(sandbox, 'ada'));
  const authenticator = await holdingAuthenticator(passkeys);
  const answer = await authenticator.get(visitor.options<RequestOptionsJson>(button), { origin });
  const unused = await new Visitor(sandbox).load();
  const later = await authenticator.get(unused.options<RequestOptionsJson>(button), { origin });
  const statuses = [await send(one, answer), await send(one, answer)];
  const two = await second();
  statuses.push(await send(two, answer));
  // A challenge that the first server issued and that was never used is valid at the second: it does not reject
  // everything.
  statuses.push(await send(two, later), await send(two, later));
  return statuses;
}

/** Expected statuses, in request order, if no response is accepted twice. */
export const acceptedOnce = [200, 401, 401, 200, 401];

/** Origin that browsers use for all servers. */
const origin = 'http://localhost';

async function send({ server }: Instance, answer: object): Promise<number> {
  const { statusCode, body } = await request(`${server.baseUrl}/s/x/sign-in`, {
    method: 'POST',
    headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams({ action: 'passkey', credential: JSON.stringify(answer) }).toString(),
  });
  await body.text();
  return statusCode;
}
