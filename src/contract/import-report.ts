import type { z } from 'zod';
import type { importReportSchema } from './import-manifest.schema.ts';

/** What an import read, left out, did not know and inferred. */
export type ImportReport = z.infer<typeof importReportSchema>;

/** Something counted, with a few places where it stands. */
export type Counted = ImportReport['skipped'][number];
