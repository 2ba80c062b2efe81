import { z } from 'zod';
import { type DriverEntry, isDriverEntry, reportFormats, workersMax } from './config-values.ts';

const paths = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .transform((value) => (typeof value === 'string' ? [value] : value));

const driverEntry = z.custom<DriverEntry>(isDriverEntry, {
  message: 'a driver is an object with name, can, open and close, a function that returns one, or { module }',
});

/**
 * Schema of `nudgelab.config.ts`. Paths are relative to the file's folder. Command-line options override the file.
 */
export const configSchema = z.strictObject({
  scenarios: paths.optional().describe('Files and folders of scenarios; by default `scenarios`.'),
  fixtures: paths
    .optional()
    .describe('Folders with tenants/ and users/, besides those that ship; by default `fixtures`.'),
  drivers: z.record(z.string().min(1), driverEntry).default({}).describe('Drivers of your own, by name.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A server that is running; without it one is embedded.'),
  controlKey: z
    .string()
    .min(1)
    .optional()
    .describe('Access key of the server: the one that `serve` asks for, and that drivers and commands send.'),
  workers: z.int().min(1).max(workersMax).optional().describe('Scenarios in progress at once on the http driver.'),
  reports: z
    .strictObject({
      dir: z.string().min(1).optional().describe('Folder that reports are written to; without it none are.'),
      formats: z
        .array(z.enum(reportFormats))
        .min(1)
        .default([...reportFormats]),
    })
    .prefault({}),
  redaction: z
    .strictObject({
      keys: z.array(z.string().min(1)).default([]).describe('Fields and headers whose values are secret.'),
      values: z.array(z.string().min(1)).default([]).describe('Texts that are secret themselves.'),
    })
    .prefault({})
    .describe('What reports leave out besides passwords, tokens, cookies and codes.'),
});

/** Configuration as written in the file. */
export type NudgeLabConfig = z.input<typeof configSchema>;

/** Returns the configuration unchanged. It provides types in an editor. */
export function defineConfig(config: NudgeLabConfig): NudgeLabConfig {
  return config;
}
