import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { SandboxControl } from '../http/sandbox-control.ts';
import type { BrowserTab, TabWatcher } from './browser-tab.ts';

/** Location for storing evidence. */
export interface EvidencePlace {
  /** Report directory. */
  readonly folder: string;
  /** Removes secrets from a JSON value before it is written. */
  clean(value: unknown): unknown;
}

/**
 * Collects evidence for the failure of one scenario: a trace of each device, a screenshot of each page, the journal
 * of the sandbox, and every sign-in with its verdict. A scenario that passes leaves no files.
 */
export class EvidenceCollector implements TabWatcher {
  readonly #place: EvidencePlace;
  /** Directory of the scenario below the report directory. */
  readonly #folder: string;
  readonly #sandbox: SandboxControl;
  readonly #contexts: BrowserContext[] = [];
  readonly #files: string[] = [];

  /** Creates a collector for one scenario and its sandbox. */
  constructor(place: EvidencePlace, scenarioId: string, sandbox: SandboxControl) {
    this.#place = place;
    this.#folder = join('browser', formatFolderName(scenarioId));
    this.#sandbox = sandbox;
  }

  async opened(context: BrowserContext): Promise<void> {
    this.#contexts.push(context);
    await context.tracing.start({ snapshots: true, screenshots: false });
  }

  /** Discards the trace of a context that is about to close, unless it was kept. Otherwise, its folder would remain. */
  async closing(context: BrowserContext): Promise<void> {
    await context.tracing.stop().catch(() => undefined);
  }

  /**
   * Writes the evidence for the tabs of the scenario. Returns the files below the report directory. Evidence that is
   * not available is omitted.
   */
  async keep(tabs: readonly BrowserTab[]): Promise<readonly string[]> {
    mkdirSync(join(this.#place.folder, this.#folder), { recursive: true });
    for (const [index, tab] of tabs.entries()) {
      const picture = await tab.picture().catch(() => null);
      if (picture !== null) this.#write(`tab-${index + 1}.png`, picture);
      const small = await tab.smallPicture().catch(() => null);
      if (small !== null) this.#write(`tab-${index + 1}.webp`, small);
    }
    for (const [index, context] of this.#contexts.entries()) {
      const file = join(this.#folder, `trace-${index + 1}.zip`);
      const kept = await context.tracing.stop({ path: join(this.#place.folder, file) }).then(
        () => true,
        () => false,
      );
      if (kept) this.#files.push(file);
    }
    await this.#keepAnswer('journal.json', () => this.#sandbox.journal());
    await this.#keepAnswer('explain.json', () => this.#explained());
    return this.#files;
  }

  async #explained(): Promise<readonly unknown[]> {
    return this.#sandbox.explained();
  }

  async #keepAnswer(name: string, ask: () => Promise<unknown>): Promise<void> {
    const answer = await ask().catch(() => null);
    if (answer !== null) this.#write(name, `${JSON.stringify(this.#place.clean(answer), null, 2)}\n`);
  }

  #write(name: string, content: string | Buffer): void {
    const file = join(this.#folder, name);
    writeFileSync(join(this.#place.folder, file), content);
    this.#files.push(file);
  }
}

/** Converts a scenario id to the name of a single directory. */
function formatFolderName(scenarioId: string): string {
  return scenarioId.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '');
}
