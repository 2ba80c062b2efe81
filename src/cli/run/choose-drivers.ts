import { dirname, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import type { Driver } from '../../scenario/driver.ts';
import { ModelDriver } from '../../scenario/drivers/model.driver.ts';
import { type DriverEntry, isDriver } from '../config.schema.ts';
import type { Config } from '../config.ts';
import { loadUserModule } from '../user-module.ts';

/** Drivers that are ready, and the function that releases them. */
export interface ChosenDrivers {
  readonly drivers: readonly Driver[];
  close(): Promise<void>;
}

/**
 * Makes the drivers that are asked for. Takes their names, the configuration and the address of a running server, `null` for
 * an embedded one. Throws `driver-unknown`, `config-invalid` for one of the configuration that is none, and
 * `server-unreachable`.
 */
export async function chooseDrivers(
  names: readonly string[],
  config: Config,
  url: string | null,
): Promise<ChosenDrivers> {
  const known = ['model', 'http', ...Object.keys(config.drivers)];
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new NudgeLabError('driver-unknown', {
      message: `${unknown.map((name) => `"${name}"`).join(', ')} is not a driver; there are ${known.join(', ')}.`,
    });
  }
  const releases: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const release of releases.reverse()) await release();
  };
  const drivers: Driver[] = [];
  try {
    for (const name of new Set(names)) {
      const driver = await makeDriver(name, config, url, releases);
      releases.push(() => driver.close());
      drivers.push(driver);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { drivers, close };
}

async function makeDriver(
  name: string,
  config: Config,
  url: string | null,
  releases: (() => Promise<void>)[],
): Promise<Driver> {
  const entry = config.drivers[name];
  if (entry !== undefined) return ownDriver(name, entry, config);
  if (name === 'model') return new ModelDriver();
  const { HttpDriver } = await import('../../scenario/drivers/http.driver.ts');
  const running = url ?? config.baseUrl;
  if (running !== undefined) return HttpDriver.reach(running);
  const { startEmbeddedServer } = await import('./embedded-server.ts');
  const server = await startEmbeddedServer();
  releases.push(() => server.close());
  return new HttpDriver(server);
}

async function ownDriver(name: string, entry: DriverEntry, config: Config): Promise<Driver> {
  const made = 'module' in entry ? await exportedDriver(entry.module, config) : entry;
  const driver: unknown = typeof made === 'function' ? await (made as () => unknown)() : made;
  if (isDriver(driver) && driver.name === name) return driver;
  const message = isDriver(driver)
    ? `the driver calls itself "${driver.name}"`
    : 'it is no driver: one has name, can (a Set of steps), open and close';
  throw new NudgeLabError('config-invalid', { problems: [{ place: `config.drivers.${name}`, message }] });
}

async function exportedDriver(module: string, { file }: Config): Promise<unknown> {
  const exports = await loadUserModule(resolve(file === null ? '.' : dirname(file), module));
  return exports['driver'] ?? exports['default'];
}
