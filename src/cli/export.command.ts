import { defineCommand } from './command.ts';
import { exportedParts, exportOptions } from './export/export-options.ts';

/** `nudgelab export`: exports a part of a journal as a journey file, or the logs for `import`. */
export const exportCommand = defineCommand({
  name: 'export',
  description:
    'Writes the events of a sandbox as a journey: JSON Lines with everything needed to replay them and the observed ' +
    'results. A journey contains no passwords or tokens and can be attached to a report. Reads a running server, or a ' +
    'SQLite file that no server uses. With `logs`, writes the sign-in log, the audit log, the registration report, the ' +
    'group members, the policy and the tenant of a running server to a folder, for `nudgelab import`. ' +
    'Exit codes: 0 done, 2 invalid input.',
  operands: { description: 'journey (default); logs', words: exportedParts },
  options: exportOptions,
  examples: [
    {
      line: 'export --out journey.ndjson',
      meaning: 'export the whole journal of the default sandbox of the local server',
    },
    { line: 'export --user ada --out ada.ndjson', meaning: 'export one user, with administrator and clock events' },
    { line: 'export logs --out logs', meaning: 'export the logs of the default sandbox' },
    { line: 'export --db lab.db --from 100 --to 250', meaning: 'print part of a stored journal' },
  ],
  run: async (args, context) => (await import('./export/export-part.ts')).exportPart(args, context),
});
