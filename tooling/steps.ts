/** Check of the repository. */
export interface Step {
  /** Sentence that is true if the step passes. It is printed as the line of the step. */
  readonly sentence: string;
  /**
   * Command of the step. Programs in node_modules/.bin have priority. Prefix the command with `npx` to repeat it
   * manually.
   */
  readonly command: string;
  /**
   * Pattern that finds the number of checked items in the output. A missing number or zero is a failure even if the
   * command succeeds.
   */
  readonly evidence: RegExp;
  /** Unit of the evidence. */
  readonly unit: string;
  /** True if the step uses all processors and waits for browsers and servers, so that no other one runs at the same time. */
  readonly alone?: true;
}

/**
 * Checks in the order in which they are printed, starting with the one that is fastest to repair. Those that run alone are
 * the last.
 */
export const steps: readonly Step[] = [
  {
    sentence: 'Every file is formatted',
    command: 'biome format .',
    evidence: /Checked (\d+) files/,
    unit: 'files',
  },
  {
    sentence: 'The code has no lint errors, and imports are sorted',
    command: 'biome check --formatter-enabled=false --error-on-warnings --max-diagnostics=100 .',
    evidence: /Checked (\d+) files/,
    unit: 'files',
  },
  {
    sentence: 'All words follow US spelling',
    command:
      'node tooling/packages-on-demand.ts tooling/checkers cspell lint -c tooling/language/cspell.json --root . --no-progress "{src,machines,console/src,site,tooling}/**/*.{ts,tsx}" "*.md" "docs/**/*.md"',
    evidence: /Files checked: (\d+)/,
    unit: 'files',
  },
  {
    sentence: 'Type checking passes',
    command: 'tsc --diagnostics',
    evidence: /^Files: +(\d+)/m,
    unit: 'files, including those of libraries',
  },
  {
    sentence: 'Type checking of the console passes',
    command: 'tsc -p console --diagnostics',
    evidence: /^Files: +(\d+)/m,
    unit: 'files, including those of libraries',
  },
  {
    sentence: 'Type checking of folders with their own packages passes',
    command: 'node tooling/check-folders.ts',
    evidence: /\b(\d+) files$/m,
    unit: 'files, including those of libraries',
  },
  {
    sentence: 'No file, export or dependency is unused',
    command:
      'node tooling/packages-on-demand.ts tooling/checkers knip --no-progress --reporter symbols --reporter ./tooling/checkers/dead-code.reporter.ts',
    evidence: /\b(\d+) files read/,
    unit: 'files',
  },
  {
    sentence: 'Every import follows the table of module boundaries',
    command: 'vitest run --reporter=dot test/conventions/layers.test.ts',
    evidence: /Tests +(\d+) passed/,
    unit: 'tests',
  },
  {
    sentence: 'All conventions are followed',
    command: 'vitest run --mode all --reporter=dot test/conventions/conventions.long.test.ts',
    evidence: /Tests +(\d+) passed/,
    unit: 'tests',
  },
  {
    sentence: 'The generated documents are up to date',
    command: 'node tooling/docs.ts --check',
    evidence: /\b(\d+) documents/,
    unit: 'documents',
  },
  {
    sentence: 'The documentation site builds, its links lead somewhere, and its first page is small',
    command: 'node tooling/site.ts',
    evidence: /\b(\d+) pages/,
    unit: 'pages',
  },
  {
    sentence: 'Every command of the documentation runs',
    command: 'vitest run --reporter=dot test/doc-commands',
    evidence: /Tests +(\d+) passed/,
    unit: 'tests',
    alone: true,
  },
  {
    sentence: 'The package builds, and the packed files run the bundled scenarios',
    command: 'node tooling/packages-on-demand.ts tooling/checkers node tooling/package.ts',
    evidence: /\b(\d+) files packed/,
    unit: 'files',
    alone: true,
  },
];
