import { type ConventionRule, matches } from './convention-rule.ts';

const patterns = [
  {
    pattern: /\b(stdout|stderr|sink|context\.std(out|err))\s*\.\s*write\b/,
    message: 'writes past src/cli/print.ts, which makes visible what others have named',
  },
];

/** Files that may write output: the print module, and the program entry, which creates the sinks. */
const writers: readonly string[] = ['src/cli/print.ts', 'src/cli/main.ts'];

/** Convention: one module writes text for people, because it makes control characters visible. */
export const oneWriter: ConventionRule = {
  id: 'one-writer',
  claim: 'commands print through src/cli/print.ts alone',
  covers: (path) => /^src\/.*\.ts$/.test(path) && !writers.includes(path),
  inspect: (file) => matches(file, patterns),
  canaries: [
    { path: 'src/cli/lint/lint.ts', text: "context.stdout.write('done');" },
    { path: 'src/report/summary-text.ts', text: 'stderr.write(name);' },
    { path: 'src/cli/serve/serve.ts', text: 'const write = stdout.write;' },
  ],
  innocents: [
    { path: 'src/cli/lint/lint.ts', text: 'print(context.stdout, name, (shown) => [shown]);' },
    { path: 'src/replay/import/csv-file.ts', text: 'out.write(bytes);' },
  ],
};
