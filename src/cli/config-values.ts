import type { Driver } from '../scenario/driver.ts';

/** What a configuration may say, apart from its schema: a run without a configuration loads no schema. */

/** Reports that a run can write. */
export const reportFormats = ['json', 'junit', 'ctrf', 'html', 'markdown', 'coverage'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Most scenarios that may be in progress at once on a driver. */
export const workersMax = 64;

/** Number of scenarios in parallel unless an option or the configuration sets it. */
export const workersDefault = 4;

/** A driver of one's own: the object, a function that makes it, or a module that exports either as `driver`. */
export type DriverEntry = Driver | (() => Driver | Promise<Driver>) | { readonly module: string };

/** Whether a value can be run scenarios on. */
export function isDriver(value: unknown): value is Driver {
  if (typeof value !== 'object' || value === null) return false;
  const { name, can, open, close } = value as Partial<Record<keyof Driver, unknown>>;
  return typeof name === 'string' && can instanceof Set && typeof open === 'function' && typeof close === 'function';
}

/** Whether a value is a driver, or says how to come by one. */
export function isDriverEntry(value: unknown): value is DriverEntry {
  if (typeof value === 'function' || isDriver(value)) return true;
  return typeof value === 'object' && value !== null && typeof (value as { module?: unknown }).module === 'string';
}

/** The drivers that need no configuration. */
export const builtInDrivers = ['model', 'http', 'browser'] as const;
