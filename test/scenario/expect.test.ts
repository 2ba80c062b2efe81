import { describe, expect, it } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { completeFacts } from '../../src/contract/attempt-facts.ts';
import { factsSchema } from '../../src/contract/facts.schema.ts';
import { type Expectation, type ExpectationKey, expectSchema } from '../../src/contract/scenario.schema.ts';
import { listMismatches, type Seen } from '../../src/scenario/expect.ts';
import { nonEmpty } from '../non-empty.ts';

const verdict: Verdict = {
  ...evaluate(completeFacts(factsSchema.parse({ user: { id: 'ada' } })).facts, seedRuleset),
  outcome: 'none',
  reason: 'snoozed',
  warnings: [
    { code: 'include-targets-empty', message: 'empty' },
    { code: 'unknown-target', message: 'unknown' },
  ],
};

const ceremony = {
  type: 'create',
  mediation: 'conditional',
  origin: 'http://localhost',
  rpId: 'localhost',
  hints: ['client-device'],
  outcome: 'completed',
  userPresent: false,
  userVerified: true,
  extensions: { credProps: { rk: true } },
} as const;

const signals = {
  unknownCredential: false,
  allAcceptedCredentials: 2,
  currentUserDetails: { name: 'ada', displayName: 'Ada' },
} as const;

const seen: Seen = {
  observation: {
    page: 'not-nudged',
    visitedPages: ['terms-of-use', 'account-picker'],
    outcome: 'none',
    status: 409,
    headers: { ETag: 'W/"7"', 'x-ratelimit-remaining': '29' },
    body: { a: 1, list: [{ b: 2, c: 3 }, { d: null }] },
    ceremony: { ...ceremony },
    signals: { ...signals },
  },
  verdict,
  nudgeStatus: { state: 'snoozed', snoozes: 2, snoozesLeft: 1, nextPromptAt: '2026-01-06T09:00:00.000Z' },
};

/** Matching and non-matching cases of each expectation, with the message of the mismatch. */
const table: {
  readonly [K in ExpectationKey]-?: {
    readonly right: readonly Expectation[K][];
    readonly wrong: readonly (readonly [wanted: Expectation[K], actual: unknown, expected?: unknown])[];
  };
} = {
  page: { right: ['not-nudged', 'terms-of-use', 'account-picker'], wrong: [['prompt', 'not-nudged']] },
  visitedPages: {
    right: [['terms-of-use', 'account-picker']],
    wrong: [
      [[], ['terms-of-use', 'account-picker']],
      [['terms-of-use'], ['terms-of-use', 'account-picker']],
      [
        ['account-picker', 'terms-of-use'],
        ['terms-of-use', 'account-picker'],
      ],
    ],
  },
  outcome: { right: ['none'], wrong: [['skippable', 'none']] },
  reason: {
    right: ['snoozed'],
    wrong: [
      ['excluded', 'snoozed'],
      [null, 'snoozed'],
    ],
  },
  snoozes: {
    right: [2],
    wrong: [
      [1, 2],
      [3, 2],
      [0, 2],
    ],
  },
  snoozesLeft: {
    right: [1],
    wrong: [
      [2, 1],
      [0, 1],
      [null, 1],
    ],
  },
  nextPromptAt: {
    right: ['2026-01-06T09:00:00.000Z', '2026-01-06T09:00:00Z'],
    wrong: [
      ['2026-01-06T09:00:00.001Z', '2026-01-06T09:00:00.000Z'],
      [null, '2026-01-06T09:00:00.000Z'],
    ],
  },
  state: { right: ['snoozed'], wrong: [['prompted', 'snoozed']] },
  status: { right: [409], wrong: [[200, 409]] },
  headers: {
    right: [{ etag: 'W/"7"' }, { 'X-RateLimit-Remaining': '29', ETag: 'W/"7"' }],
    wrong: [
      [{ etag: 'W/"8"' }, { etag: 'W/"7"' }],
      [{ ETAG: 'w/"7"' }, { ETAG: 'W/"7"' }],
      [{ 'retry-after': '1' }, { 'retry-after': null }],
      [{ etag: 'W/"7"', 'retry-after': '1' }, { 'retry-after': null }, { 'retry-after': '1' }],
      [{ 'retry-after': '1', etag: 'W/"7"' }, { 'retry-after': null }, { 'retry-after': '1' }],
    ],
  },
  body: {
    right: [{}, { a: 1 }, { list: [{ b: 2 }, {}] }, { list: [{ c: 3, b: 2 }, { d: null }] }],
    wrong: [
      ...[
        { a: 2 },
        { a: '1' },
        { a: null },
        { a: 1, z: 1 },
        { list: [] },
        { list: [{ b: 2 }] },
        { list: [{}, {}, {}] },
        { list: [{}, { b: 2 }] },
        { list: {} },
        [],
        null,
      ].map((wanted) => [wanted, seen.observation.body] as const),
    ],
  },
  remaining: {
    right: [29],
    wrong: [
      [28, 29],
      [0, 29],
      [null, 29],
    ],
  },
  warnings: {
    right: [['include-targets-empty'], ['unknown-target'], ['unknown-target', 'include-targets-empty']],
    wrong: [
      [['campaign-reaches-nobody'], ['include-targets-empty', 'unknown-target']],
      [
        ['unknown-target', 'campaign-reaches-nobody'],
        ['include-targets-empty', 'unknown-target'],
      ],
      [
        ['campaign-reaches-nobody', 'include-targets-empty'],
        ['include-targets-empty', 'unknown-target'],
      ],
      [[], ['include-targets-empty', 'unknown-target']],
    ],
  },
  ceremony: {
    right: [{ type: 'create', userPresent: false }, { extensions: { credProps: { rk: true } } }],
    wrong: [
      [{ type: 'get' }, ceremony],
      [{ mediation: 'optional' }, ceremony],
      [{ userPresent: true }, ceremony],
      [{ hints: [] }, ceremony],
      [{ outcome: 'NotAllowedError' }, ceremony],
      [{ extensions: { credProps: { rk: false } } }, ceremony],
      [null, ceremony],
    ],
  },
  signals: {
    right: [{ allAcceptedCredentials: 2 }, { currentUserDetails: { name: 'ada' } }],
    wrong: [
      [{ unknownCredential: true }, signals],
      [{ allAcceptedCredentials: 3 }, signals],
      [{ allAcceptedCredentials: null }, signals],
      [{ currentUserDetails: { name: 'bob' } }, signals],
    ],
  },
};

