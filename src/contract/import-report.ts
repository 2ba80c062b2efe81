import type { z } from 'zod';
import type { importReportSchema } from './import-manifest.schema.ts';

/** Report of an import: the data it read, omitted, did not recognize, and inferred. */
export type ImportReport = z.infer<typeof importReportSchema>;

/** Count of one finding, with a few of its locations. */
export type Counted = ImportReport['skipped'][number];
