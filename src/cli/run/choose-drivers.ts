import { dirname, resolve } from 'node:path';
import type { PageLanguage } from '../../contract/page-controls.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import type { Driver } from '../../scenario/driver.ts';
import type { EvidencePlace } from '../../scenario/drivers/browser/evidence.ts';
import type { RunningServer } from '../../server/start.ts';
import type { Config } from '../config.ts';
import { type BuiltInDriver, builtInDrivers, type DriverEntry, isDriver } from '../config-values.ts';
import type { CommandContext } from '../context.ts';
import { loadControlKey } from '../control-key.ts';
import { loadUserModule } from '../user-module.ts';

/** Drivers that are ready, with the function that closes them. */
export interface ChosenDrivers {
  readonly drivers: readonly Driver[];
  close(): Promise<void>;
}

/** Settings for the creation of drivers. */
export interface DriverParts {
  readonly config: Config;
  /** URL of a running server; `null` for an embedded one. */
  readonly url: string | null;
  /** Storage for evidence of failures; `null` if none is kept. */
  readonly evidence: EvidencePlace | null;
  readonly env: CommandContext['env'];
  /** Control key of the running server from the option; `null` if the option is not set. */
  readonly controlKey: string | null;
  /** Temporal properties that the drivers watch, by the values of the option and the folder of their files. */
  readonly properties?: { readonly files: readonly string[]; readonly cwd: string };
  /** Language that drivers request for pages. The default is the tenant's language. */
  readonly language?: PageLanguage | undefined;
  /** True if the command listens for stop signals and closes the drivers. Otherwise, an interrupt ends a browser and the program. */
  readonly handlesInterrupts?: boolean;
}

/** Throws `driver-not-found` for names that are neither built-in drivers nor drivers of the configuration. */
export function refuseUnknownDrivers(names: readonly string[], config: Config): void {
  const known = [...builtInDrivers, ...Object.keys(config.drivers)];
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const nearest = unknown.map((name) => suggestName(name, known)).find((suggestion) => suggestion !== '') ?? '';
    throw new NudgeLabError('driver-not-found', {
      message: endSentence(
        `${unknown.map((name) => `"${name}"`).join(', ')} is not one of ${known.join(', ')}${nearest}`,
      ),
    });
  }
}

/**
 * Creates the named drivers. Throws `driver-not-found`, `config-invalid` if the configuration names an invalid
 * driver, `server-unreachable`, `browser-missing`, and the errors of the properties to watch.
 */
export async function chooseDrivers(names: readonly string[], parts: DriverParts): Promise<ChosenDrivers> {
  const { config } = parts;
  refuseUnknownDrivers(names, config);
  const addProperties = await findPropertyWatch(parts.properties);
  const releases: Releases = [];
  const close = async (): Promise<void> => {
    for (const release of releases.reverse()) await release();
  };
  const drivers: Driver[] = [];
  try {
    for (const name of new Set(names)) {
      const driver = await makeDriver(name, parts, releases);
      releases.push(() => driver.close());
      drivers.push(addProperties(driver));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { drivers, close };
}

/** Returns the function that adds the properties to a driver. The checker is loaded only if there are any. */
async function findPropertyWatch(watched: DriverParts['properties']): Promise<(driver: Driver) => Driver> {
  if (watched === undefined || watched.files.length === 0) return (driver) => driver;
  const [{ readWatchedProperties }, { watchDriver }] = await Promise.all([
    import('../properties/watched-properties.ts'),
    import('../../properties/watch/watched-driver.ts'),
  ]);
  const properties = readWatchedProperties(watched.files, watched.cwd);
  return (driver) => watchDriver(driver, properties);
}

/** Cleanup functions, which run in reverse order. */
type Releases = (() => Promise<void>)[];

async function makeDriver(name: string, parts: DriverParts, releases: Releases): Promise<Driver> {
  const entry = parts.config.drivers[name];
  if (entry !== undefined) return ownDriver(name, entry, parts.config);
  return makers[name as BuiltInDriver](parts, releases);
}

/** Functions that create the built-in drivers. The modules of a driver are loaded on demand. */
const makers: Readonly<Record<BuiltInDriver, (parts: DriverParts, releases: Releases) => Promise<Driver>>> = {
  model: async () => new (await import('../../scenario/drivers/model.driver.ts')).ModelDriver(),
  http: httpDriver,
  browser: browserDriver,
};

async function httpDriver(parts: DriverParts, releases: Releases): Promise<Driver> {
  const { HttpDriver } = await import('../../scenario/drivers/http.driver.ts');
  const running = parts.url ?? parts.config.baseUrl;
  const { language } = parts;
  if (running === undefined) return new HttpDriver({ ...(await embeddedServer(releases)), language });
  return HttpDriver.reach(running, { controlKey: loadControlKey(parts, parts, parts.config), language });
}

async function browserDriver(parts: DriverParts, releases: Releases): Promise<Driver> {
  const [{ BrowserDriver }, { chromiumType }, { findBrowser }] = await Promise.all([
    import('../../scenario/drivers/browser.driver.ts'),
    import('../../scenario/drivers/browser/chromium-type.ts'),
    import('../../scenario/drivers/browser/find-browser.ts'),
  ]);
  await chromiumType();
  const { url, config, evidence, language, handlesInterrupts } = parts;
  const options = { browser: await findBrowser(parts.env), evidence, language, handlesInterrupts };
  const running = url ?? config.baseUrl;
  return running === undefined
    ? new BrowserDriver({ ...(await embeddedServer(releases)), ...options })
    : BrowserDriver.reach(running, { ...options, controlKey: loadControlKey(parts, parts, config) });
}

async function embeddedServer(releases: Releases): Promise<RunningServer> {
  const { startEmbeddedServer } = await import('./embedded-server.ts');
  const server = await startEmbeddedServer();
  releases.push(() => server.close());
  return server;
}

async function ownDriver(name: string, entry: DriverEntry, config: Config): Promise<Driver> {
  const made = 'module' in entry ? await exportedDriver(entry.module, config) : entry;
  const driver: unknown = typeof made === 'function' ? await createdDriver(name, made as () => unknown) : made;
  if (!isDriver(driver)) {
    throw invalidDriver(name, 'must be a driver: an object with name, can (a Set of steps), open and close');
  }
  if (driver.name !== name) throw invalidDriver(name, `the driver has another name, "${driver.name}"`);
  return driver;
}

async function createdDriver(name: string, create: () => unknown): Promise<unknown> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof NudgeLabError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw invalidDriver(name, `the function that creates the driver failed: ${message}`, error);
  }
}

function invalidDriver(name: string, message: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('config-invalid', { problems: [{ location: `config.drivers.${name}`, message }], cause });
}

async function exportedDriver(module: string, { file }: Config): Promise<unknown> {
  const exports = await loadUserModule(resolve(file === null ? '.' : dirname(file), module));
  return exports['driver'] ?? exports['default'];
}
