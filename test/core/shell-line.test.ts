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

describe('shell command lines', () => {
  test.for(odd)('%j is parsed by a shell as one word', (word) => {
    expect(splitShellWords(shellLine('nudgelab', ['run', word, '--config', word]))).toEqual([
      'run',
      word,
      '--config',
      word,
    ]);
  });

  test.for(['scenarios/a.yaml#2', 'http://localhost:3000/s/lab', '--driver', '1/4', 'R5,R6', '0:3:1'])(
    '%s is written without quotes',
    (word) => {
      expect(shellQuoted(word)).toBe(word);
    },
  );

  test('options without a value are omitted', () => {
    expect(optionWords({ url: null, seed: 0, config: 'a b', steps: undefined })).toEqual([
      '--seed',
      '0',
      '--config',
      'a b',
    ]);
  });
});
