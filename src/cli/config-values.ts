import type { Driver } from '../scenario/driver.ts';

/**
 * Allowed configuration values that are needed without the schema, because a run without a configuration loads no
 * schema.
 */

/** Formats of the reports that a test run can write. */
export const reportFormats = ['json', 'junit', 'ctrf', 'html', 'markdown', 'coverage'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Maximum number of scenarios that run concurrently on a driver. */
export const workersMax = 64;

/** Number of scenarios in parallel unless an option or the configuration sets it. */
export const workersDefault = 4;

/** Custom driver: a driver object, a function that creates one, or a module that exports either as `driver`. */
export type DriverEntry = Driver | (() => Driver | Promise<Driver>) | { readonly module: string };

/** Checks whether a value is a driver. */
export function isDriver(value: unknown): value is Driver {
  if (typeof value !== 'object' || value === null) return false;
  const { name, can, open, close } = value as Partial<Record<keyof Driver, unknown>>;
  return typeof name === 'string' && can instanceof Set && typeof open === 'function' && typeof close === 'function';
}

/** Checks whether a value is a driver or specifies how to create one. */
export function isDriverEntry(value: unknown): value is DriverEntry {
  if (typeof value === 'function' || isDriver(value)) return true;
  return typeof value === 'object' && value !== null && typeof (value as { module?: unknown }).module === 'string';
}

/** Drivers that need no configuration. */
export const builtInDrivers = ['model', 'http', 'browser'] as const;
export type BuiltInDriver = (typeof builtInDrivers)[number];