/** Result of each expectation if the driver observed nothing to compare it with. */
const unseen: { readonly [K in ExpectationKey]-?: readonly [wanted: Expectation[K], actual: unknown] } = {
  page: ['prompt', 'no page'],
  visitedPages: [[], null],
  outcome: ['none', null],
  reason: [null, 'no verdict'],
  snoozes: [0, null],
  snoozesLeft: [3, null],
  nextPromptAt: [null, 'no nudge status'],
  state: ['notPrompted', null],
  status: [200, null],
  headers: [{ etag: '1' }, { etag: null }],
  body: [{}, null],
  remaining: [null, 'no answer'],
  warnings: [[], 'no verdict'],
  ceremony: [null, 'no page'],
  signals: [{}, 'no page'],
};

const keys = Object.keys(table) as ExpectationKey[];
const right = keys.flatMap((key) => table[key].right.map((wanted) => ({ key, wanted })));
const wrong = keys.flatMap((key) =>
  table[key].wrong.map(([wanted, actual, expected = wanted]) => ({ key, wanted, actual, expected })),
);

describe('expectations', () => {
  it('every key of `expect` has a row', () => {
    const all = Object.keys(expectSchema.shape).toSorted();
    expect(keys.toSorted()).toEqual(all);
    expect(Object.keys(unseen).toSorted()).toEqual(all);
  });

  it.each(nonEmpty(right))('$key matches: $wanted', ({ key, wanted }) => {
    expect(listMismatches({ [key]: wanted }, seen)).toEqual([]);
  });

  it.each(nonEmpty(wrong))('$key does not match: $wanted', ({ key, wanted, expected, actual }) => {
    expect(listMismatches({ [key]: wanted }, seen)).toEqual([{ key, expected, actual }]);
  });

  it.each(nonEmpty(keys))('%s does not match if nothing was observed', (key) => {
    const [wanted, actual] = unseen[key];
    const nothing: Seen = { observation: {}, verdict: null, nudgeStatus: null };
    expect(listMismatches({ [key]: wanted }, nothing)).toEqual([{ key, expected: wanted, actual }]);
  });

  it('A15: an empty list of warnings matches a verdict without warnings', () => {
    expect(listMismatches({ warnings: [] }, { ...seen, verdict: { ...verdict, warnings: [] } })).toEqual([]);
  });

  it('every mismatch is reported, in the order of the expectations', () => {
    const wanted: Expectation = { page: 'prompt', reason: 'snoozed', snoozes: 1, status: 200 };
    expect(listMismatches(wanted, seen).map(({ key }) => key)).toEqual(['page', 'snoozes', 'status']);
  });
});
