import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { randomSource } from '../../src/core/random.ts';
import { type Page, PageClient } from './page-client.ts';
import { fetchJson, sendJson } from './sandbox-audit.ts';
import { Served } from './served.ts';

/** Options of a load of whole sign-ins. */
export interface LoadOptions {
  /** Value of `--db`. If omitted, the memory store is used. */
  readonly db?: string | undefined;
  readonly seconds: number;
  /** Number of sign-ins started per second, regardless of the progress of earlier ones. */
  readonly perSecond: number;
  readonly users: number;
  readonly seed: number;
  readonly heard?: (line: string) => void;
}

/** Results of a load. Times are in milliseconds and memory is in MiB. */
export interface LoadSeen {
  readonly journeys: number;
  readonly errors: readonly string[];
  readonly journeyMs: Percentiles;
  readonly pageMs: Percentiles;
  /** Peak memory of the server in the second quarter of the duration and in the last one, in MiB. */
  readonly residentMib: { readonly early: number; readonly late: number };
  /** Users whose nudge status differs from the acknowledged one. */
  readonly wrongStatuses: readonly string[];
  readonly snoozes: number;
}

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

const sandboxId = 'load';
const redirectUri = 'http://localhost:9/callback';
const connections = 64;
const errorsMax = 20;
/** Number of memory samples. */
const samples = 120;

const tenant = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
  },
};

/**
 * Loads a server with whole sign-ins of an application, from the authorization request to the token. Each starts at
 * its scheduled time, even if the server is overloaded. Every tenth skip is sent twice concurrently. Returns the
 * measurements, and the differences between all nudge statuses and the acknowledged ones.
 */
export async function loadJourneys(options: LoadOptions): Promise<LoadSeen> {
  const server = await Served.start({ db: options.db });
  const dispatcher = new Agent({ connections, pipelining: 1 });
  try {
    return await new Load(server, dispatcher, options).run();
  } finally {
    await dispatcher.destroy();
    await server.stop();
  }
}

class Load {
  readonly #server: Served;
  readonly #dispatcher: Agent;
  readonly #options: LoadOptions;
  readonly #journeysMs: number[] = [];
  readonly #pagesMs: number[] = [];
  readonly #errors: string[] = [];
  readonly #skips = new Map<string, number>();
  #baseUrl = '';

  constructor(server: Served, dispatcher: Agent, options: LoadOptions) {
    this.#server = server;
    this.#dispatcher = dispatcher;
    this.#options = options;
  }

