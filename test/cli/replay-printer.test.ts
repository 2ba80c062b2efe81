import { describe, expect, it } from 'vitest';
import { ReplayPrinter } from '../../src/cli/replay/replay-printer.ts';
import { journeyVersion } from '../../src/contract/journey.schema.ts';
import { testContext } from './command-context.ts';

const driven = {
  driver: 'model',
  status: 'passed',
  steps: [{ checked: 2 }, { checked: 3 }],
  command: 'nudgelab replay',
};
const report = {
  sandbox: 'lab',
  ruleset: 'seed',
  at: '2026-01-05T09:00:00.000Z',
  slice: { from: 1, to: 9, user: null },
  version: journeyVersion,
  users: 2,
  steps: 41,
  verdicts: 17,
  differenceCount: 1,
  differences: [{ line: 12, step: 8, key: 'reason', expected: 'snoozed', actual: 'guest' }],
  omitted: {},
  otherUsersEvents: 0,
};
const results = {
  same: { file: 'same.ndjson', same: true, notRepeatable: { 'token.issued': 4 }, results: [driven] },
  different: { file: 'different.ndjson', same: false, ...report },
  refused: { file: 'refused.ndjson', error: { code: 'journey-damaged', message: 'It is cut.', problems: [] } },
} as const;
type Name = keyof typeof results;

/** Prints the results of some journeys, which arrive in reverse order. */
async function printed(names: readonly Name[], { single = false, json = false }) {
  const context = testContext();
  const printer = new ReplayPrinter(single, { json, color: false }, context);
  const taken = names.map((name, place) => ({ place, result: results[name] })).toReversed();
  await Promise.all(taken.map(({ place, result }) => printer.take(place, result as never)));
  return { code: await printer.end(), text: context.stdout.text };
}

describe('replay: results of several journeys', () => {
  it.each([
    [['same', 'same'], 0, /^2 journeys: 2 same, 0 different, 0 /m],
    [['same', 'different', 'same'], 1, /^3 journeys: 2 same, 1 different, 0 /m],
    [['different', 'refused', 'same'], 2, /^3 journeys: 1 same, 1 different, 1 /m],
    [[], 0, /^0 journeys: 0 same, 0 different, 0 /m],
  ] as const)(
    'the journeys %j exit with %i, and are printed in order with their totals',
    async (names, code, totals) => {
      const ended = await printed(names, {});
      expect(ended.code).toBe(code);
      expect(ended.text).toMatch(totals);
      const files = [...ended.text.matchAll(/(\w+)\.ndjson/g)].map(([, name]) => name);
      expect(files).toEqual(names);
    },
  );

  it.each([
    [['same', 'same'], { journeys: 2, same: 2, different: 0, refused: 0 }, true],
    [['different', 'same', 'refused'], { journeys: 3, same: 1, different: 1, refused: 1 }, false],
    [[], { journeys: 0, same: 0, different: 0, refused: 0 }, true],
  ] as const)('--json: the journeys %j are one JSON object with their totals', async (names, total, same) => {
    const { text } = await printed(names, { json: true });
    expect(JSON.parse(text)).toEqual({ journeys: names.map((name) => results[name]), total, same });
  });
});

describe('replay: result of one journey', () => {
  it('a rerun journey has its driver, its numbers, and the events that were omitted', async () => {
    const { text } = await printed(['same'], { single: true });
    expect(text.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/4 token\.issued/),
      expect.stringMatching(/^SAME same\.ndjson on model: 2 steps, 5 comparisons$/),
    ]);
  });

  it.each([
    ['same', 0],
    ['different', 1],
  ] as const)('a journey that is %s exits with %i and has no totals', async (name, code) => {
    const json = await printed([name], { single: true, json: true });
    expect([json.code, JSON.parse(json.text)]).toEqual([code, results[name]]);
    expect((await printed([name], { single: true })).text).not.toMatch(/journeys:/);
  });

  it('journey-damaged: a journey that cannot be replayed ends the command with its error', async () => {
    await expect(printed(['refused'], { single: true })).rejects.toMatchObject({ code: 'journey-damaged' });
  });
});
