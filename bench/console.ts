import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../src/scenario/drivers/browser/find-browser.ts';
import {
  type BenchRow,
  mainFile,
  median,
  residentMib,
  root,
  type StartedServer,
  startServer,
  stated,
  withinLimit,
  withinTime,
} from './measure.ts';

/**
 * Measures the console in the packaged headless browser: the time until its first view is usable, scrolling and
 * searching a list of a million users, the time until an event is displayed, and the size of the initial script. The
 * server runs in a separate process.
 */

/** Number of users that every server starts with. */
const usersOfFixtures = 5;
const firstViewUsers = 10_000;
const firstViewRounds = 7;
const firstViewMostMs = 1_000;
const listUsers = 1_000_000;
const jumps = 30;
const jumpMostMs = 500;
const searchMostMs = 100;
/** Names and parts of names that match many users, some users, one user or no user. */
const searches = ['ana', 'smith', 'user-', 'user-0777777', 'o', 'xqz', '.example', 'qu'];
const searchRounds = 5;
const eventsPerSecond = 100;
const eventSeconds = 10;
const eventMostMs = 200;
const scriptMostKb = 250;
const answerMostMs = 100;

/** Measures the rows of the console. */
export async function benchConsole(): Promise<readonly BenchRow[]> {
  const { executablePath, args } = await findBrowser(process.env);
  const browser = await chromium.launch({ executablePath, args: [...args] });
  try {
    return [
      ...(await withUsers(firstViewUsers, async (server) => [
        await firstView(browser, server),
        ...(await liveUpdates(browser, server)),
        await answersMeanwhile(server),
      ])),
      ...(await withUsers(listUsers, (server) => millionUsers(browser, server))),
      initialScript(),
    ];
  } finally {
    await browser.close();
  }
}

async function withUsers(
  users: number,
  measure: (server: StartedServer) => Promise<readonly BenchRow[]>,
): Promise<readonly BenchRow[]> {
  const server = await startServer([
    mainFile,
    'serve',
    '--port',
    '0',
    '--json',
    '--frozen',
    '--synthetic-users',
    String(users - usersOfFixtures),
  ]);
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}

/** Measures the time from opening the URL to an overview with its numbers, each time with an empty browser cache. */
async function firstView(browser: Browser, { baseUrl }: StartedServer): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < firstViewRounds; round += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const startMs = performance.now();
    await page.goto(`${baseUrl}/_console`);
    await page.getByRole('button', { name: '+1 day' }).waitFor();
    await page.getByRole('region', { name: 'Users', exact: true }).getByRole('listitem').first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    times.push(performance.now() - startMs);
    await context.close();
  }
  return below(
    firstViewMostMs,
    `first view of ${inWords(firstViewUsers)} users, from address to numbers`,
    median(times),
    'ms',
  );
}

/**
 * Measures the delay from sending an event to its appearance in the document, at 100 events per second, each with
 * its own user.
 */
async function liveUpdates(browser: Browser, { baseUrl, controlUrl }: StartedServer): Promise<readonly BenchRow[]> {
  const page = await browser.newPage();
  await page.goto(`${baseUrl}/_console`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate(watchUsers);
  const { users } = (await (await fetch(`${controlUrl}/sandboxes/default/users?limit=1000&search=user-`)).json()) as {
    users: readonly { readonly id: string }[];
  };
  const sentMs = new Map<string, number>();
  const answers: Promise<unknown>[] = [];
  const beginMs = Date.now();
  for (const { id } of users.slice(0, eventsPerSecond * eventSeconds)) {
    const dueMs = beginMs + (sentMs.size * 1_000) / eventsPerSecond;
    await pause(dueMs - Date.now());
    sentMs.set(id, Date.now());
    answers.push(
      fetch(`${controlUrl}/sandboxes/default/users/${id}/snooze`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '{"count":1}',
      }),
    );
  }
  await Promise.all(answers);
  await pause(1_000);
  const seenMs = new Map(await page.evaluate<[string, number][]>('[...globalThis.seenUsers]'));
  await page.close();
  const delays = [...sentMs].flatMap(([id, sent]) => (seenMs.has(id) ? [(seenMs.get(id) ?? 0) - sent] : []));
  const seen = delays.length / sentMs.size;
  return [
    below(eventMostMs, `from event to screen at ${eventsPerSecond} a second, p95`, percentile(delays, 0.95), 'ms'),
    stated('the same, events among the latest that are shown', seen * 100, '%'),
  ];
}

/** Page script that records when the id of a user first appears in the document. */
const watchUsers = `{
  globalThis.seenUsers = new Map();
  const note = () => {
    for (const link of document.querySelectorAll('main a[href*="/users/"]')) {
      const id = link.textContent;
      if (!globalThis.seenUsers.has(id)) globalThis.seenUsers.set(id, Date.now());
    }
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
}`;

