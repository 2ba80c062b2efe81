import { defineCommand } from './command.ts';
import { importOptions } from './import/import-options.ts';

/** `nudgelab import`: exports of a real tenant, for comparisons and forecasts. */
export const importCommand = defineCommand({
  name: 'import',
  summary: 'read the exports of a tenant, for comparisons and forecasts',
  description:
    'Reads sign-in logs (JSON, NDJSON, CSV or Parquet, larger than memory too), the report of registrations, the policy and ' +
    'its audit log, and writes a folder that `compare` and `forecast` read. Rows become attempts; what was left out, what was ' +
    'not known and what was inferred is counted in its report. How columns and values are read is data: --mapping names a ' +
    'changed copy of what --show-mapping prints. With --generate it makes up exports to try with. Ends with 0, or with 2 for ' +
    'what the caller can mend. Needs the package @duckdb/node-api.',
  operands: { syntax: '[sign-ins...]', description: 'sign-in logs' },
  options: importOptions,
  examples: [
    {
      line: 'import sign-ins.json --registrations registrations.csv --policy policy.json --out tenant',
      meaning: 'read the exports of a tenant into the folder tenant',
    },
    {
      line: 'import log.parquet --pseudonyms key.txt --out tenant',
      meaning: 'call users by names that only the key can make',
    },
    {
      line: 'import --generate 100000 --seed 7 --as parquet --out made-up',
      meaning: 'make up exports of 100,000 rows',
    },
    { line: 'import --show-mapping > mapping.yaml', meaning: 'print the mapping, to be changed' },
  ],
  run: async (args, context) => (await import('./import/import-exports.ts')).importExports(args, context),
});
