import { Agent, request } from 'undici';
import { plainScript } from './install-peers.ts';
import { atLeast, atRate, type BenchRow, mainFile, median, pairedAtLeast, startServer, withinTime } from './measure.ts';
import { type Answer, PageClient, redirectUri, type Times } from './page-client.ts';

/** Number of clients that sign in concurrently. */
const clients = 4;
const rounds = 3;
const journeysEach = 60;
const warmUpEach = 25;
/** Number of page-free flows per client in a round. */
const flowsEach = 150;

const journeysPerSecondBar = 150;
const journeyMsBar = 30;
const pageMsBar = 5;
/**
 * Target of the ratio. The mock server adds a journal, rules, faults and anti-forgery tokens to the same library.
 */
const bareBar = 0.5;

/** Completes eight pages as a user: authorize, username, password, second factor, nudge, skip, code, token. */
async function ourJourney(browser: PageClient, user: string): Promise<void> {
  const authorized = await browser.authorize('/oauth2/authorize');
  await browser.page('GET', authorized.location);
  let displayed = await browser.page('POST', authorized.location, { username: `${user}@example.test` });
  for (const fields of [
    { action: 'password', password: 'correct horse' },
    { action: 'code', code: '123456' },
  ]) {
    displayed = await browser.page('POST', parseAction(displayed), { formToken: parseToken(displayed), ...fields });
  }
  if (!displayed.text.includes('data-page="prompt"'))
    throw new Error(`No prompt: ${displayed.status} ${displayed.text.slice(0, 200)}`);
  const skipped = await browser.page('POST', parseAction(displayed), {
    formToken: parseToken(displayed),
    action: 'skip',
  });
  await browser.redeem('/oauth2/token', await browser.page('GET', skipped.location));
}

/**
 * Completes authorize, username, consent, code and token at the bare provider: also eight pages, four of them
 * redirects.
 */
async function bareJourney(browser: PageClient, user: string): Promise<void> {
  const authorized = await browser.authorize('/auth');
  await browser.page('GET', authorized.location);
  const named = await browser.page('POST', authorized.location, { prompt: 'login', login: user, password: 'any' });
  const asking = await browser.page('GET', named.location);
  await browser.page('GET', asking.location);
  const agreed = await browser.page('POST', asking.location, { prompt: 'consent' });
  await browser.redeem('/token', await browser.page('GET', agreed.location));
}

/** Maximum number of consecutive redirects. */
const redirectsMax = 8;

/** Runs authorize, code and token for a signed-in browser, or on a server without a sign-in page. */
async function codeFlow(browser: PageClient, { authorize, token }: Endpoints): Promise<void> {
  let answer = await browser.authorize(authorize);
  for (let count = 0; count < redirectsMax && !answer.location.startsWith(redirectUri); count += 1) {
    if (answer.location === '') throw new Error(`No code: ${answer.status} ${answer.text.slice(0, 200)}`);
    answer = await browser.page('GET', answer.location);
  }
  await browser.redeem(token, answer);
}

interface Endpoints {
  readonly authorize: string;
  readonly token: string;
}

const ourEndpoints: Endpoints = { authorize: '/oauth2/authorize', token: '/oauth2/token' };
const mockEndpoints: Endpoints = { authorize: '/authorize', token: '/token' };

/** Runs code flows of several browsers concurrently and returns the flows per second. */
async function runFlows(browsers: readonly PageClient[], endpoints: Endpoints): Promise<number> {
  const startMs = performance.now();
  await Promise.all(
    browsers.map(async (browser) => {
      for (let flow = 0; flow < flowsEach; flow += 1) await codeFlow(browser, endpoints);
    }),
  );
  return (browsers.length * flowsEach * 1000) / (performance.now() - startMs);
}

/**
 * Measures code flows of signed-in browsers against a mock server that signs in every user. `baseUrl` is that of the
 * sandbox.
 */