/** Measures the longest response time while a forecast of a million users runs. */
async function answersMeanwhile({ controlUrl }: StartedServer): Promise<BenchRow> {
  const sandbox = `${controlUrl}/sandboxes/default`;
  const { description } = (await (await fetch(`${sandbox}/forecast-input`)).json()) as {
    description: Readonly<Record<string, unknown>>;
  };
  const order = { kind: 'forecast', description: { ...description, users: listUsers, days: 365 }, seeds: 3 };
  const { id } = (await (
    await fetch(`${sandbox}/analyses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
  ).json()) as { id: string };
  const times: number[] = [];
  for (let state = 'running'; state === 'running' || state === 'queued'; ) {
    const startMs = performance.now();
    ({ state } = (await (await fetch(`${sandbox}/analyses/${id}`)).json()) as { state: string });
    times.push(performance.now() - startMs);
    await pause(5);
  }
  return below(
    answerMostMs,
    `answers while ${inWords(listUsers)} users are forecast for a year, p99`,
    percentile(times, 0.99),
    'ms',
  );
}

async function millionUsers(browser: Browser, server: StartedServer): Promise<readonly BenchRow[]> {
  const page = await browser.newPage();
  const startMs = performance.now();
  await page.goto(`${server.baseUrl}/_console/s/default/users`);
  await page.getByRole('row').nth(5).getByRole('link').waitFor();
  const openedMs = performance.now() - startMs;
  const scrolled = await scroll(page);
  const typed = await typedSearch(page);
  await page.close();
  const searched = await serverSearch(server);
  const unit = 'ms';
  return [
    below(searchMostMs, `search among ${inWords(listUsers)} users on the server, p95`, searched, unit),
    below(
      jumpMostMs,
      `list of ${inWords(listUsers)} users: a jump to anywhere, until its rows are drawn, p95`,
      scrolled,
      unit,
    ),
    below(firstViewMostMs, 'the same list, from address to rows', openedMs, unit),
    stated('from a letter typed to the rows that are found, median', typed, unit),
    stated(`a server of ${inWords(listUsers)} users, from start to its address`, server.startedInMs / 1_000, 's'),
    stated('memory of that server', residentMib(server.pid), 'MiB'),
  ];
}

/** Jumps to positions in the list, including the last and the first, and waits until the row there shows a name. */
async function scroll(page: Page): Promise<number> {
  const times: number[] = [];
  for (let jump = 1; jump <= jumps; jump += 1) {
    const share = jump === 1 ? 1 : (jump * 0.618_034) % 1;
    times.push(
      await page.evaluate(
        `new Promise((resolve) => {
          const box = document.querySelector('.rows .body');
          const startMs = performance.now();
          box.scrollTop = ${share} * (box.scrollHeight - box.clientHeight);
          const look = () => {
            const seen = [...box.querySelectorAll('[role=row]')].filter((row) => {
              const at = row.getBoundingClientRect();
              const within = box.getBoundingClientRect();
              return at.bottom > within.top && at.top < within.bottom;
            });
            const drawn = seen.length > 5 && seen.every((row) => row.querySelector('a') !== null);
            if (drawn) resolve(performance.now() - startMs);
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        })`,
      ),
    );
  }
  return percentile(times, 0.95);
}

async function typedSearch(page: Page): Promise<number> {
  const times: number[] = [];
  for (const text of ['smith', 'anders', 'lovel', 'garcia', 'nguyen']) {
    const answered = page.waitForResponse((response) => response.url().includes(`search=${text}`));
    const startMs = performance.now();
    await page.getByLabel('Search').fill(text);
    await answered;
    await page
      .getByRole('status')
      .getByText(/^[\d,]+ users?\b/)
      .waitFor();
    times.push(performance.now() - startMs);
  }
  return median(times);
}

async function serverSearch({ controlUrl }: StartedServer): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < searchRounds; round += 1) {
    for (const search of searches) {
      const startMs = performance.now();
      await (await fetch(`${controlUrl}/sandboxes/default/users?limit=50&search=${search}`)).text();
      times.push(performance.now() - startMs);
    }
  }
  return percentile(times, 0.95);
}

/** Measures the scripts that the console’s document references, compressed as for HTTP. */
function initialScript(): BenchRow {
  const folder = join(root, 'dist', 'console');
  const document = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js') && document.includes(name));
  const bytes = named.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length, 0);
  return below(scriptMostKb, 'script that the console begins with, compressed', bytes / 1_000, 'kB');
}

function below(most: number, what: string, ours: number, unit: string): BenchRow {
  return unit === 'ms' ? withinTime(most, what, ours, unit) : withinLimit(most, what, ours, unit);
}

function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms));
  });
}
