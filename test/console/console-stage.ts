import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { inMemory, planSandbox, type Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start.ts';
import { sharedBrowser } from '../shared-browser.ts';

/** What the tests of a file have: a server and a browser for all of them, a sandbox and a page for each. */
export interface ConsoleStage {
  readonly server: RunningServer;
  readonly sandboxes: Sandboxes;
  readonly sandbox: Sandbox;
  readonly page: Page;
  /** What the browser complained of so far in this test; none may be left at its end. */
  readonly complaints: string[];
  /** Opens a view of the sandbox by its address. */
  open(view: string): Promise<void>;
  /** The card of a view by its heading. */
  card(name: string | RegExp): Locator;
  /** Has axe look at the page in both color schemes and at two widths, at neither of which it may scroll sideways. */
  findsNothing(): Promise<void>;
}

/** What a stage is made from. */
export interface StageParts {
  /** The name of its sandboxes, to which a number is added. */
  readonly name: string;
  /** What each sandbox begins with. */
  readonly given: SandboxInput;
  /** What the server has beside sandboxes; asked once before all tests. */
  readonly serverWith?: () => Partial<ServerOptions>;
  /** Ends what `serverWith` made. */
  readonly afterServer?: () => Promise<void>;
}

const beginMs = 60_000;
/** Sets the stage by hooks: its members are there once a test runs. */
export function setConsoleStage({ name, given, serverWith, afterServer }: StageParts): ConsoleStage {
  const complaints: string[] = [];
  const stage = {} as { -readonly [K in keyof ConsoleStage]: ConsoleStage[K] };
  let browser: Browser;
  let made = 0;

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
    findsNothing: () => findsNothing(stage.page),
  });
}

/** Notes errors of the page, and requests that leave the machine. A refusal that the page shows is logged by the browser as well. */
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

async function findsNothing(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
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
