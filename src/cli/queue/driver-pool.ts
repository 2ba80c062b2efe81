import type { PageLanguage } from '../../contract/page-controls.ts';
import type { Driver } from '../../scenario/driver.ts';
import type { CommandContext } from '../context.ts';
import { type ChosenDrivers, chooseDrivers } from '../run/choose-drivers.ts';
import { withoutConfig } from './without-config.ts';

/** Drivers of a worker. A driver is created for the first job that needs it and kept for later jobs. */
export class DriverPool {
  readonly #env: CommandContext['env'];
  readonly #kept = new Map<string, Promise<ChosenDrivers>>();

  constructor(env: CommandContext['env']) {
    this.#env = env;
  }

  /**
   * Returns the named driver, connected to a running server or to its own one. Without a language, it requests the tenant's.
   * Throws any error of `chooseDrivers`.
   */
  async driver(name: string, url: string | null, language?: PageLanguage): Promise<Driver> {
    const key = JSON.stringify([name, url, language]);
    const made = this.#kept.get(key) ?? this.#make(name, url, language);
    this.#kept.set(key, made);
    try {
      const [driver] = (await made).drivers;
      if (driver === undefined) throw new RangeError('One name makes one driver.');
      return driver;
    } catch (error) {
      // An unreachable server may be available for the next job.
      this.#kept.delete(key);
      throw error;
    }
  }

  /** Closes all drivers. */
  async close(): Promise<void> {
    for (const made of this.#kept.values()) await (await made).close();
    this.#kept.clear();
  }

  #make(name: string, url: string | null, language: PageLanguage | undefined): Promise<ChosenDrivers> {
    const given = { config: withoutConfig, controlKey: null, evidence: null, handlesInterrupts: true };
    return chooseDrivers([name], { ...given, url, env: this.#env, language });
  }
}
