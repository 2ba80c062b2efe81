import { z } from 'zod';
import { tenantFactsSchema } from './facts.schema.ts';
import { confidences } from './import-mapping.schema.ts';

/** What the manifest of an import calls its format, and the version that this program writes. */
export const importFormat = 'nudgelab-import';
export const importVersion = 1;

const count = z.int().min(0);
const counted = z.strictObject({ what: z.string(), count, places: z.array(z.string()).readonly() });

/** What an import read, left out, did not know and inferred. */
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
  /** Columns of the sign-in logs that nothing was read of. */
  unusedColumns: z.array(z.string()).readonly().default([]),
});

/** `import.json` of an import: how to read the tables beside it, the policies, and the report. */
export const importManifestSchema = z.strictObject({
  format: z.literal(importFormat),
  version: z.literal(importVersion),
  pseudonyms: z.boolean(),
  /** Policies in the order of time; `fromMs` of the first is `null`. */
  policies: z.array(z.strictObject({ fromMs: z.number().nullable(), tenant: tenantFactsSchema })).min(1),
  report: importReportSchema,
});
export type ImportManifest = z.infer<typeof importManifestSchema>;
