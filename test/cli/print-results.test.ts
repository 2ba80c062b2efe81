import { expect, it } from 'vitest';
import { printResults } from '../../src/cli/lookup/print-results.ts';
import { RecordedSink } from './command-context.ts';

const answer = {
  query: 'ada@example.test',
  type: 'email',
  results: {
    quorvex: { found: true, username: 'ada', bio: 'says "hi", twice', followers: 12 },
    plimbo: { found: false, error: null },
  },
};

function printed(format: 'text' | 'csv' | 'json', isTable = true): string {
  const sink = new RecordedSink();
  printResults(sink, answer, { format, isTable });
  return sink.text;
}

it('L4: the table has a row for every tool, with an empty cell for a missing value, and the number of accounts', () => {
  expect(printed('text').split('\n')).toEqual([
    'tool     found  username  profile_url',
    'quorvex  true   ada',
    'plimbo   false',
    '',
    expect.stringMatching(/^1 of 2 /),
    '',
  ]);
});

it('L4: the result of one tool has a line for every field', () => {
  expect(printed('text', false).split('\n')).toEqual([
    'quorvex',
    '  found: true',
    '  username: ada',
    '  bio: says "hi", twice',
    '  followers: 12',
    'plimbo',
    '  found: false',
    '  error: ',
    '',
  ]);
});

it('L4: CSV has a column for every field of any tool, and quotes cells with commas and quotes', () => {
  expect(printed('csv').split('\r\n')).toEqual([
    'tool,found,username,bio,followers,error',
    'quorvex,true,ada,"says ""hi"", twice",12,',
    'plimbo,false,,,,',
    '',
  ]);
});

it('L4: JSON is the response itself', () => {
  expect(JSON.parse(printed('json'))).toEqual(answer);
});
