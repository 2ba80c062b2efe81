import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { type RandomSource, randomSource } from '../../src/core/random.ts';
import { type Page, PageClient } from './page-client.ts';
import { SandboxAudit, sendJson } from './sandbox-audit.ts';
import { Served } from './served.ts';

/** Options of a load test with several servers on one database. */
export interface InstancesOptions {
  /** URL of the database. */
  readonly db: string;
  readonly instances: number;
  /** Number of sign-ins that have to end with a token. */
  readonly journeys: number;
  /** Number of servers that are killed during the test. A new server replaces each killed one. */
  readonly kills: number;
  readonly seed: number;
}

/** Observations of the clients. */
export interface InstancesSeen {
  readonly tokens: number;
  readonly acknowledged: number;
  /** Number of codes that were sent twice, to two servers concurrently. */
  readonly codesTwice: number;
  /** Responses other than the expected ones and 503. Responses of killed servers are not included. */
  readonly errors: readonly string[];
}

/** Id of the sandbox in which codes are sent twice. */
const codesId = 'codes';

const clients = 8;
const users = Array.from({ length: 6 }, (_, index) => `user-${index}`);
const redirectUri = 'http://localhost:9/callback';

const tenant = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};

/**
 * Signs in users of one sandbox, with each request sent to any of several servers, while servers are killed and
 * replaced. Compares everything acknowledged with the journal. Codes are exchanged at two servers concurrently, and
 * at most one exchange may succeed. Throws if anything is lost, duplicated or incorrect.
 */
export async function loadInstances(options: InstancesOptions): Promise<InstancesSeen> {
  const crowd = new Crowd(options);
  try {
    return await crowd.run();
  } finally {
    await crowd.end();
  }
}

class Crowd {
  readonly #options: InstancesOptions;
  readonly #random: RandomSource;
  readonly #agent = new Agent({ connections: clients * 2 });
  readonly #servers: Served[] = [];
  readonly #audit: SandboxAudit;
  readonly #errors: string[] = [];
  #killed = 0;
  #tokens = 0;
  #codesTwice = 0;

  constructor(options: InstancesOptions) {
    this.#options = options;
    this.#random = randomSource(options.seed);
    this.#audit = new SandboxAudit(`shared-${options.seed}`, users);
  }

  async run(): Promise<InstancesSeen> {
    const { db, instances, journeys, kills } = this.#options;
    this.#servers.push(...(await Promise.all(Array.from({ length: instances }, () => Served.start({ db })))));
    for (const id of [this.#audit.sandboxId, codesId]) {
      const body = { id, tenant, users: users.map((userId) => ({ id: userId })) };
      const { status } = await sendJson('POST', `${this.#any().controlUrl}/sandboxes`, body);
      if (status !== 201) throw new Error(`The sandbox was not made: ${status}.`);
    }
    const running = Promise.all(Array.from({ length: clients }, () => this.#client()));
    for (let kill = 1; kill <= kills; kill += 1) {
      while (this.#tokens < (journeys * kill) / (kills + 1)) await delay(5);
      await this.#replaceOne();
    }
    await running;
    for (const { controlUrl } of this.#servers) await this.#audit.check(controlUrl);
    const { acknowledged } = this.#audit;
    return { tokens: this.#tokens, acknowledged, codesTwice: this.#codesTwice, errors: this.#errors };
  }

  async end(): Promise<void> {
    await this.#agent.destroy();
    await Promise.all(this.#servers.map((server) => server.stop()));
  }

  #any(): Served {
    return this.#servers[Math.floor(this.#random() * this.#servers.length)] as Served;
  }

  async #replaceOne(): Promise<void> {
    const server = this.#any();
    this.#servers.splice(this.#servers.indexOf(server), 1);
    this.#killed += 1;
    await server.kill();
    this.#servers.push(await Served.start({ db: this.#options.db }));
  }

  /** Returns a dispatcher that sends each request to any of the servers, regardless of its URL. */
  #anywhere(): Dispatcher {
    return this.#agent.compose(
      (dispatch) => (options, handler) => dispatch({ ...options, origin: this.#any().baseUrl }, handler),
    );
  }

  async #client(): Promise<void> {
    const dispatcher = this.#anywhere();
    while (this.#tokens < this.#options.journeys) {
      const killed = this.#killed;
      try {
        // A reused code revokes its tokens, which the audit does not track.
        const twice = this.#random() < 0.4;
        await this.#journey(dispatcher, twice ? new SandboxAudit(codesId, users) : this.#audit, twice ? 2 : 1);
      } catch (error) {
        // A killed server no longer responds, and requests to other servers wait until its leases have expired.
        if (this.#killed === killed && this.#errors.length < 10) this.#errors.push(String(error));
        await delay(2);
      }
    }
  }

  async #journey(dispatcher: Dispatcher, audit: SandboxAudit, times: number): Promise<void> {
    const base = `http://localhost/s/${audit.sandboxId}`;
    const client = new PageClient(base, dispatcher);
    const press = async (type: string, action: string, fields: Readonly<Record<string, string>>): Promise<void> => {
      audit.asks(type, id);
      expected(await client.act(action, fields), 200);
      audit.heard(type, id);
    };
    const userId = users[Math.floor(this.#random() * users.length)] ?? '';
    const verifier = randomBytes(32).toString('base64url');
    const parameters = new URLSearchParams({
      client_id: 'test-public',
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'any',
    });
    const { location: begin } = expected(await client.get(`${base}/oauth2/authorize?${parameters}`), 303);
    expected(await client.get(begin), 200);
    audit.asks('signIn.started', userId);
    const { signInId: id } = expected(await client.post(begin, { username: `${userId}@example.test` }), 200);
    audit.heard('signIn.started', id);
    await press('password.accepted', 'password', { password: 'correct horse' });
    await press('mfa.completed', 'code', { code: '123456' });
    audit.asks('prompt.skipped', id);
    audit.asks('prompt.skipped', id);
    const second = this.#random() < 0.3 ? client.actUnseen('skip') : null;
    // It is awaited below; a failure before that must not count as unhandled.
    second?.catch(() => undefined);
    const { location } = expected(await client.act('skip'), 303);
    audit.heard('prompt.skipped', id);
    await second;
    const resumed = expected(await client.get(location), 303);
    const code = new URL(resumed.location).searchParams.get('code') ?? '';
    await this.#exchange(client, base, { code, verifier, times });
  }

  /**
   * Exchanges a code once, or twice concurrently at two servers. At most one of them issues tokens and the other
   * rejects it.
   */
  async #exchange(
    client: PageClient,
    base: string,
    { code, verifier, times }: { readonly code: string; readonly verifier: string; readonly times: number },
  ): Promise<void> {
    const form = {
      grant_type: 'authorization_code',
      client_id: 'test-public',
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    };
    const answers = await Promise.all(Array.from({ length: times }, () => client.post(`${base}/oauth2/token`, form)));
    const given = answers.filter(({ status }) => status === 200).length;
    if (given > 1) throw new Error(`The code ${code} was exchanged ${given} times.`);
    if (times === 2) this.#codesTwice += 1;
    if (given === 0) throw new Error(`No token: ${answers.map(({ status, text }) => `${status} ${text}`).join()}.`);
    this.#tokens += 1;
  }
}

function expected(page: Page, status: number): Page {
  if (page.status === status) return page;
  throw new Error(`${page.status} in place of ${status}: ${page.name} ${page.text.slice(0, 300)}`);
}
