import './supported-node.ts';
import type { BrowserContext, LaunchOptions, Page, TestInfo, WorkerInfo } from '@playwright/test';
import { NudgeLabError } from '../core/errors.ts';
import { Redactor } from '../report/redact.ts';
import { findBrowser } from '../scenario/drivers/browser/find-browser.ts';
import type { AuthenticatorChoice, BrowserSandbox, Prompt, SignedInPage, SignOutChoice } from './browser-sandbox.ts';
import { environment } from './environment.ts';
import type { SandboxSetup } from './given.ts';
import { pageChecks } from './page-checks.ts';
import { loadPeer } from './peer.ts';
import type { Attempt, TestUser } from './test-sandbox.ts';
import { WorkerServer } from './worker-server.ts';

export type {
  AnsweredPage,
  AuthenticatorChoice,
  BrowserSandbox,
  Prompt,
  SignedInPage,
  SignOutChoice,
} from './browser-sandbox.ts';
export type { SandboxSetup } from './given.ts';
export type { Attempt, Explained, NudgeStatus, TestUser } from './test-sandbox.ts';

const playwright = loadPeer<typeof import('@playwright/test')>('@playwright/test', 'nudgelab/playwright');

/** Options that a project can set by `use` in addition to those of Playwright. */
export interface NudgeLabOptions {
  /** Initial state of each test's sandbox. */
  given: SandboxSetup;
}

/** Options that a project can set by `use` for its workers. */
export interface NudgeLabWorkerOptions {
  /** URL of an existing server. By default each worker starts its own server. */
  nudgelabUrl: string | undefined;
  /** Control key of that server. The default is the environment variable `NUDGELAB_CONTROL_KEY`. */
  nudgelabControlKey: string | undefined;
}

/** Fixtures for tests. */
export interface NudgeLabFixtures {
  /**
   * Sandbox of the test, created before the test and removed afterward. The journal of the sandbox is attached if the
   * test fails.
   */
  nudgelab: BrowserSandbox;
  /**
   * Signs a user in on a page, up to the first page that requires a decision or to the end. With a `client`, the
   * sign-in starts and ends at that application of `given`.
   */
  signIn: (page: Page, user: string, attempt?: Attempt) => Promise<SignedInPage>;
  /** Signs the user of a page's application out, by default of everything. */
  signOut: (page: Page, how?: SignOutChoice) => Promise<SignedInPage>;
  /** Returns the actions on the prompt of a page. */
  prompt: (page: Page) => Prompt;
  /** Returns one of the users of `given`. */
  persona: (id: string) => TestUser;
  /** Makes a page create passkeys of a type, optionally with an authenticator misbehavior. */
  authenticator: (page: Page, choice?: AuthenticatorChoice) => Promise<void>;
  /** Virtual clock, which is frozen unless the test moves it. */
  clock: BrowserSandbox['clock'];
  /** Opens a page on another device, in a browser context that is closed when the test ends. */
  newDevice: () => Promise<Page>;
}

interface NudgeLabWorkerFixtures {
  nudgelabServer: WorkerServer;
}

type Use<T> = (value: T) => Promise<void>;

const benches = new WeakMap<object, BrowserSandbox>();

/** Test function of Playwright in which each test has its own sandbox. */
export const test = playwright.test.extend<
  NudgeLabOptions & NudgeLabFixtures,
  NudgeLabWorkerOptions & NudgeLabWorkerFixtures
>({
  given: [{}, { option: true }],
  nudgelabUrl: [undefined, { option: true, scope: 'worker' }],
  nudgelabControlKey: [undefined, { option: true, scope: 'worker' }],

  launchOptions: [
    async ({ launchOptions, browserName }, use: Use<LaunchOptions>, { project }: WorkerInfo) => {
      // The `channel` fixture depends on this one, so the channel is read from the project.
      const channel = project.use.channel ?? launchOptions.channel;
      const chosen = browserName !== 'chromium' || channel !== undefined || launchOptions.executablePath !== undefined;
      await use(chosen ? launchOptions : { ...(await packagedBrowser()), ...launchOptions });
    },
    { scope: 'worker' },
  ],

  nudgelabServer: [
    async ({ nudgelabUrl, nudgelabControlKey: key }, use: Use<WorkerServer>) => {
      const server = await (nudgelabUrl === undefined ? WorkerServer.start() : WorkerServer.at(nudgelabUrl, key));
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],

  nudgelab: async ({ nudgelabServer, given }, use: Use<BrowserSandbox>, testInfo) => {
    const bench = await nudgelabServer.bench(given);
    await use(bench);
    if (testInfo.status !== testInfo.expectedStatus) await attach(bench, testInfo);
    await bench.close();
  },

  signIn: async ({ nudgelab, userAgent }, use: Use<NudgeLabFixtures['signIn']>) => {
    await use(async (page, user, attempt = {}) => {
      benches.set(page, nudgelab);
      return nudgelab.signInAt(page, user, attempt, userAgent !== undefined);
    });
  },

  signOut: async ({ nudgelab }, use: Use<NudgeLabFixtures['signOut']>) => {
    await use((page, how = {}) => nudgelab.signOutAt(page, how));
  },

  prompt: async ({ nudgelab }, use: Use<NudgeLabFixtures['prompt']>) => use((page) => nudgelab.promptAt(page)),
  persona: async ({ nudgelab }, use: Use<NudgeLabFixtures['persona']>) => use(nudgelab.persona),
  clock: async ({ nudgelab }, use: Use<BrowserSandbox['clock']>) => use(nudgelab.clock),

  authenticator: async ({ nudgelab }, use: Use<NudgeLabFixtures['authenticator']>) => {
    await use((page, choice = {}) => nudgelab.useAuthenticator(page, choice));
  },

  newDevice: async ({ browser }, use: Use<NudgeLabFixtures['newDevice']>) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      opened.push(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
});

/** `expect` of Playwright with additional matchers for pages and users of a sandbox. */
export const expect = playwright.expect.extend(pageChecks(playwright.expect, getTestSandbox));

function getTestSandbox(page: Page): BrowserSandbox {
  const bench = benches.get(page);
  if (bench !== undefined) return bench;
  throw new NudgeLabError('prompt-not-open', { message: 'No one has signed in on this page. Call signIn first.' });
}

/** Returns the browser included with this package, or one found on the machine. */
async function packagedBrowser(): Promise<LaunchOptions> {
  const { executablePath, args } = await findBrowser(environment);
  return { executablePath, args: [...args] };
}

/** Attaches the evidence of a failure. */
async function attach(bench: BrowserSandbox, testInfo: TestInfo): Promise<void> {
  const redactor = new Redactor();
  const contentType = 'application/json';
  for (const [name, value] of [
    ['nudgelab-journal.json', await bench.journal()],
    ['nudgelab-explain.json', await bench.explained()],
  ] as const) {
    await testInfo.attach(name, { contentType, body: JSON.stringify(redactor.value(value), null, 2) });
  }
}
