import { describe, expect, test } from 'vitest';
import { optionWords, shellLine, shellQuoted } from '../../src/core/shell-line.ts';
import { splitShellWords } from '../shell-words.ts';

const odd = [
  '',
  'a b.yaml',
  "it's",
  "'",
  '"$HOME"',
  '$(touch made)',
  '`id`',
  'a;b',
  'a&b',
  'a|b',
  '*',
  '~',
  '#1',
  '=ls',
  'a\nb',
  'a\\b',
  '{a,b}',
  'ä',
];

describe('shell lines', () => {
  test.for(odd)('%j is read back by a shell as the one word that it is', (word) => {
    expect(splitShellWords(shellLine('nudgelab', ['run', word, '--config', word]))).toEqual([
      'run',
      word,
      '--config',
      word,
    ]);
  });

  test.for(['scenarios/a.yaml#2', 'http://localhost:3000/s/lab', '--driver', '1/4', 'R5,R6', '0:3:1'])(
    '%s needs no quotes, and has none',
    (word) => {
      expect(shellQuoted(word)).toBe(word);
    },
  );

  test('options without a value are left out', () => {
    expect(optionWords({ url: null, seed: 0, config: 'a b', steps: undefined })).toEqual([
      '--seed',
      '0',
      '--config',
      'a b',
    ]);
  });
});