  async run(): Promise<LoadSeen> {
    const { seconds, perSecond, seed, heard = () => undefined } = this.#options;
    await this.#create();
    const random = randomSource(seed);
    const running = new Set<Promise<void>>();
    const total = Math.ceil(seconds * perSecond);
    const startMs = performance.now();
    const residentMib: number[] = [];
    for (let number = 0; number < total; number += 1) {
      const dueMs = startMs + (number * 1_000) / perSecond;
      const aheadMs = dueMs - performance.now();
      if (aheadMs > 1) await delay(aheadMs);
      const userId = `user-${Math.floor(random() * this.#options.users)}`;
      const journey = this.#journey(userId, dueMs, random() < 0.1).finally(() => running.delete(journey));
      running.add(journey);
      if (number % Math.ceil(total / samples) === 0) residentMib.push(this.#server.residentMib());
      if (number % Math.ceil(perSecond * 30) === 0 && number > 0)
        heard(
          `${number} of ${total} sign-ins, ${running.size} in progress, ${this.#server.residentMib().toFixed(0)} MiB`,
        );
    }
    await Promise.all(running);
    residentMib.push(this.#server.residentMib());
    const quarter = residentMib.length / 4;
    const early = Math.max(...residentMib.slice(quarter, quarter * 2));
    const late = Math.max(...residentMib.slice(quarter * 3));
    const wrongStatuses = await this.#wrongStatuses();
    return {
      journeys: this.#journeysMs.length,
      errors: this.#errors,
      journeyMs: percentiles(this.#journeysMs),
      pageMs: percentiles(this.#pagesMs),
      residentMib: { early, late },
      wrongStatuses,
      snoozes: [...this.#skips.values()].reduce((sum, count) => sum + count, 0),
    };
  }

  async #create(): Promise<void> {
    const users = Array.from({ length: this.#options.users }, (_, index) => ({ id: `user-${index}` }));
    const { status, body } = await sendJson('POST', `${this.#server.controlUrl}/sandboxes`, {
      id: sandboxId,
      tenant,
      users,
    });
    if (status !== 201) throw new Error(`The sandbox was not made: ${status}.`);
    this.#baseUrl = (body as { baseUrl: string }).baseUrl;
  }

  async #journey(userId: string, dueMs: number, twice: boolean): Promise<void> {
    try {
      await this.#signIn(userId, twice);
      this.#journeysMs.push(performance.now() - dueMs);
    } catch (error) {
      if (this.#errors.length < errorsMax) this.#errors.push(`${userId}: ${error}`);
    }
  }

  async #signIn(userId: string, twice: boolean): Promise<void> {
    const client = new PageClient(this.#baseUrl, this.#dispatcher);
    const page = async (ask: () => Promise<Page>, expected: number): Promise<Page> => {
      const startMs = performance.now();
      const answer = await ask();
      this.#pagesMs.push(performance.now() - startMs);
      if (answer.status !== expected)
        throw new Error(`${answer.status} in place of ${expected}: ${answer.text.slice(0, 200)}`);
      return answer;
    };
    const verifier = randomBytes(32).toString('base64url');
    const parameters = new URLSearchParams({
      client_id: 'test-public',
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'load',
    });
    const { location: begin } = await page(() => client.get(`${this.#baseUrl}/oauth2/authorize?${parameters}`), 303);
    await page(() => client.get(begin), 200);
    await page(() => client.post(begin, { username: `${userId}@example.test` }), 200);
    await page(() => client.act('password', { password: 'correct horse' }), 200);
    const prompt = await page(() => client.act('code', { code: '123456' }), 200);
    if (prompt.name !== 'prompt') throw new Error(`The page is "${prompt.name}" and no prompt.`);
    const second = twice ? client.actUnseen('skip') : null;
    const skipped = await page(() => client.act('skip'), 303);
    await second;
    this.#skips.set(userId, (this.#skips.get(userId) ?? 0) + 1);
    const resumed = await page(() => client.get(skipped.location), 303);
    const token = await page(
      () =>
        client.post(`${this.#baseUrl}/oauth2/token`, {
          grant_type: 'authorization_code',
          client_id: 'test-public',
          redirect_uri: redirectUri,
          code: new URL(resumed.location).searchParams.get('code') ?? '',
          code_verifier: verifier,
        }),
      200,
    );
    if (!token.text.includes('"id_token"')) throw new Error('There is no id_token.');
  }

  /** Compares every nudge status with the acknowledged skips. */
  async #wrongStatuses(): Promise<readonly string[]> {
    const wrong: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const url: string = `${this.#server.controlUrl}/sandboxes/${sandboxId}/users?limit=1000${after === '' ? '' : `&after=${after}`}`;
      const { users, next } = (await fetchJson(url)) as {
        users: readonly { readonly id: string; readonly nudgeStatus: { readonly snoozes: number } }[];
        next: string | null;
      };
      for (const { id, nudgeStatus } of users) {
        const skips = this.#skips.get(id) ?? 0;
        if (nudgeStatus.snoozes !== skips)
          wrong.push(`${id} skipped ${skips} times and has ${nudgeStatus.snoozes} snoozes`);
      }
      after = next;
    }
    return wrong;
  }
}

function percentiles(figures: readonly number[]): Percentiles {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
