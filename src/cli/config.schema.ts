import { z } from 'zod';
import { type DriverEntry, isDriverEntry, reportFormats, workersMax } from './config-values.ts';

const paths = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .transform((value) => (typeof value === 'string' ? [value] : value));

const driverEntry = z.custom<DriverEntry>(isDriverEntry, {
  message: 'must be an object with name, can, open and close, a function that returns one, or { module }',
});

/**
 * Schema of `nudgelab.config.ts`. Paths are relative to the file's folder. Command-line options override the file.
 */
export const configSchema = z.strictObject({
  scenarios: paths.optional().describe('Scenario files and folders (default: `scenarios`).'),
  fixtures: paths
    .optional()
    .describe('Folders with tenants/ and users/, in addition to the built-in fixtures (default: `fixtures`).'),
  rulesets: paths
    .optional()
    .describe('Ruleset files that the commands know by their ids: paths or patterns such as `rules/*.ruleset.yaml`.'),
  ruleset: z
    .string()
    .min(1)
    .optional()
    .describe('Id of a ruleset, or a ruleset file, for everything that names none (default: `seed`).'),
  drivers: z.record(z.string().min(1), driverEntry).default({}).describe('Custom drivers, by name.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of a running server; if omitted, a server is embedded.'),
  controlKey: z
    .string()
    .min(1)
    .optional()
    .describe('Control key of the server: `serve` requires it, and drivers and commands send it.'),
  workers: z.int().min(1).max(workersMax).optional().describe('Number of scenarios in parallel on the http driver.'),
  reports: z
    .strictObject({
      dir: z.string().min(1).optional().describe('Folder for reports; if omitted, no reports are written.'),
      formats: z
        .array(z.enum(reportFormats))
        .min(1)
        .default([...reportFormats]),
    })
    .prefault({}),
  redaction: z
    .strictObject({
      keys: z.array(z.string().min(1)).default([]).describe('Names of fields and headers whose values are secret.'),
      values: z.array(z.string().min(1)).default([]).describe('Values that are secret wherever they appear.'),
    })
    .prefault({})
    .describe('What reports redact in addition to passwords, tokens, cookies and codes.'),
});

/** Configuration as written in the file. */
export type NudgeLabConfig = z.input<typeof configSchema>;

/** Returns the configuration unchanged. It provides types in an editor. */
export function defineConfig(config: NudgeLabConfig): NudgeLabConfig {
  return config;
}
