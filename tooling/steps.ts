/** One check of the repository. */
export interface Step {
  /** What holds when the step passes, as a sentence: the line that is printed. */
  readonly sentence: string;
  /** What runs it, found in node_modules/.bin first; `npx` before it repeats it by hand. */
  readonly command: string;
  /** Finds in the output how much was looked at; nothing, or zero, is a failure even when the command is content. */
  readonly evidence: RegExp;
  /** What the evidence counts. */
  readonly unit: string;
}

/** The checks in the order in which they run: the quickest to repair first. */
export const steps: readonly Step[] = [
  {
    sentence: 'Every file is formatted',
    command: 'biome format .',
    evidence: /Checked (\d+) files/,
    unit: 'files',
  },
  {
    sentence: 'No lint rule is broken and imports are in order',
    command: 'biome check --formatter-enabled=false --error-on-warnings --max-diagnostics=100 .',
    evidence: /Checked (\d+) files/,
    unit: 'files',
  },
  {
    sentence: 'Every word is spelled as in US English',
    command:
      'cspell lint -c tooling/language/cspell.json --root . --no-progress "{src,machines,console/src,site,tooling}/**/*.{ts,tsx}" "*.md" "docs/**/*.md"',
    evidence: /Files checked: (\d+)/,
    unit: 'files',
  },
  {
    sentence: 'The types hold',
    command: 'tsc --diagnostics',
    evidence: /^Files: +(\d+)/m,
    unit: 'files, those of the libraries included',
  },
  {
    sentence: 'The types of the console hold',
    command: 'tsc -p console --diagnostics',
    evidence: /^Files: +(\d+)/m,
    unit: 'files, those of the libraries included',
  },
  {
    sentence: 'The types of the documentation site hold',
    command: 'tsc -p site --diagnostics',
    evidence: /^Files: +(\d+)/m,
    unit: 'files, those of the libraries included',
  },
  {
    sentence: 'No file, export or dependency is unused',
    command: 'knip --no-progress --reporter symbols --reporter ./tooling/dead-code.reporter.ts',
    evidence: /\b(\d+) files read/,
    unit: 'files',
  },
  {
    sentence: 'Every import is in the table of module boundaries',
    command: 'vitest run --reporter=dot test/conventions/layers.test.ts',
    evidence: /Tests +(\d+) passed/,
    unit: 'tests',
  },
  {
    sentence: 'The conventions are kept',
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
  },
  {
    sentence: 'The package builds, and what would be published runs the shipped scenarios',
    command: 'node tooling/package.ts',
    evidence: /\b(\d+) files packed/,
    unit: 'files',
  },
];
