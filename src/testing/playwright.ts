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

/** What a project may set by `use`, besides what Playwright knows. */
export interface NudgeLabOptions {
  /** What the sandbox of each test begins with. */
  given: SandboxSetup;
}

/** What a project may set by `use` for its workers. */
export interface NudgeLabWorkerOptions {
  /** Address of a server to use; without it each worker starts one of its own. */
  nudgelabUrl: string | undefined;
  /** The access key of that server; without it that of the environment, `NUDGELAB_CONTROL_KEY`. */
  nudgelabControlKey: string | undefined;
}

/** What a test may ask for by name. */
export interface NudgeLabFixtures {
  /** A sandbox of the test's own: made when it begins, removed when it ends, its journal attached when it fails. */
  nudgelab: BrowserSandbox;
  /**
   * Signs a user in at a page, and goes on to the first page that asks for an answer, or to the end. With a `client` it begins at
   * that application of `given`, and ends there.
   */
  signIn: (page: Page, user: string, attempt?: Attempt) => Promise<SignedInPage>;
  /** The application at which the sign-in of a page began signs its user out; of everything, unless it says otherwise. */
  signOut: (page: Page, how?: SignOutChoice) => Promise<SignedInPage>;
  /** What can be done about the nudge that a page shows. */
  prompt: (page: Page) => Prompt;
  /** One of the users of `given`. */
  persona: (id: string) => TestUser;
  /** Has a page make passkeys of a kind, in a misbehavior. */
  authenticator: (page: Page, choice?: AuthenticatorChoice) => Promise<void>;
  /** The virtual clock, which stands unless it is moved. */
  clock: BrowserSandbox['clock'];
  /** A page on another device: a browser context of its own, closed when the test ends. */
  newDevice: () => Promise<Page>;
}

interface NudgeLabWorkerFixtures {
  nudgelabServer: WorkerServer;
}

type Use<T> = (value: T) => Promise<void>;

const benches = new WeakMap<object, BrowserSandbox>();

/** Tests that each have a sandbox of their own. */
export const test = playwright.test.extend<
  NudgeLabOptions & NudgeLabFixtures,
  NudgeLabWorkerOptions & NudgeLabWorkerFixtures
>({
  given: [{}, { option: true }],
  nudgelabUrl: [undefined, { option: true, scope: 'worker' }],
  nudgelabControlKey: [undefined, { option: true, scope: 'worker' }],

  launchOptions: [
    async ({ launchOptions, browserName }, use: Use<LaunchOptions>, { project }: WorkerInfo) => {
      // The fixture of the channel depends on this one, so the channel is read from the project.
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

/** `expect` of Playwright, which knows pages and users of a sandbox besides. */
export const expect = playwright.expect.extend(pageChecks(playwright.expect, benchOf));

function benchOf(page: Page): BrowserSandbox {
  const bench = benches.get(page);
  if (bench !== undefined) return bench;
  throw new NudgeLabError('prompt-not-open', { message: 'No one has signed in at this page.' });
}

/** The browser that comes with this package, or that is found on the machine. */
async function packagedBrowser(): Promise<LaunchOptions> {
  const { executablePath, args } = await findBrowser(environment);
  return { executablePath, args: [...args] };
}

/** Attaches what explains a failure. */
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
