import { NudgeLabError } from '../../core/errors.ts';
import { type Config, nothingConfigured } from '../config.ts';
import { controlKeyVariable } from '../control-key.ts';
import { refuseUnknownDrivers } from '../run/choose-drivers.ts';

/** What a worker goes by: the sender says all that counts, and no configuration of the worker's machine does. */
export const withoutConfig: Config = { ...nothingConfigured, file: null, scenarios: [], fixtures: [] };

/**
 * Refuses an access key that would have to travel through Redis: workers have it of their own environment. Takes what `--control-key`
 * says. Throws `usage-invalid`.
 */
export function refuseTravelingKey(controlKey: string | null): void {
  if (controlKey === null) return;
  throw new NudgeLabError('usage-invalid', {
    problems: [
      {
        location: '--control-key',
        message: `it is not sent through a queue; give it to each worker as ${controlKeyVariable}`,
      },
    ],
  });
}

/**
 * Refuses drivers that only the sender has. Takes the names that were asked for, and its configuration. Throws `driver-not-found`,
 * and `usage-invalid` for a driver of the configuration: it is code and cannot travel.
 */
export function refuseOwnDrivers(names: readonly string[], config: Config): void {
  refuseUnknownDrivers(names, config);
  const own = [...new Set(names)].filter((name) => config.drivers[name] !== undefined);
  if (own.length === 0) return;
  throw new NudgeLabError('usage-invalid', {
    problems: own.map((name) => ({
      location: '--queue',
      message: `the driver "${name}" is made by the configuration, which no worker has; run it without --queue`,
    })),
  });
}
