import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PostgresStore } from '../../src/journal/stores/postgres.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { createMark, markHeader } from '../../src/server/hand-over/hand-over-mark.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { setPostgres } from '../journal/set-postgres.ts';

const publicUrl = 'https://lab.example';
const policyPath = '/s/x/v1.0/policies/authenticationMethodsPolicy';
const root = join(import.meta.dirname, '..', '..');
const startMs = 60_000;

/** Sandbox whose campaign administrators may change. */
const plan = {
  tenant: {
    campaign: {
      state: 'enabled',
      snoozeDurationInDays: 1,
      enforceRegistrationAfterAllowedSnoozes: true,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
    },
  },
  users: [{ id: 'ada' }],
} as const;

interface Instance {
  readonly sandboxes: Sandboxes;
  readonly server: RunningServer;
  readonly url: string;
  /** Sandboxes in the log lines of its requests. */
  readonly logged: readonly (string | null)[];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('servers on one database that know their addresses', () => {
  const postgres = setPostgres();
  let address = '';
  let instances: Instance[] = [];

  /** Starts a server that states its URL, or another one. */
  async function begin(given?: string | null): Promise<Instance> {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const sandboxes = await Sandboxes.open(await PostgresStore.open(address));
    const advertise = given === undefined ? url : (given ?? undefined);
    const logged: (string | null)[] = [];
    const onAnswered = ({ sandbox }: { sandbox: string | null }): void => void logged.push(sandbox);
    const stated = advertise === undefined ? {} : { advertise };
    const server = await startServer({ sandboxes, port, publicUrl, onAnswered, ...stated });
    const instance = { sandboxes, server, url, logged };
    instances.push(instance);
    return instance;
  }

  beforeEach(async () => {
    address = await postgres.database();
  });
  afterEach(async () => {
    for (const { server, sandboxes } of instances) {
      await server.close();
      await sandboxes.close().catch(() => undefined);
    }
    instances = [];
  });

  async function tokenAt({ server }: Pick<Instance, 'server'>): Promise<string> {
    return tokenFrom(server.controlUrl);
  }

  /** Starts two servers. The first one has the lease of the sandbox `x`. */
  async function beginPair(stated?: string | null) {
    const [holder, other] = [await begin(stated), await begin()];
    await holder.sandboxes.create('x', planSandbox(plan));
    const token = await tokenAt(holder);
    const entered = [holder, other].map(({ sandboxes }) => vi.spyOn(sandboxes, 'enter'));
    const counts = () => entered.map(({ mock }) => mock.calls.length);
    return { holder, other, token, counts };
  }

  test('056: a request at any server is answered by the one that has the sandbox, with its headers and body', async () => {
    const { holder, other, token, counts } = await beginPair();
    const direct = await patchAt(holder.url, token, 3);
    const handed = await patchAt(other.url, token, 5, { 'client-request-id': 'own', prefer: 'return=representation' });
    expect(counts()).toEqual([2, 0]);
    expect([direct.status, handed.status]).toEqual([204, 200]);
    expect(handed.headers.get('client-request-id')).toBe('own');
    expect(handed.headers.get('preference-applied')).toBe('return=representation');
    expect(JSON.parse(handed.text)).toMatchObject(createPatch(5));
    const read = await getAt(other.url, token);
    expect([read.status, read.headers.get('etag')]).toEqual([200, handed.headers.get('etag')]);
    expect(await getAt(other.url, token, { 'if-none-match': read.headers.get('etag') ?? '' })).toMatchObject({
      status: 304,
      text: '',
    });
    expect(await getAt(other.url, 'wrong')).toMatchObject({ status: 401 });
    expect(counts()).toEqual([5, 0]);
    expect(other.logged).toEqual(['x', 'x', 'x', 'x']);
    expect(await countChanges(holder)).toBe(2);
  });

  test('056: a sign-in through both servers keeps its cookies and its state', async () => {
    const { holder, other, counts } = await beginPair();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const first = await fetch(`${other.url}/s/x/sign-in`, {
      method: 'POST',
      headers: form,
      body: `username=${encodeURIComponent('ada@example.test')}`,
    });
    const page = await first.text();
    expect(first.status).toBe(200);
    const cookie = first.headers.getSetCookie().map((one) => one.split(';')[0]);
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const formToken = /name="formToken" value="([^"]+)"/.exec(page)?.[1];
    const next = await request(`${holder.url}${action}`, {
      method: 'POST',
      headers: { ...form, cookie: cookie.join('; '), host: new URL(other.url).host },
      body: `formToken=${formToken}&action=password&password=correct+horse`,
    });
    // The cookie belongs to the host of the first request, which only that server accepts from clients.
    expect(next.statusCode).toBe(403);
    const answered = await fetch(`${other.url}${action}`, {
      method: 'POST',
      headers: { ...form, cookie: cookie.join('; ') },
      body: `formToken=${formToken}&action=password&password=correct+horse`,
    });
    expect([answered.status, /data-page="([^"]+)"/.exec(await answered.text())?.[1]]).not.toContain('password');
    expect(answered.status).toBe(200);
    expect(counts()[1]).toBe(0);
  });

