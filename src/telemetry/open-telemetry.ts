import { installTelemetry } from '../core/telemetry.ts';
import { type Environment, readTelemetrySettings } from './telemetry-settings.ts';

/** Exporter of a command. */
export interface OpenedTelemetry {
  /** Exports what is left, within a time limit, and removes the exporter. */
  close(): Promise<void>;
}

/** What the exporter needs from the command. */
export interface TelemetryOptions {
  readonly version: string;
  readonly warn: (message: string) => void;
  readonly isPem: (path: string) => boolean;
}

/**
 * Installs the exporter that the environment asks for. Without such variables no package is loaded.
 *
 * @param env - environment of the process
 * @param options.version - version of this program
 * @param options.warn - listener for the first export that fails
 * @param options.isPem - returns true if the file at a path can be read and has the form PEM
 * @returns the exporter, or `null` if the environment asks for none
 * @throws NudgeLabError `usage-invalid` for a variable with an unsupported value, `package-missing` if the packages
 *   are not installed
 */
export async function openTelemetry(
  env: Environment,
  { version, warn, isPem }: TelemetryOptions,
): Promise<OpenedTelemetry | null> {
  const settings = readTelemetrySettings(env, isPem);
  if (settings === null) return null;
  const { SdkTelemetry } = await import('./sdk-telemetry.ts');
  const telemetry = await SdkTelemetry.open(settings, version, warn);
  installTelemetry(telemetry);
  return {
    close: () => {
      installTelemetry(null);
      return telemetry.close();
    },
  };
}
