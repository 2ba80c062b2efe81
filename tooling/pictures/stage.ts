import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { portDefault, tenantDefault } from '../../src/cli/common-options.ts';
import { defaultFixtures } from '../../src/cli/serve/default-fixtures.ts';
import { createStartupMessage, greetingLines } from '../../src/cli/serve/startup-message.ts';
import { toInstant } from '../../src/core/clock.ts';
import { defaultSandboxId } from '../../src/core/default-sandbox.ts';
import { plainPalette } from '../../src/report/palette.ts';
import { inMemory, planSandbox, type Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { launchBrowser } from '../../src/scenario/drivers/browser/browser-process.ts';
import { findBrowser } from '../../src/scenario/drivers/browser/find-browser.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';

const top = fileURLToPath(new URL('../..', import.meta.url));

/** Virtual time at which every picture begins: a Monday. */
const startMs = Date.UTC(2026, 0, 5, 9);

/** What the pictures are taken from: the program as its users run it, and a browser. */
export interface PictureStage {
  readonly browser: Browser;
  readonly baseUrl: string;
  /**
   * Creates a sandbox at the start time.
   *
   * @returns the path of its pages, such as `/s/office`
   */
  createSandbox(id: string, input: SandboxInput & { readonly frozen?: boolean }): Promise<string>;
  /** URL of the report of a run whose only scenario fails, as the README describes it. */
  failedReport(): string;
  /** URL of the forecast page of the example. */
  forecastReport(): string;
  /** Command that starts a server with the default sandbox at the start time. */
  readonly serveCommand: string;
  /** Output of that command, with the usual port. */
  serveOutput(): Promise<string>;
  /** Deletes the sandboxes of a scene, and resets the default sandbox. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server and a browser. */
export async function openStage(): Promise<PictureStage> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-pictures-'));
  const sandboxes = await Sandboxes.open(inMemory());
  const clock = { nowMs: startMs, running: false };
  const users = Object.entries(defaultFixtures.users).map(([id, user]) => ({ ...user, id }));
  await sandboxes.create(
    defaultSandboxId,
    planSandbox({ tenant: defaultFixtures.tenants[tenantDefault], users, clock }),
  );
  const server = await startServer({ sandboxes, port: 0 });
  const created: string[] = [];
  const browser = await launchBrowser(await findBrowser(process.env));
  return {
    browser,
    baseUrl: server.baseUrl,
    serveCommand: `npm run serve -- --frozen --clock ${toInstant(startMs)}`,
    createSandbox: async (id, { frozen = false, ...input }) => {
      created.push(id);
      await sandboxes.create(id, planSandbox({ ...input, clock: { nowMs: startMs, running: !frozen } }));
      return `/s/${id}`;
    },
    failedReport: once(() => writeFailedReport(folder)),
    forecastReport: once(() => {
      const page = join(folder, 'forecast.html');
      nudgelab(folder, ['forecast', join(top, 'docs/examples/forecast/office.yaml'), '--seeds', '5', '--html', page]);
      return pathToFileURL(page).href;
    }),
    serveOutput: () => sandboxes.within(defaultSandboxId, (sandbox) => listGreeting(server, sandbox)),
    clear: async () => {
      for (const id of created.splice(0)) await sandboxes.remove(id);
      await sandboxes.reset(defaultSandboxId);
    },
    close: async () => {
      await browser.close();
      await server.close();
      await sandboxes.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a function that does its work once: both color schemes show the same page. */
function once(work: () => string): () => string {
  let result: string | null = null;
  return () => {
    result ??= work();
    return result;
  };
}

/** Returns what `nudgelab serve` prints when it listens on its usual port. */
function listGreeting(server: RunningServer, sandbox: Sandbox): string {
  const message = createStartupMessage({ ...server, authorityPath: null }, sandbox);
  return greetingLines(message, plainPalette)
    .join('\n')
    .replaceAll(`localhost:${server.port}`, `localhost:${portDefault}`);
}

/** Creates a suite with `nudgelab init`, breaks it as the README says, and runs it. */
function writeFailedReport(folder: string): string {
  nudgelab(folder, ['init', 'my-suite']);
  replaceIn(join(folder, 'my-suite/scenarios/first-prompt.yaml'), 'advance: { days: 1 }', 'advance: { hours: 23 }');
  replaceIn(join(folder, 'my-suite/nudgelab.config.ts'), "['json', 'junit', 'coverage']", "['html']");
  const report = ['--driver', 'http', '--report', 'report'];
  nudgelab(folder, ['run', '--config', 'my-suite/nudgelab.config.ts', ...report], 1);
  return pathToFileURL(join(folder, 'report/report.html')).href;
}

function replaceIn(path: string, before: string, after: string): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${path} does not contain ${before}.`);
  writeFileSync(path, text.replace(before, after));
}

/** Runs the program in a folder. Returns its output. Throws an error for any other exit code than the given one. */
function nudgelab(folder: string, args: readonly string[], exitCode = 0): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(top, 'tooling/nudgelab.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (status !== exitCode) throw new Error(`nudgelab ${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
