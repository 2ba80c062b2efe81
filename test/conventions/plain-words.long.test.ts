import { describe, expect, it } from 'vitest';
import { collectTexts, findPhrase, refused } from '../../tooling/language/plain-words.ts';
import { listTexts } from '../../tooling/language/texts.ts';
import { nonEmpty } from '../non-empty.ts';
import { readTextFiles, repositoryFiles } from './repository.ts';

describe('plain words', () => {
  const texts = collectTexts(readTextFiles(repositoryFiles()));

  it.for(nonEmpty(refused))('glossary: no text contains "$phrase" instead of "$use"', (phrase) => {
    expect(texts.length).toBeGreaterThan(1_000);
    const found = findPhrase(phrase, texts);
    expect(found.map(({ path, line, text }) => `${path}:${line} ${text.slice(0, 120)}`)).toEqual([]);
  });

  it.each([
    ['README.md', 'It is told anew.', 'anew'],
    ['README.md', 'A user who is\nlogged in.', 'logged in'],
    ['src/a.ts', '/** Nobody is asked. */\nexport const a = 1;', 'nobody'],
    ['src/a.ts', "export const a = 'Turn a knob first.';", 'knob'],
    ['src/a.ts', 'export const a = `It is under way`;', 'under way'],
    ['console/src/a.tsx', 'export const A = () => <button title="All knobs">Take back</button>;', 'take back'],
    ['console/src/a.tsx', 'export const A = () => <button title="All the knobs">Reset</button>;', 'knobs'],
  ])('canary: %s with %j is reported', (path, source, phrase) => {
    const found = refused
      .filter((one) => one.phrase === phrase)
      .flatMap((one) => findPhrase(one, listTexts(path, source)));
    expect(found).toHaveLength(1);
  });

  it.each([
    ['README.md', 'Use `anew` and [a link](anew.md).'],
    ['README.md', '```sh\nanew knob\n```'],
    ['src/a.ts', 'export const knob = nobody(1);'],
    ['src/a.ts', "export const a = 'desktop and doorknob in one sentence';"],
    ['console/src/a.tsx', 'export const A = () => <button className="knob nobody">Reset</button>;'],
  ])('innocent: %s with %j is not reported', (path, source) => {
    const innocent = listTexts(path, source);
    expect(refused.flatMap((one) => findPhrase(one, innocent))).toEqual([]);
  });
});