  test.for([
    ['/s/x/sign-in', 'application/x-www-form-urlencoded'],
    ['/s/x/oauth2/token', 'application/x-www-form-urlencoded'],
    [policyPath, 'application/json'],
  ] as const)(
    'payload-too-large: a body above the limit that is handed over to %s is always answered',
    async ([path, type]) => {
      const { other, token } = await beginPair();
      const statuses: number[] = [];
      for (let sent = 0; sent < 25; sent += 1) {
        const { status } = await fetch(`${other.url}${path}`, {
          method: path === policyPath ? 'PATCH' : 'POST',
          headers: { 'content-type': type, authorization: `Bearer ${token}` },
          body: 'a'.repeat(3_000_000),
        });
        statuses.push(status);
      }
      expect(new Set(statuses)).toEqual(new Set([413]));
    },
  );

  test('056: without a stated address, the server takes the sandbox over as before', async () => {
    const { other, token, counts } = await beginPair(null);
    expect((await patchAt(other.url, token, 5)).status).toBe(204);
    expect(counts()).toEqual([0, 1]);
  });

  test('056: a server whose address cannot be reached loses the sandbox to the one that was asked', async () => {
    const { other, token, counts } = await beginPair(`http://localhost:${await freePort()}`);
    expect((await patchAt(other.url, token, 5)).status).toBe(204);
    expect(counts()).toEqual([0, 1]);
    expect(await countChanges(other)).toBe(1);
  });

