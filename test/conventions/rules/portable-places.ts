import { type ConventionRule, isWritten, matches } from './convention-rule.ts';

const places = [
  { pattern: /(?<![\w.:-])\/(work|root|home\/\w+|tmp\/notes)\//, message: 'names a folder of one machine' },
  { pattern: /\bshared\/(spec|design)\b/, message: 'names a file that is not in the repository' },
  { pattern: /\bregistry\.[a-z]+\.[a-z]+|\bnpmmirror\b/, message: 'names a package registry' },
];

/** Convention: texts contain no folder of one machine and no package registry. */
export const portablePlaces: ConventionRule = {
  id: 'portable-places',
  claim: 'no file names a folder of one machine or a package registry',
  covers: isWritten,
  inspect: (file) => matches(file, places),
  canaries: [
    { path: 'README.md', text: `Clone it to ${['', 'work', 'main'].join('/')}.` },
    { path: 'src/core/clock.ts', text: `// See ${['shared', 'spec'].join('/')}.` },
    { path: '.npmrc', text: `# ${['registry', 'npmjs', 'org'].join('.')}` },
  ],
  innocents: [
    { path: 'README.md', text: 'The network/root/ folder, src/work/main.ts and https://example.test/home/a/.' },
  ],
};
