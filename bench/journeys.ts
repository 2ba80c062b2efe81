import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { type BenchRow, mainFile, median, startServer } from './measure.ts';

/** Clients that sign in side by side, and how many journeys each makes after it has warmed up. */
const clients = 4;
const journeysEach = 150;
const warmUpEach = 25;

const journeysPerSecondBar = 150;
const journeyMsBar = 30;
const pageMsBar = 5;

/** The address that the application is called back at; nobody listens there, the redirect is read. */
const redirectUri = 'http://localhost:9/callback';

/** One page or answer of a journey. */
interface Answer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

interface Times {
  readonly journeysMs: number[];
  readonly pagesMs: number[];
}

/** One browser with an application behind it: cookies by name, as all of them belong to one host. */
class JourneyClient {
  readonly #baseUrl: string;
  readonly #dispatcher: Agent;
  readonly #cookies = new Map<string, string>();

  constructor(baseUrl: string, dispatcher: Agent) {
    this.#baseUrl = baseUrl;
    this.#dispatcher = dispatcher;
  }

  /** Authorize, name, password, second factor, nudge, skip, code, token. Takes the user and where times are noted. */
  async run(user: string, { journeysMs, pagesMs }: Times): Promise<void> {
    this.#cookies.clear();
    const startMs = performance.now();
    const page = async (method: 'GET' | 'POST', url: string, form?: Record<string, string>): Promise<Answer> => {
      const pageStartMs = performance.now();
      const answer = await this.#send(method, url, form);
      pagesMs.push(performance.now() - pageStartMs);
      return answer;
    };
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: 'test-public',
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'bench',
    });
    const authorized = await page('GET', `${this.#baseUrl}/oauth2/authorize?${query}`);
    await page('GET', authorized.location);
    let shown = await page('POST', authorized.location, { username: `${user}@example.test` });
    for (const fields of [
      { action: 'password', password: 'correct horse' },
      { action: 'code', code: '123456' },
    ]) {
      shown = await page('POST', actionOf(shown), { formToken: tokenOf(shown), ...fields });
    }
    if (!shown.text.includes('data-page="prompt"'))
      throw new Error(`No prompt: ${shown.status} ${shown.text.slice(0, 200)}`);
    const skipped = await page('POST', actionOf(shown), { formToken: tokenOf(shown), action: 'skip' });
    const resumed = await page('GET', skipped.location);
    const code = new URL(resumed.location).searchParams.get('code') ?? '';
    const token = await page('POST', `${this.#baseUrl}/oauth2/token`, {
      grant_type: 'authorization_code',
      client_id: 'test-public',
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    });
    if (!token.text.includes('"id_token"')) throw new Error(`No token: ${token.status} ${token.text}`);
    journeysMs.push(performance.now() - startMs);
  }

  async #send(method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<Answer> {
    const { statusCode, headers, body } = await request(new URL(path, this.#baseUrl), {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    });
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = cookie.slice(0, cookie.indexOf(';')).split(/=(.*)/s);
      this.#cookies.set(name, value);
    }
    return { status: statusCode, location: String(headers['location'] ?? ''), text: await body.text() };
  }
}

function actionOf({ text }: Answer): string {
  const address = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? '';
  return address.replaceAll('&amp;', '&').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

function tokenOf({ text }: Answer): string {
  return /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Whole journeys of an application's users: the server in a process of its own, four clients in this one. */
export async function benchJourneys(): Promise<readonly BenchRow[]> {
  const server = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const dispatcher = new Agent({ connections: clients });
  try {
    const users = Array.from({ length: clients * (journeysEach + warmUpEach) }, (_, index) => ({
      id: `user-${index}`,
    }));
    const campaign = {
      state: 'enabled',
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
    };
    const made = await request(`${server.controlUrl}/sandboxes`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'bench', tenant: { campaign }, users }),
    });
    const { baseUrl } = (await made.body.json()) as { baseUrl: string };
    const each = async (first: number, count: number, times: Times) => {
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          const browser = new JourneyClient(baseUrl, dispatcher);
          for (let index = 0; index < count; index += 1) {
            await browser.run(`user-${first + client * count + index}`, times);
          }
        }),
      );
    };
    await each(0, warmUpEach, { journeysMs: [], pagesMs: [] });
    const times: Times = { journeysMs: [], pagesMs: [] };
    const startMs = performance.now();
    await each(clients * warmUpEach, journeysEach, times);
    const perSecond = (clients * journeysEach * 1000) / (performance.now() - startMs);
    const journeyMs = median(times.journeysMs);
    const pageMs = median(times.pagesMs);
    return [
      {
        what: 'whole journeys by HTTP, 4 clients',
        ours: perSecond,
        theirs: null,
        unit: 'journeys/s',
        ratio: null,
        bar: `≥ ${journeysPerSecondBar}`,
        reached: perSecond >= journeysPerSecondBar,
      },
      bounded('a journey, median', journeyMs, journeyMsBar),
      bounded('a page of it, median', pageMs, pageMsBar),
    ];
  } finally {
    await dispatcher.close();
    await server.stop();
  }
}

function bounded(what: string, ours: number, bar: number): BenchRow {
  return { what, ours, theirs: null, unit: 'ms', ratio: null, bar: `< ${bar} ms`, reached: ours < bar };
}