  test('holder-lost: a server that stops responding is given up, and its sandbox is served by the one that was asked', {
    timeout: startMs,
  }, async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { other, token, counts } = await beginPair(`http://localhost:${(silent.address() as AddressInfo).port}`);
    const lost = await patchAt(other.url, token, 3);
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1']);
    expect(lost.text).toContain('before it answered');
    expect((await patchAt(other.url, token, 5)).status).toBe(204);
    expect(counts()).toEqual([0, 1]);
    expect(await countChanges(other)).toBe(1);
  });

  test('056: clients cannot forge a mark, and a marked request is not handed over again', async () => {
    const { other, token, counts } = await beginPair();
    const foreign = { host: 'evil.test', [markHeader]: 'forged' };
    const refused = await request(`${other.url}${policyPath}`, { headers: foreign });
    expect(refused.statusCode).toBe(403);
    expect((await getAt(other.url, token, { [markHeader]: 'forged' })).status).toBe(200);
    expect(counts()).toEqual([1, 0]);
    const secret = (await other.sandboxes.coordinator?.advertise(other.url)) ?? '';
    const marked = { target: other.url, method: 'GET', url: policyPath, host: new URL(other.url).host };
    expect((await getAt(other.url, token, { [markHeader]: createMark(secret, marked) })).status).toBe(200);
    expect(counts()).toEqual([1, 1]);
  });

  test('056: if the lease moves while a request is on its way, it is applied once', async () => {
    const { holder, other, token } = await beginPair();
    // The other server now knows who has the sandbox, and a third one takes it over.
    expect((await getAt(other.url, token)).status).toBe(200);
    const third = await begin();
    for (const day of [3, 5, 7, 9]) {
      await third.sandboxes.within('x', (sandbox) => sandbox.directory.user('ada'));
      expect((await patchAt(other.url, token, day)).status).toBe(204);
    }
    const both = await Promise.all([
      patchAt(other.url, token, 11),
      patchAt(third.url, token, 12),
      patchAt(holder.url, token, 13),
    ]);
    expect(both.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await countChanges(holder)).toBe(7);
  });

  test('056: a connection that the holder cuts on purpose is cut for the client as well', async () => {
    const { holder, other, token } = await beginPair();
    await holder.sandboxes.within('x', (sandbox) =>
      sandbox.faults.set([{ kind: 'connection-reset', endpoint: 'policy', times: 1, when: 'before-answer' } as never]),
    );
    await expect(getAt(other.url, token)).rejects.toThrow();
    expect((await getAt(other.url, token)).status).toBe(200);
  });

  test('holder-lost: if the holder is killed in the middle of a request, the client knows, and nothing is applied twice', {
    timeout: 2 * startMs,
  }, async () => {
    const other = await begin();
    const port = await freePort();
    const { url, awaitData, refuse } = await watchPort(port);
    const options = ['--port', String(port), '--advertise', url, '--public-url', publicUrl, '--db', address];
    const main = join(root, 'tooling', 'nudgelab.js');
    const child = spawn(process.execPath, [main, 'serve', '--json', '--frozen', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { controlUrl } = JSON.parse(line) as { controlUrl: string };
    const created = await fetch(`${controlUrl}/sandboxes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'x', ...plan }),
    });
    expect(created.status).toBe(201);
    const token = await tokenFrom(controlUrl);
    expect((await patchAt(other.url, token, 3)).status).toBe(204);
    child.kill('SIGSTOP');
    const arrived = awaitData();
    const killed = patchAt(other.url, token, 5);
    await arrived;
    refuse();
    child.kill('SIGKILL');
    const lost = await killed;
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1']);
    expect(lost.text).toContain('before it answered');
    expect((await patchAt(other.url, token, 7)).status).toBe(204);
    expect(await countChanges(other)).toBe(2);
  });
});

interface WatchedPort {
  readonly url: string;
  /** Resolves when a request has arrived. */
  readonly awaitData: () => Promise<void>;
  /** Refuses further connections, as the port of a killed server does. */
  readonly refuse: () => void;
}

/** Opens a port whose connections lead to another one. */
async function watchPort(port: number): Promise<WatchedPort> {
  const waiting: (() => void)[] = [];
  const proxy = createServer((socket) => {
    const target = connect(port, '127.0.0.1');
    socket.on('data', () => {
      for (const resolve of waiting.splice(0)) resolve();
    });
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
  });
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    awaitData: () => new Promise<void>((resolve) => waiting.push(resolve)),
    refuse: () => void proxy.close(),
  };
}

async function tokenFrom(controlUrl: string): Promise<string> {
  const response = await fetch(`${controlUrl}/sandboxes/x/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ app: 'test', permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'] }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

function createPatch(days: number) {
  const settings = { snoozeDurationInDays: days };
  return { registrationEnforcement: { authenticationMethodsRegistrationCampaign: settings } };
}

async function toRead(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function patchAt(url: string, token: string, days: number, headers: Readonly<Record<string, string>> = {}) {
  const authorization = `Bearer ${token}`;
  const response = await fetch(`${url}${policyPath}`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json', prefer: 'return=minimal', ...headers },
    body: JSON.stringify(createPatch(days)),
  });
  return toRead(response);
}

async function getAt(url: string, token: string, headers: Readonly<Record<string, string>> = {}) {
  return toRead(await fetch(`${url}${policyPath}`, { headers: { authorization: `Bearer ${token}`, ...headers } }));
}

/** Counts the changes of the policy in the journal. */
async function countChanges({ sandboxes }: Instance): Promise<number> {
  return sandboxes.within('x', async (sandbox) => {
    const entries = await sandbox.journal({ after: 0, limit: 1_000 });
    return entries.filter(({ event }) => event.type === 'tenant.changed').length;
  });
}
