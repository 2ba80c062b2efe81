import { request } from 'undici';
import type { RequestOptionsJson } from '../../src/authenticators/webauthn-json.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { holdingAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { heldBy } from './held-by.ts';
import { appCampaign } from './site.ts';
import { Visitor } from './visitor.ts';

const button = 'Sign in with a passkey';
const synced = { passkeys: [{ type: 'keychain', deviceId: 'phone' }] };

/** A server with the sandboxes that it serves. */
export interface Instance {
  readonly sandboxes: Sandboxes;
  readonly server: RunningServer;
}

let instances: Instance[] = [];

/** Ends all servers that were started, with their stores. */
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

/** A sandbox as one server holds it, entered where servers share it. */
function sandboxOf({ sandboxes }: Instance): Promise<Sandbox> {
  return sandboxes.within('x', (sandbox) => sandbox);
}

/**
 * Ada signs in by a synced passkey, whose counter tells nothing, at the first server; then the same answer is sent to the second
 * one, which must know the challenge as used. Takes what starts each. The servers answer at other ports, so the browser knows both
 * by the name of a proxy. Returns the statuses of both servers, in order: see `acceptedOnce`.
 */
export async function answerTwice(first: () => Promise<Instance>, second: () => Promise<Instance>): Promise<number[]> {
  const one = await first();
  await one.sandboxes.create('x', planSandbox({ tenant: appCampaign, users: [{ id: 'ada', ...synced }] }));
  const sandbox = await sandboxOf(one);
  const visitor = new Visitor(sandbox);
  await visitor.load();
  const passkeys = await one.sandboxes.within('x', (held) => heldBy(held, 'ada'));
  const authenticator = await holdingAuthenticator(passkeys);
  const answer = await authenticator.get(visitor.options<RequestOptionsJson>(button), { origin });
  const unused = await new Visitor(sandbox).load();
  const later = await authenticator.get(unused.options<RequestOptionsJson>(button), { origin });
  const statuses = [await send(one, answer), await send(one, answer)];
  const two = await second();
  statuses.push(await send(two, answer));
  // What was given by the one server and never used is good at the other: not everything is refused there.
  statuses.push(await send(two, later), await send(two, later));
  return statuses;
}

/** The statuses where no answer is accepted twice, in the order in which they are asked for. */
export const acceptedOnce = [200, 401, 401, 200, 401];

/** The origin that browsers know all servers by. */
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
