import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { type RandomSource, randomSource } from '../../src/core/random.ts';
import { PageClient } from './page-client.ts';
import { SandboxAudit, sendJson } from './sandbox-audit.ts';
import { Served, type ServedOptions } from './served.ts';

/** Options of kill cycles: store, number of cycles and progress output. */
export interface KillOptions {
  /** Value of `--db`. */
  readonly db: string;
  readonly cycles: number;
  readonly seed: number;
  /** Number of servers on the store. With several servers, one is killed halfway and the others continue. */
  readonly servers?: number;
  /** Callback that receives one progress line per cycle. */
  readonly heard?: (line: string) => void;
}

/** Results of the cycles. */
export interface Killed {
  readonly cycles: number;
  readonly acknowledged: number;
  /** Number of cycles with a full disk. The next field counts the responses that reported it. */
  readonly fullDisks: number;
  readonly refusedOnFullDisk: number;
}

const clients = 6;
/** Maximum number of times to wait for a cycle, 10 ms each. */
const waitsMax = 6_000;
const users = Array.from({ length: 9 }, (_, index) => `user-${index}`);

/** Interval of cycles in which the disk fills up before the process is killed: every tenth. */
const fullDiskEvery = 10;
/** Minimum free space on the full disk, in KiB. */
const roomKib = 96;

/** Tenant that prompts all users at every sign-in with unlimited snoozes. Its clock is frozen. */
const tenant = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};

/**
 * Kills a server under load repeatedly, restarts it on the same store, and compares everything acknowledged with the
 * journals of the new sandbox in each cycle and of the previous one. Throws at the first lost or duplicated entry.
 */
export async function killCycles({
  db,
  cycles,
  seed,
  servers = 1,
  heard = () => undefined,
}: KillOptions): Promise<Killed> {
  const random = randomSource(seed);
  const sums = { cycles, acknowledged: 0, fullDisks: 0, refusedOnFullDisk: 0 };
  let before: SandboxAudit | null = null;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const fills = cycle % fullDiskEvery === fullDiskEvery - 1 && !db.includes('://');
    const audit = new SandboxAudit(`cycle-${seed}-${cycle}`, users);
    const room = fills ? { fileKibMax: largestKib(db) + roomKib + Math.floor(random() * 256) } : {};
    const crowd = new Crowd(audit, before, random);
    const { refused } = await crowd.loadAndKill({ db, ...room }, servers);
    await checkAll(db, [audit, before]);
    if (fills) {
      sums.fullDisks += 1;
      sums.refusedOnFullDisk += refused;
    }
    sums.acknowledged += audit.acknowledged;
    heard(
      `cycle ${cycle + 1} of ${cycles}: ${audit.acknowledged} writes acknowledged, none lost${fills ? ', disk full' : ''}`,
    );
    before = audit;
  }
  return sums;
}

/** Opens the store as the next process would, and compares it with the audits. */
async function checkAll(db: string, audits: readonly (SandboxAudit | null)[]): Promise<void> {
  const server = await Served.start({ db });
  try {
    for (const audit of audits) await audit?.check(server.controlUrl);
  } finally {
    await server.stop();
  }
}

