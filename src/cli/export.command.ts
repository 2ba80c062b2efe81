import { defineCommand } from './command.ts';
import { exportOptions } from './export/export-options.ts';

/** `nudgelab export`: exports a part of a journal as a journey file. */
export const exportCommand = defineCommand({
  name: 'export',
  group: 'Analyze',
  summary: 'export a part of a journal as a journey file',
  description:
    'Writes the events of a sandbox as a journey: JSON Lines with everything needed to replay them and the observed ' +
    'results. A journey contains no passwords or tokens and can be attached to a report. Reads a running server, or a ' +
    'SQLite file that no server uses. Exit codes: 0 done, 2 invalid input.',
  operands: null,
  options: exportOptions,
  examples: [
    {
      line: 'export --out journey.ndjson',
      meaning: 'export the whole journal of the default sandbox of the local server',
    },
    { line: 'export --user ada --out ada.ndjson', meaning: 'export one user, with administrator and clock events' },
    { line: 'export --db lab.db --from 100 --to 250', meaning: 'print part of a stored journal' },
  ],
  run: async (args, context) => (await import('./export/write-journey.ts')).writeJourneyFile(args, context),
});
