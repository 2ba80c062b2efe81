import { expect, it } from 'vitest';
import { replayLines } from '../../src/cli/replay/replay-text.ts';
import { journeyVersion } from '../../src/contract/journey.schema.ts';
import { plainPalette } from '../../src/report/palette.ts';

const report = {
  sandbox: 'lab',
  ruleset: 'seed',
  seed: 1,
  at: '2026-01-05T09:00:00.000Z',
  slice: { from: 1, to: 9, user: null },
  version: journeyVersion,
  users: 2,
  steps: 41,
  verdicts: 17,
  same: true,
  differenceCount: 0,
  differences: [],
  omitted: {},
  otherUsersEvents: 0,
} as const;
const difference = { line: 12, step: 8, key: 'reason', expected: 'snoozed', actual: 'guest' };

it.each([
  ['the same journey', {}, [/lab.*2 users.*seed/, /SAME.*41.*17/]],
  ['the journey of one user', { slice: { from: 1, to: 9, user: 'ada' } }, [/user ada/, /SAME/]],
  ['an older version', { version: 0 }, [/lab/, /version 0/, /SAME/]],
  [
    'omitted events',
    { omitted: { 'token.issued': 3, 'clock.set': 2 } },
    [/lab/, /3 token\.issued, 2 clock\.set/, /SAME/],
  ],
  ['events of other users', { otherUsersEvents: 5 }, [/lab/, /other users, omitted: 5\./, /SAME/]],
  [
    'a difference',
    { same: false, differenceCount: 1, differences: [difference] },
    [/lab/, /DIFFERENT.*1 .*41/, /line 12, step 8: reason/, /snoozed/, /guest/],
  ],
  [
    'a difference of the beginning',
    { same: false, differenceCount: 1, differences: [{ ...difference, step: null }] },
    [/lab/, /DIFFERENT/, /line 12: reason/, /snoozed/, /guest/],
  ],
  [
    'more differences than are listed',
    { same: false, differenceCount: 8, differences: [difference] },
    [/lab/, /DIFFERENT.*8/, /line 12/, /snoozed/, /guest/, /7/],
  ],
] as const)('replay: the report of %s has these lines and no others', (_what, changed, expected) => {
  const lines = replayLines('lab.ndjson', { ...report, ...changed } as never, plainPalette);
  expect(lines).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});