function largestKib(db: string): number {
  const bytes = [db, `${db}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return Math.ceil(Math.max(...bytes) / 1_024);
}

/**
 * Clients that sign in repeatedly until their server is killed, in a new sandbox and in that of the previous cycle.
 */
class Crowd {
  readonly #audit: SandboxAudit;
  readonly #before: SandboxAudit | null;
  readonly #random: RandomSource;
  #refused = 0;
  #isOver = false;

  constructor(audit: SandboxAudit, before: SandboxAudit | null, random: RandomSource) {
    this.#audit = audit;
    this.#before = before;
    this.#random = random;
  }

  /**
   * Loads servers and kills them. One of several servers is killed first. A full disk has to be reported before the
   * kill.
   */
  async loadAndKill(options: ServedOptions, count: number): Promise<{ readonly refused: number }> {
    const servers: Served[] = [];
    for (let index = 0; index < count; index += 1) servers.push(await Served.start(options));
    const [first] = servers;
    if (first === undefined) throw new RangeError('There has to be a server.');
    const dispatcher = new Agent({ connections: clients * 2 });
    await this.#create(first);
    const target = 20 + Math.floor(this.#random() * 400);
    const running = Array.from({ length: clients }, (_, index) =>
      this.#client(servers, index % 3 === 2 ? (this.#before ?? this.#audit) : this.#audit, dispatcher),
    );
    running.push(this.#administrator(first));
    const isFull = options.fileKibMax !== undefined;
    if (count > 1) {
      await this.#until(() => this.#audit.acknowledged >= target / 2, servers);
      const [dying] = servers.splice(Math.floor(this.#random() * servers.length), 1);
      // A quarter of the servers shut down on request instead, which also has to release their leases.
      await (this.#random() < 0.25 ? dying?.stop() : dying?.kill());
    }
    await this.#until(() => (isFull ? this.#refused >= clients * 3 : this.#audit.acknowledged >= target), servers);
    await delay(this.#random() * 30);
    this.#isOver = true;
    await Promise.all(servers.map((server) => server.kill()));
    await Promise.all(running);
    await dispatcher.destroy();
    return { refused: this.#refused };
  }

  async #until(reached: () => boolean, servers: readonly Served[]): Promise<void> {
    for (let waits = 0; !reached() && waits < waitsMax; waits += 1) {
      const ended = servers.find((server) => !server.runs);
      if (ended !== undefined) throw new Error(`A server ended by itself with ${ended.ending}.`);
      await delay(10);
    }
    if (!reached()) throw new Error('The servers have not done what was asked of them within a minute.');
  }

  async #create({ controlUrl }: Served): Promise<void> {
    const body = { id: this.#audit.sandboxId, tenant, users: users.map((id) => ({ id })) };
    const { status } = await sendJson('POST', `${controlUrl}/sandboxes`, body);
    if (status !== 201) throw new Error(`The sandbox was not made: ${status}.`);
  }

  async #client(servers: readonly Served[], audit: SandboxAudit, dispatcher: Agent): Promise<void> {
    while (!this.#isOver) {
      const server = servers[Math.floor(this.#random() * servers.length)];
      const client = new PageClient(`${server?.baseUrl}/s/${audit.sandboxId}`, dispatcher);
      try {
        await this.#journey(client, audit);
      } catch {
        // The process has ended or its disk is full. A request without a response was not acknowledged.
        if (!this.#isOver) await delay(1);
      }
    }
  }

  /** Runs one sign-in with one of the possible actions at its prompt. */
  async #journey(client: PageClient, audit: SandboxAudit): Promise<void> {
    const userId = users[Math.floor(this.#random() * users.length)] ?? '';
    audit.asks('signIn.started', userId);
    const { signInId: id } = this.#ok(await client.begin(userId));
    audit.heard('signIn.started', id);
    await this.#press(client, audit, ['password.accepted', id], 'password', { password: 'correct horse' });
    await this.#press(client, audit, ['mfa.completed', id], 'code', { code: '123456' });
    const does = this.#random();
    if (does < 0.5) await this.#press(client, audit, ['prompt.skipped', id], 'skip');
    else if (does < 0.65) await this.#skipTwice(client, audit, id);
    else if (does < 0.8) await this.#leave(client, audit, id);
    else if (does < 0.95) await this.#failToRegister(client, audit, id);
  }

  /** Submits the same form from two tabs concurrently. Both are sent, and one counts. */
  async #skipTwice(client: PageClient, audit: SandboxAudit, id: string): Promise<void> {
    audit.asks('prompt.skipped', id);
    audit.asks('prompt.skipped', id);
    const statuses = await Promise.all([client.actUnseen('skip'), client.actUnseen('skip')]);
    if (statuses.every((status) => status === 200)) audit.heard('prompt.skipped', id);
  }

  async #leave(client: PageClient, audit: SandboxAudit, id: string): Promise<void> {
    audit.asks('browser.closed', id);
    if ((await client.actUnseen('left')) === 204) audit.heard('browser.closed', id);
  }

  async #failToRegister(client: PageClient, audit: SandboxAudit, id: string): Promise<void> {
    await this.#press(client, audit, ['prompt.nextSelected', id], 'next');
    await this.#press(client, audit, ['setup.failed', id], 'fail');
    await this.#press(client, audit, ['errorScreen.skipped', id], 'skip-error');
  }

  async #press(
    client: PageClient,
    audit: SandboxAudit,
    [type, of]: readonly [string, string],
    action: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    audit.asks(type, of);
    this.#ok(await client.act(action, fields));
    audit.heard(type, of);
  }

  #ok<A extends { readonly status: number }>(answer: A): A {
    if (answer.status === 200) return answer;
    if (answer.status === 503) this.#refused += 1;
    throw new Error(`Answered with ${answer.status}.`);
  }

  /** Updates the policy repeatedly, each time with a unique value. */
  async #administrator({ baseUrl, controlUrl }: Served): Promise<void> {
    const { sandboxId } = this.#audit;
    const permissions = ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'];
    try {
      const { body } = await sendJson('POST', `${controlUrl}/sandboxes/${sandboxId}/tokens`, {
        app: 'audit',
        permissions,
      });
      const authorization = `Bearer ${(body as { access_token: string }).access_token}`;
      for (let update = 0; !this.#isOver; update += 1) {
        const id = `00000000-0000-4000-8000-${String(update).padStart(12, '0')}`;
        const campaign = { excludeTargets: [{ targetType: 'user', id }] };
        const patch = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
        this.#audit.asks('tenant.changed');
        const url = `${baseUrl}/s/${sandboxId}/v1.0/policies/authenticationmethodspolicy`;
        const { status } = await sendJson('PATCH', url, patch, { authorization });
        if (status === 200) this.#audit.heard('tenant.changed', id);
        await delay(5);
      }
    } catch {
      // The process has ended.
    }
  }
}
