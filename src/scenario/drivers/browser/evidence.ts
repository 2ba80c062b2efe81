import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { SandboxControl } from '../http/sandbox-control.ts';
import type { BrowserTab, TabWatcher } from './browser-tab.ts';

/** Where evidence is kept. */
export interface EvidencePlace {
  /** The folder of the reports. */
  readonly folder: string;
  /** Takes secrets out of a value of JSON before it is written. */
  clean(value: unknown): unknown;
}

/**
 * Gathers what explains the failure of one scenario: a trace of each device, a picture of each page, the journal of the sandbox
 * and every sign-in with its verdict. A scenario that passes leaves nothing.
 */
export class EvidenceCollector implements TabWatcher {
  readonly #place: EvidencePlace;
  /** The scenario's own folder, below the one of the reports. */
  readonly #folder: string;
  readonly #sandbox: SandboxControl;
  readonly #contexts: BrowserContext[] = [];
  readonly #files: string[] = [];

  /** Takes where evidence is kept, the scenario's id, and its sandbox. */
  constructor(place: EvidencePlace, scenarioId: string, sandbox: SandboxControl) {
    this.#place = place;
    this.#folder = join('browser', folderNameOf(scenarioId));
    this.#sandbox = sandbox;
  }

  async opened(context: BrowserContext): Promise<void> {
    this.#contexts.push(context);
    await context.tracing.start({ snapshots: true, screenshots: false });
  }

  /**
   * Writes the evidence. Takes the tabs of the scenario. Returns the files below the folder of reports; what cannot be had is
   * left out.
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

/** A scenario's id as the name of one folder. */
function folderNameOf(scenarioId: string): string {
  return scenarioId.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '');
}
