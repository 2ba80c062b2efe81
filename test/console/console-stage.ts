import axe from 'axe-core';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { inMemory, planSandbox, type Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start.ts';
import { sharedBrowser } from '../shared-browser.ts';

/** Shared resources of console tests: one server and browser per file, one sandbox and page per test. */
export interface ConsoleStage {
  readonly server: RunningServer;
  readonly sandboxes: Sandboxes;
  readonly sandbox: Sandbox;
  readonly page: Page;
  /** Errors that the browser reported in this test; none may remain at its end. */
  readonly complaints: string[];
  /** Opens a view of the sandbox by its path. */
  open(view: string): Promise<void>;
  /** Waits until the view has loaded: no request is in flight, except event streams, and nothing says "Loading". */
  loaded(): Promise<void>;
  /** Returns the card of a view by its heading. */
  card(name: string | RegExp): Locator;
  /** Runs axe in both color schemes and at two widths. The page must not scroll horizontally at either width. */
  findsNothing(): Promise<void>;
}

/** Options of the shared resources. */
export interface StageParts {
  /** Prefix of the sandbox names, followed by a number. */
  readonly name: string;
  /** Initial content of each sandbox. */
  readonly given: SandboxInput;
  /** Returns additional server options; called once before all tests. */
  readonly serverWith?: () => Partial<ServerOptions>;
  /** Releases the resources that `serverWith` created. */
  readonly afterServer?: () => Promise<void>;
}

const beginMs = 60_000;
/** Registers the hooks that create the shared resources. Its members are available once a test runs. */
export function setConsoleStage({ name, given, serverWith, afterServer }: StageParts): ConsoleStage {
  const complaints: string[] = [];
  const stage = {} as { -readonly [K in keyof ConsoleStage]: ConsoleStage[K] };
  let browser: Browser;
  let made = 0;
  let requests: ReadonlySet<Request>;
  const loaded = async (): Promise<void> => {
    await expect.poll(() => [...requests].map((request) => request.url())).toEqual([]);
    await expect.poll(() => stage.page.locator('.waiting').count()).toBe(0);
  };

  beforeAll(async () => {
    stage.sandboxes = await Sandboxes.open(inMemory());
    stage.server = await startServer({ sandboxes: stage.sandboxes, port: 0, ...serverWith?.() });
    browser = await sharedBrowser();
  }, beginMs);

  afterAll(async () => {
    await stage.server.close();
    await afterServer?.();
    await stage.sandboxes.close();
  });

  beforeEach(async () => {
    made += 1;
    stage.sandbox = await stage.sandboxes.create(`${name}-${made}`, planSandbox(given));
    stage.page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1_280, height: 900 } });
    complaints.length = 0;
    listen(stage.page, complaints);
    requests = followRequests(stage.page);
  });

  afterEach(async () => {
    await stage.page.close();
    expect(complaints).toEqual([]);
  });

  return Object.assign(stage, {
    complaints,
    open: async (view: string) => {
      await stage.page.goto(`${stage.server.baseUrl}/_console/s/${stage.sandbox.id}/${view}`);
      await stage.page.getByRole('heading', { level: 1 }).waitFor();
    },
    card: (title: string | RegExp) => stage.page.getByRole('region', { name: title, exact: true }),
    loaded,
    findsNothing: async () => {
      await loaded();
      await findsNothing(stage.page);
    },
  });
}

/**
 * Records page errors and requests to other hosts. Ignores the errors that the browser logs for rejected requests,
 * because the page itself shows them.
 */
function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('the server responded with a status'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== 'localhost') complaints.push(request.url());
  });
}

/** Returns the requests in flight, without event streams, which never end. */
function followRequests(page: Page): ReadonlySet<Request> {
  const requests = new Set<Request>();
  page.on('request', (request) => {
    if (!/\/events(\?|$)/.test(request.url())) requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  return requests;
}

/** Runs axe in both color schemes and at two widths. The page must not scroll horizontally at either width. */
export async function findsNothing(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1_280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const found = await page.evaluate(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
      );
      expect([colorScheme, width, found]).toEqual([colorScheme, width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  }
}
