import { computeDigest, forbiddenDigests } from '../forbidden-words.ts';
import type { Fault, TextFile } from '../repository.ts';
import { type ConventionRule, isWritten, matches } from './convention-rule.ts';

/** The project speaks of itself alone. */
export const forbiddenWords = wordsRule(forbiddenDigests);

/** The same rule with a list of its own for the canaries, since the real words may not be planted either. */
export function wordsRule(digests: ReadonlyMap<string, string>): ConventionRule {
  return {
    id: 'forbidden-words',
    claim: 'no file names a brand, a tool or its maker',
    covers: (path) => isWritten(path) && !isWireValue(path),
    inspect: (file) => wordFaults(file, digests),
    canaries: [],
    innocents: [{ path: 'README.md', text: 'A simulator for registration campaigns.' }],
  };
}

/** Exports of other systems name what those systems call themselves: the mappings that read them, and their examples. */
function isWireValue(path: string): boolean {
  return path.startsWith('fixtures/imports/') || path.startsWith('test/replay/import/');
}

function wordFaults(file: TextFile, digests: ReadonlyMap<string, string>): readonly Fault[] {
  return file.text.split('\n').flatMap((line, index) => {
    const words = wordsOf(line);
    const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
    const single = words.filter((_, at) => !namesBrowser(words[at + 1]));
    return [...single, ...pairs].flatMap((candidate) => {
      const kind = digests.get(cachedDigest(candidate));
      return kind === undefined
        ? []
        : [{ path: file.path, line: index + 1, message: `names ${kind}: "${candidate}".` }];
    });
  });
}

/** A browser is called by its whole name, its maker's included: that is how programs find it, and how it announces itself. */
function namesBrowser(next: string | undefined): boolean {
  return next === 'edge';
}

/** Splits a line into lower-case words; `camelCase` counts as two words and as one. */
function wordsOf(line: string): readonly string[] {
  const split = line.replace(/([a-z\d])([A-Z])/g, '$1 $2');
  const whole = line === split ? [] : (line.match(/[A-Za-z\d]+/g) ?? []);
  return [...(split.match(/[A-Za-z\d]+/g) ?? []), ...whole].map((word) => word.toLowerCase());
}

const digestCache = new Map<string, string>();

function cachedDigest(word: string): string {
  const digest = digestCache.get(word) ?? computeDigest(word);
  digestCache.set(word, digest);
  return digest;
}

const places = [
  { pattern: /(?<![\w.:-])\/(work|root|home\/\w+|tmp\/notes)\//, message: 'names a folder of one machine' },
  { pattern: /\bshared\/(spec|design)\b/, message: 'names a file that is not in the repository' },
  { pattern: /\bregistry\.[a-z]+\.[a-z]+|\bnpmmirror\b/, message: 'names a package registry' },
];

/** What is written holds on every machine. */
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
