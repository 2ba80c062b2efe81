import { defineCommand } from './command.ts';
import { exportOptions } from './export/export-options.ts';

/** `nudgelab export`: a part of a journal as a journey file. */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write a part of a journal as a journey file',
  description:
    'Writes what happened in a sandbox as a journey: one JSON object a line, with all that is needed to fold it again and with ' +
    'what was seen. It holds neither passwords nor tokens and can be attached to a report. Reads a running server, or a ' +
    'SQLite file that no server holds. Ends with 0, or with 2 for a mistake of the caller.',
  operands: null,
  options: exportOptions,
  examples: [
    {
      line: 'export --out journey.ndjson',
      meaning: 'the whole journal of the default sandbox of the server on this machine',
    },
    { line: 'export --user ada --out ada.ndjson', meaning: 'one user, with what the administrator and the clock did' },
    { line: 'export --db lab.db --from 100 --to 250', meaning: 'a part of a journal on disk, to the standard output' },
  ],
  run: async (args, context) => (await import('./export/write-journey.ts')).writeJourneyFile(args, context),
});
