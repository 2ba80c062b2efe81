import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { SandboxControl } from '../http/sandbox-control.ts';
import type { BrowserTab, TabWatcher } from './browser-tab.ts';

/**
 * Gathers what explains the failure of one scenario: a trace of each device, a picture of each page, the journal of the sandbox
 * and every sign-in with its verdict. A scenario that passes leaves nothing.
 */
export class EvidenceCollector implements TabWatcher {
  readonly #folder: string;
  readonly #sandbox: SandboxControl;
  readonly #contexts: BrowserContext[] = [];
  readonly #files: string[] = [];

  /** Takes the folder of all evidence, the scenario's id, and its sandbox. */
  constructor(folder: string, scenarioId: string, sandbox: SandboxControl) {
    this.#folder = join(folder, folderNameOf(scenarioId));
    this.#sandbox = sandbox;
  }

  async opened(context: BrowserContext): Promise<void> {
    this.#contexts.push(context);
    await context.tracing.start({ snapshots: true, screenshots: false });
  }

  /** Writes the evidence. Takes the tabs of the scenario. Returns the files; what cannot be had is left out. */
  async keep(tabs: readonly BrowserTab[]): Promise<readonly string[]> {
    mkdirSync(this.#folder, { recursive: true });
    for (const [index, tab] of tabs.entries()) {
      const picture = await tab.picture().catch(() => null);
      if (picture !== null) this.#write(`tab-${index + 1}.png`, picture);
    }
    for (const [index, context] of this.#contexts.entries()) {
      const path = join(this.#folder, `trace-${index + 1}.zip`);
      const kept = await context.tracing.stop({ path }).then(
        () => true,
        () => false,
      );
      if (kept) this.#files.push(path);
    }
    await this.#keepAnswer('journal.json', () => this.#sandbox.journal());
    await this.#keepAnswer('explain.json', () => this.#explained());
    return this.#files;
  }

  async #explained(): Promise<readonly unknown[]> {
    const { signIns } = await this.#sandbox.ask('GET', '/sign-ins');
    const rows = signIns as readonly { readonly id: string }[];
    return Promise.all(rows.map(({ id }) => this.#sandbox.ask('GET', `/sign-ins/${encodeURIComponent(id)}`)));
  }

  async #keepAnswer(name: string, ask: () => Promise<unknown>): Promise<void> {
    const answer = await ask().catch(() => null);
    if (answer !== null) this.#write(name, `${JSON.stringify(answer, null, 2)}\n`);
  }

  #write(name: string, content: string | Buffer): void {
    const path = join(this.#folder, name);
    writeFileSync(path, content);
    this.#files.push(path);
  }
}

/** A scenario's id as the name of one folder. */
function folderNameOf(scenarioId: string): string {
  return scenarioId.replaceAll(/[^\w.-]+/g, '-');
}
