import { z } from 'zod';
import { tenantFactsSchema } from './facts.schema.ts';
import { confidences } from './import-mapping.schema.ts';

/** Format name in the manifest of an import. */
export const importFormat = 'nudgelab-import';
export const importVersion = 1;

const count = z.int().min(0);
const counted = z.strictObject({ what: z.string(), count, places: z.array(z.string()).readonly() });

/** Report of an import: the data it read, omitted, did not recognize, and inferred. */
export const importReportSchema = z.strictObject({
  files: z.array(z.strictObject({ name: z.string(), kind: z.string(), bytes: count, encoding: z.string() })).readonly(),
  rows: count,
  attempts: count,
  users: count,
  registrations: count,
  policies: count,
  from: z.string().nullable(),
  to: z.string().nullable(),
  skipped: z.array(counted).readonly(),
  anomalies: z.array(counted).readonly(),
  unknownValues: z.array(counted.extend({ field: z.string() })).readonly(),
  inferred: z
    .array(z.strictObject({ fact: z.string(), confidence: z.enum(confidences), count, of: z.string() }))
    .readonly(),
  columns: z.record(z.string(), z.string().nullable()),
  /** Columns of the sign-in logs that the import did not use. */
  unusedColumns: z.array(z.string()).readonly().default([]),
});

/** Schema of the import manifest `import.json`: the table formats, the policies, and the import report. */
export const importManifestSchema = z.strictObject({
  format: z.literal(importFormat),
  version: z.literal(importVersion),
  pseudonyms: z.boolean(),
  /** Policies in chronological order. `fromMs` of the first policy is `null`. */
  policies: z.array(z.strictObject({ fromMs: z.number().nullable(), tenant: tenantFactsSchema })).min(1),
  /** Columns that attempts keep for the facts of rulesets, in the order of the columns `kept0`, `kept1` and so on. */
  keptColumns: z.array(z.string()).readonly().optional(),
  report: importReportSchema,
});
export type ImportManifest = z.infer<typeof importManifestSchema>;
