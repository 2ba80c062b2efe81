import { type Browser, chromium } from 'playwright-core';
import { launchOptions } from '../src/scenario/drivers/browser/browser-process.ts';
import { type FoundBrowser, findBrowser } from '../src/scenario/drivers/browser/find-browser.ts';
import { BrowserDriver } from '../src/scenario/drivers/browser.driver.ts';
import { FixtureLibrary } from '../src/scenario/fixture-library.ts';
import { loadText } from '../src/scenario/load.ts';
import { runSuite } from '../src/scenario/run-suite.ts';
import { atRate, type BenchRow, mainFile, median, root, startServer } from './measure.ts';

/**
 * Compares the browser driver with a bare Playwright script that loads the same pages: username, password, code,
 * prompt, skip. Both run four journeys at a time in a separate browser process with the same executable and launch
 * options, against the same server. Rounds are interleaved, and the figures are medians. The target applies to
 * the headless shell. A full Chromium from the system is three times slower for both.
 */

const width = 4;
const journeys = 24;
const rounds = 5;
const leastJourneysPerSecond = 5;
const ratioMost = 1.3;

const text = `name: A skip
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
  - skip: {}
    expect: { page: signed-in }
`;

/** Measures the two rows of the browser driver. */
export async function benchBrowserDriver(): Promise<readonly BenchRow[]> {
  const server = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const found = await findBrowser(process.env);
  const driver = new BrowserDriver({ controlUrl: server.controlUrl, browser: found, evidence: null });
  const bare = await BareScript.start(found, server.controlUrl);
  try {
    const ours: number[] = [];
    const theirs: number[] = [];
    // The first round warms up both browsers and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const [ourRate, theirRate] = [await driverRate(driver), await bare.rate()];
      if (round === 0) continue;
      ours.push(ourRate);
      theirs.push(theirRate);
    }
    return createRows(found, median(ours), median(theirs));
  } finally {
    await bare.close();
    await driver.close();
    await server.stop();
  }
}

function createRows({ origin }: FoundBrowser, ours: number, theirs: number): readonly BenchRow[] {
  const unit = 'journeys/s';
  return [
    atRate(leastJourneysPerSecond, `browser driver, four wide, the browser from ${origin}`, ours, unit),
    {
      what: 'browser driver against a bare Playwright script, time a journey',
      ours,
      theirs,
      unit,
      ratio: theirs / ours,
      bar: `≤ ${ratioMost} ×`,
      reached: theirs / ours <= ratioMost,
    },
  ];
}

async function driverRate(driver: BrowserDriver): Promise<number> {
  const { scenarios, problems } = loadText('bench/skip.yaml', text, new FixtureLibrary([`${root}/fixtures`]));
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error(`The scenario is not valid: ${JSON.stringify(problems)}`);
  const startMs = performance.now();
  const { summary, results } = await runSuite([scenario], [driver], {
    workers: width,
    bail: false,
    repeat: journeys,
    coverage: false,
  });
  if (summary.passed !== journeys) throw new Error(`A journey failed: ${JSON.stringify(results)}`);
  return journeys / ((performance.now() - startMs) / 1000);
}

/**
 * Script as written with plain Playwright: one browser context per journey, fields found by label, buttons found by
 * name.
 */
class BareScript {
  readonly #browser: Browser;
  readonly #controlUrl: string;

  private constructor(browser: Browser, controlUrl: string) {
    this.#browser = browser;
    this.#controlUrl = controlUrl;
  }

  static async start(browser: FoundBrowser, controlUrl: string): Promise<BareScript> {
    return new BareScript(await chromium.launch(launchOptions(browser)), controlUrl);
  }

  async rate(): Promise<number> {
    const { scenarios } = loadText('bench/skip.yaml', text, new FixtureLibrary([`${root}/fixtures`]));
    const tenant = scenarios[0]?.plan.tenant;
    const users = Array.from({ length: journeys }, (_, index) => ({ id: `user-${index}` }));
    const created = await fetch(`${this.#controlUrl}/sandboxes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tenant, users }),
    });
    const { baseUrl } = (await created.json()) as { baseUrl: string };
    const waiting = users.map(({ id }) => `${id}@example.test`);
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: width }, async () => {
        for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await this.#journey(baseUrl, name);
      }),
    );
    return journeys / ((performance.now() - startMs) / 1000);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async #journey(baseUrl: string, userName: string): Promise<void> {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    await page.goto(`${baseUrl}/sign-in`);
    await page.getByLabel('Username').fill(userName);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await context.close();
  }
}