async function flowRow(baseUrl: string, users: readonly string[]): Promise<BenchRow> {
  const mock = await startServer([plainScript('mock-token-server')]);
  const dispatcher = new Agent({ connections: clients });
  try {
    const browsers = users.map(() => new PageClient(baseUrl, dispatcher, []));
    await Promise.all(browsers.map((browser, index) => ourJourney(browser, users[index] ?? '')));
    const others = users.map(() => new PageClient(mock.baseUrl, dispatcher, []));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const [one, other] = [await runFlows(browsers, ourEndpoints), await runFlows(others, mockEndpoints)];
      // The first round warms up both servers and is not counted.
      if (round < 0) continue;
      ours.push(one);
      theirs.push(other);
    }
    const what = 'code flows of browsers that are signed in against oauth2-mock-server';
    return atLeast(1, what, median(ours), median(theirs), 'flows/s');
  } finally {
    await dispatcher.close();
    await mock.stop();
  }
}

function parseAction({ text }: Answer): string {
  const address = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? '';
  return address.replaceAll('&amp;', '&').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

function parseToken({ text }: Answer): string {
  return /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

type Journey = (browser: PageClient, user: string) => Promise<void>;

/** Runs several journeys of each client concurrently and returns the journeys per second. */
async function runJourneys(journey: Journey, baseUrl: string, users: readonly string[], times: Times): Promise<number> {
  const dispatcher = new Agent({ connections: clients });
  const each = users.length / clients;
  try {
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (const user of users.slice(client * each, (client + 1) * each)) {
          const browser = new PageClient(baseUrl, dispatcher, times.pagesMs);
          const journeyStartMs = performance.now();
          await journey(browser, user);
          times.journeysMs.push(performance.now() - journeyStartMs);
        }
      }),
    );
    return (users.length * 1000) / (performance.now() - startMs);
  } finally {
    await dispatcher.close();
  }
}

/**
 * Measures whole sign-in journeys of an application. Each server runs in a separate process and four clients in this
 * one.
 */
export async function benchJourneys(): Promise<readonly BenchRow[]> {
  const server = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const bare = await startServer([plainScript('bare-provider')]);
  try {
    const users = Array.from(
      { length: clients * (rounds * journeysEach + warmUpEach + 1) },
      (_, index) => `user-${index}`,
    );
    const baseUrl = await createSandbox(server.controlUrl, users);
    const times: Times = { journeysMs: [], pagesMs: [] };
    const ignored: Times = { journeysMs: [], pagesMs: [] };
    const warmUp = users.splice(0, clients * warmUpEach);
    await runJourneys(ourJourney, baseUrl, warmUp, ignored);
    await runJourneys(bareJourney, bare.baseUrl, warmUp, ignored);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const some = users.splice(0, clients * journeysEach);
      ours.push(await runJourneys(ourJourney, baseUrl, some, times));
      theirs.push(await runJourneys(bareJourney, bare.baseUrl, some, ignored));
    }
    const perSecond = median(ours);
    return [
      atRate(journeysPerSecondBar, 'whole journeys by HTTP, 4 clients', perSecond, 'journeys/s'),
      bounded('a journey, median', median(times.journeysMs), journeyMsBar),
      bounded('a page of it, median', median(times.pagesMs), pageMsBar),
      pairedAtLeast(
        bareBar,
        'the same against name and consent of a bare oidc-provider',
        { ours, theirs },
        'journeys/s',
      ),
      await flowRow(baseUrl, users),
    ];
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
  }
}

/** Creates a sandbox whose campaign prompts all given users, and returns its URL. */
async function createSandbox(controlUrl: string, users: readonly string[]): Promise<string> {
  const campaign = {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
  };
  const made = await request(`${controlUrl}/sandboxes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'bench', tenant: { campaign }, users: users.map((id) => ({ id })) }),
  });
  return ((await made.body.json()) as { baseUrl: string }).baseUrl;
}

function bounded(what: string, ours: number, bar: number): BenchRow {
  return withinTime(bar, what, ours, 'ms');
}
