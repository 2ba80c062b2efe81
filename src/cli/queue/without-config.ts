import { NudgeLabError } from '../../core/errors.ts';
import { type Config, nothingConfigured } from '../config.ts';
import { controlKeyVariable } from '../control-key.ts';
import { refuseUnknownDrivers } from '../run/choose-drivers.ts';

/**
 * Configuration of a worker. The sender provides all relevant settings, so the configuration of the worker's
 * machine is ignored.
 */
export const withoutConfig: Config = { ...nothingConfigured, file: null, scenarios: [], fixtures: [] };

/**
 * Rejects a control key that would be sent through Redis. Workers read it from their own environment.
 * @param controlKey - value of `--control-key`; `null` if it is not set
 * @throws `usage-invalid` if a key is set
 */
export function refuseTravelingKey(controlKey: string | null): void {
  if (controlKey === null) return;
  throw new NudgeLabError('usage-invalid', {
    problems: [
      {
        location: '--control-key',
        message: `it is not sent through a queue; set ${controlKeyVariable} for each worker`,
      },
    ],
  });
}

/**
 * Rejects properties to watch, because workers do not have their files.
 * @param files - values of `--properties`
 * @throws `usage-invalid` if there are any
 */
export function refuseTravelingProperties(files: readonly string[]): void {
  if (files.length === 0) return;
  throw new NudgeLabError('usage-invalid', {
    problems: [{ location: '--queue', message: 'properties are not sent to workers; watch them without --queue' }],
  });
}

/**
 * Rejects drivers that only the sender has. Throws `driver-not-found` for an unknown name, and `usage-invalid` for
 * a driver of the configuration, because code cannot be sent to workers.
 */
export function refuseOwnDrivers(names: readonly string[], config: Config): void {
  refuseUnknownDrivers(names, config);
  const own = [...new Set(names)].filter((name) => config.drivers[name] !== undefined);
  if (own.length === 0) return;
  throw new NudgeLabError('usage-invalid', {
    problems: own.map((name) => ({
      location: '--queue',
      message: `the driver "${name}" is defined in the configuration, which workers do not have; run it without --queue`,
    })),
  });
}
