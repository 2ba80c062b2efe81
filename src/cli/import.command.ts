import { defineCommand } from './command.ts';
import { importOptions } from './import/import-options.ts';

/** `nudgelab import`: imports exports of a real tenant for comparisons and forecasts. */
export const importCommand = defineCommand({
  name: 'import',
  description:
    'Reads sign-in logs (JSON, NDJSON, CSV or Parquet, of any size), the registration report, the policy and its ' +
    'audit log, and writes a folder for `compare` and `forecast`. The report counts omitted, unknown and inferred ' +
    'values. A mapping defines how columns and values are read: save it with --print-mapping, edit it, and pass it ' +
    'with --mapping. With --synthesize it creates synthetic exports. Needs the package @duckdb/node-api. Exit codes: ' +
    '0 done, 2 invalid input.',
  operands: { description: 'sign-in logs' },
  options: importOptions,
  examples: [
    {
      line: 'import sign-ins.json --registrations registrations.csv --policy policy.json --out tenant',
      meaning: 'read the exports of a tenant into the folder tenant',
    },
    {
      line: 'import log.parquet --pseudonym-key key.txt --out tenant',
      meaning: 'replace user ids with pseudonyms that only the key can create',
    },
    {
      line: 'import --synthesize 100000 --seed 7 --format parquet --out synthetic',
      meaning: 'create synthetic exports with 100,000 rows',
    },
    { line: 'import --print-mapping > mapping.yaml', meaning: 'save the mapping for editing' },
  ],
  run: async (args, context) => (await import('./import/import-exports.ts')).importExports(args, context),
});
