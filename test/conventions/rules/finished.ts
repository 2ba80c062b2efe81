import { type ConventionRule, isWritten, matches } from './convention-rule.ts';

/** Marks of unfinished work. A bracket in each pattern keeps this file from reporting itself. */
const marks = [
  { pattern: /\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b/, message: 'is not finished; do it, or open an issue' },
  { pattern: /(?<!\bskip )\bfor no[w]\b/i, message: 'promises a change; say what holds today' },
  {
    pattern: /(?<!::)\bplacehol[d]er\b(?!=)|\bnot (yet )?implemen[t]ed\b/i,
    message: 'stands in for something that is missing',
  },
];

/** Convention: no file contains marks of unfinished work. */
export const finished: ConventionRule = {
  id: 'finished',
  claim: 'no file promises what is still to be done',
  covers: isWritten,
  inspect: (file) => matches(file, marks),
  canaries: [
    { path: 'src/core/clock.ts', text: `// ${'TO'}${'DO'}: leap seconds` },
    { path: 'docs/architecture.md', text: `This is enough ${'for'} now.` },
    { path: 'src/core/clock.ts', text: `throw new Error('not ${'implemented'}');` },
  ],
  innocents: [
    { path: 'src/core/clock.ts', text: '// The time of a prompt, asked for nowMs alone.' },
    { path: 'src/server/pages.css', text: `::${'place'}${'holder'} { opacity: 1; }` },
    { path: 'src/server/prompt.page.ts', text: '"Skip for now" is what the specification calls the button.' },
  ],
};
