import type { Driver } from '../../scenario/driver.ts';
import type { CommandContext } from '../context.ts';
import { type ChosenDrivers, chooseDrivers } from '../run/choose-drivers.ts';
import { withoutConfig } from './without-config.ts';

/** The drivers of a worker, made for the first job that wants one and kept for later ones. */
export class DriverPool {
  readonly #env: CommandContext['env'];
  readonly #kept = new Map<string, Promise<ChosenDrivers>>();

  constructor(env: CommandContext['env']) {
    this.#env = env;
  }

  /** The driver of a name, at a running server or one of its own. Throws what `chooseDrivers` throws. */
  async driver(name: string, url: string | null): Promise<Driver> {
    const key = JSON.stringify([name, url]);
    const made = this.#kept.get(key) ?? this.#make(name, url);
    this.#kept.set(key, made);
    try {
      const [driver] = (await made).drivers;
      if (driver === undefined) throw new RangeError('One name makes one driver.');
      return driver;
    } catch (error) {
      // A server that could not be reached may be there for the next job.
      this.#kept.delete(key);
      throw error;
    }
  }

  /** Releases all of them. */
  async close(): Promise<void> {
    for (const made of this.#kept.values()) await (await made).close();
    this.#kept.clear();
  }

  #make(name: string, url: string | null): Promise<ChosenDrivers> {
    return chooseDrivers([name], { config: withoutConfig, url, controlKey: null, evidence: null, env: this.#env });
  }
}
