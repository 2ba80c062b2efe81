import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { type CheckedRuleset, checkLog, getOptions } from '../../src/conformance/check-log.ts';
import { readRows } from '../../src/conformance/log/log-rows.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { createTimeline } from '../../src/conformance/model/policy-timeline.ts';
import type { ConformanceReport } from '../../src/contract/conformance-report.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { readShipped } from '../properties/own-canaries.ts';

const startMs = Date.UTC(2026, 0, 5, 9);
const dayMs = 86_400_000;
const ninety = readShipped('passkey-90-days');
const thirty = readShipped('passkey-90-days', () => ({
  ruleset: 'passkey-30-days',
  cadence: { kind: 'fixed', every: '30d' },
}));

type Row = readonly [user: string, day: number, what: string, more?: Readonly<Record<string, unknown>>];

const values = {
  prompted: ['prompt-skippable', 'prompt-required'],
  'not prompted': 'not-prompted',
  'no prompt': 'signed-in',
  later: 'skipped',
  'made a passkey': 'registered',
  refused: 'blocked',
  'gave up': 'closed',
};

async function check(
  rows: readonly Row[],
  rulesets: readonly CheckedRuleset[],
  keys: Readonly<Record<string, unknown>> = {},
): Promise<ConformanceReport> {
  const mapping = readMappingText(
    'test.mapping.yaml',
    JSON.stringify({ user: 'user', time: { field: 'at' }, event: { field: 'what', values }, ...keys }),
  );
  const lines = rows.map(([user, day, what, more = {}]) => {
    const at = new Date(startMs + day * dayMs).toISOString();
    return `${JSON.stringify({ user, at, what, ...more })}\n`;
  });
  const first = Buffer.from(lines.join(''));
  const all = (async function* () {
    yield first;
  })();
  const { batches, rest } = readRows({ first, all }, 'test.ndjson', mapping);
  return checkLog({ timeline: createTimeline(mapping), batches, rest, options: getOptions(mapping, 10) }, rulesets);
}

const turnedDown: readonly Row[] = [
  ['ada', 0, 'prompted'],
  ['ada', 0.01, 'later'],
  ['ada', 30, 'not prompted'],
  ['ada', 90.01, 'prompted'],
  ['ada', 90.011, 'made a passkey'],
  ['ada', 200, 'not prompted'],
];

describe('logs of own campaigns', () => {
  it('CF30: a log that follows the ruleset fits, and users are apart', async () => {
    const interleaved = turnedDown.flatMap((row): Row[] => [row, ['eve', row[1], row[2]]]);
    const { events, rulesets } = await check(interleaved, [ninety]);
    expect({ events, ...rulesets[0] }).toMatchObject({ events: 12, fits: true, users: 2, share: 1, misfits: 0 });
  });

  it.each<readonly [string, readonly Row[], object]>([
    [
      'a prompt inside the snooze',
      [...turnedDown.slice(0, 2), ['ada', 89, 'prompted']],
      {
        line: 3,
        rule: 'X.cadence',
        code: 'prompt-suppressed',
        nearest: expect.arrayContaining([
          { edit: 'another-event', kind: 'not-prompted' },
          { edit: 'another-time', at: '2026-04-05T09:14:24.000Z', byMs: 1.01 * dayMs },
        ]),
      },
    ],
    [
      'no prompt after it',
      [...turnedDown.slice(0, 3), ['ada', 90.01, 'not prompted']],
      {
        line: 4,
        rule: 'OC23',
        code: 'prompt-due',
        sentence: expect.stringContaining('every gate lets the prompt through'),
      },
    ],
    ['an answer without a prompt', [['ada', 0, 'later']], { line: 1, rule: 'A26', code: 'no-prompt-open' }],
    [
      'a prompt for who has a passkey',
      [...turnedDown, ['ada', 201, 'prompted']],
      { line: 7, rule: 'X.done', code: 'prompt-suppressed' },
    ],
    [
      'an answer after the lifetime',
      [
        ['ada', 0, 'prompted'],
        ['ada', 0.5, 'later'],
      ],
      { line: 2, code: 'prompt-expired' },
    ],
    ['a sign-in that is blocked', [['ada', 0, 'refused']], { line: 1, rule: 'OC23', code: 'not-blocked' }],
    [
      'an event that goes back',
      [
        ['ada', 1, 'prompted'],
        ['ada', 0, 'later'],
      ],
      { line: 2, rule: null, code: 'time-goes-back' },
    ],
  ])('CF31: %s is the first impossible event, with its rule', async (_, rows, misfit) => {
    const { rulesets } = await check(rows, [ninety]);
    expect(rulesets[0]).toMatchObject({ fits: false, misfits: 1, examples: [misfit] });
  });

  it.each<readonly [demand: string, keys: string, what: readonly string[], misfit: object]>([
    [
      'a requirement',
      "{ requirement: { required: { fact: 'user.type', is: 'member' } } }",
      ['invited'],
      { rule: 'requirement.required', code: 'prompt-must-be-required' },
    ],
    [
      'a requirement that blocks',
      "{ requirement: { blocked: { fact: 'user.type', is: 'member' } } }",
      ['not prompted'],
      { rule: 'requirement.blocked', code: 'must-be-blocked' },
    ],
    [
      'a deadline',
      "{ deadline: { ends: [{ at: '2026-01-01T00:00:00Z' }], then: 'required' } }",
      ['invited'],
      { rule: 'deadline', code: 'prompt-must-be-required', sentence: expect.stringContaining('key deadline demands') },
    ],
    [
      'a deadline that blocks',
      "{ deadline: { ends: [{ at: '2026-01-01T00:00:00Z' }], then: 'blocked' } }",
      ['prompted'],
      {
        rule: 'deadline',
        code: 'must-be-blocked',
        sentence: expect.stringContaining('key deadline blocks the sign-in'),
      },
    ],
    [
      'a limit',
      "{ limit: { of: 1, counts: 'shown', then: 'required', after: 'now' } }",
      ['prompted', 'gave up', 'not prompted'],
      { line: 3, rule: 'limit', code: 'prompt-due' },
    ],
    ['nothing', '{}', ['insisted'], { rule: 'OC23', code: 'prompt-must-be-skippable' }],
  ])('CF57: what %s demands is named where a sign-in differs from it', async (_, keys, what, misfit) => {
    const ruleset = readShipped('passkey-90-days', () => parse(keys) as object);
    const event = { field: 'what', values: { ...values, invited: 'prompt-skippable', insisted: 'prompt-required' } };
    const { rulesets } = await check(
      what.map((one, at): Row => ['ada', at * 0.001, one]),
      [ruleset],
      { event },
    );
    expect(rulesets[0]).toMatchObject({ fits: false, misfits: 1, examples: [misfit] });
  });

  it('CF59: an answer that no ruleset has is an error of its line, and a column that no row has is reported', async () => {
    const answer = { field: 'how', values: { 'not now': 'notNow' } };
    const rows = (how: string): readonly Row[] => [
      ['ada', 0, 'prompted'],
      ['ada', 0.001, 'later', { how }],
    ];
    const wrong = await check(rows('notNw'), [ninety], { answer }).catch((error: unknown) => error);
    expect(wrong).toMatchObject({
      code: 'log-invalid',
      problems: [{ location: 'line 2', message: expect.stringContaining('did you mean "notNow"?') }],
    });
    const right = await check(rows('not now'), [ninety], { answer, prompt: 'tab' });
    expect(right).toMatchObject({ absentColumns: ['tab'], rulesets: [{ fits: true }] });
  });

  it('CF58: the states before a misfit say who has registered, and when a wait ends', async () => {
    const event = { field: 'what', values: { ...values, 'added one': 'registered-elsewhere' } };
    const possibleBefore = async (...rows: readonly Row[]): Promise<readonly string[] | undefined> => {
      const { rulesets } = await check(rows, [ninety], { event });
      return rulesets[0]?.examples[0]?.possible;
    };
    const elsewhere: readonly Row[] = [
      ['ada', 0, 'prompted'],
      ['ada', 0.001, 'gave up'],
      ['ada', 1, 'added one'],
      ['ada', 2, 'prompted'],
    ];
    expect(await possibleBefore(...elsewhere)).toEqual(['registered, 0 snoozes']);
    expect(await possibleBefore(...turnedDown.slice(0, 2), ['ada', 3, 'prompted'])).toEqual([
      'snoozed, 1 snooze, waiting until 2026-04-05T09:14:24.000Z',
    ]);
  });

  it('CF32: the ruleset that explains a log best is first, of own and built-in ones', async () => {
    const log: Row[] = [
      ['ada', 0, 'prompted'],
      ['ada', 0.01, 'later'],
      ['ada', 20, 'not prompted'],
      ['ada', 31, 'prompted'],
    ];
    const { rulesets } = await check(log, [seedRuleset, ninety, thirty], { policy: { days: 3 } });
    expect(rulesets.map(({ ruleset, fits }) => `${ruleset} ${fits}`)).toEqual([
      'passkey-30-days true',
      'seed false',
      'passkey-90-days false',
    ]);
  });

  it('CF33: facts of columns and constants are those of the ruleset, and unknown ones are refused', async () => {
    const keys = { attempt: { 'attempt.facts.byPassword': { field: 'password' } } };
    const log: Row[] = [
      ['ada', 0, 'not prompted', { password: 'false' }],
      ['ada', 1, 'prompted', { password: 'true' }],
    ];
    expect((await check(log, [ninety], keys)).rulesets[0]).toMatchObject({ fits: true });
    const other = [['ada', 0, 'prompted', { password: false }]] as const;
    expect((await check(other, [ninety], keys)).rulesets[0]).toMatchObject({ examples: [{ rule: 'G1' }] });
    const constants = { constants: { 'attempt.facts.canMakePasskeys': false } };
    expect((await check(log.slice(1), [ninety], constants)).rulesets[0]).toMatchObject({ examples: [{ rule: 'G5' }] });
    const embedded = { ...keys, constants: { 'attempt.surface': 'embedded-app' } };
    expect((await check(log, [ninety], embedded)).rulesets[0]).toMatchObject({ examples: [{ rule: 'G2' }] });
    for (const [path, value] of [
      ['attempt.surface', 'paper'],
      ['attempt.surfaces', 'browser'],
      ['user.methods', ['paper']],
      ['tenant.plan', 'pro'],
    ] as const) {
      const refused = check(log, [ninety], { constants: { [path]: value } });
      await expect(refused, path).rejects.toMatchObject({
        code: 'mapping-invalid',
        message: expect.stringContaining(`constants.${path}`),
        problems: [{ location: expect.stringMatching(/^test\.mapping\.yaml:1:\d+$/) }],
      });
    }
    const unknown = check(log, [ninety], { constants: { 'attempt.facts.byPasword': true } });
    await expect(unknown).rejects.toMatchObject({
      code: 'mapping-invalid',
      message: expect.stringContaining('byPassword'),
    });
    await expect(unknown).rejects.toBeInstanceOf(NudgeLabError);
    const wrong = check([...log, ['ada', 2, 'prompted', { password: 'maybe' }]], [ninety], keys);
    await expect(wrong).rejects.toMatchObject({
      code: 'log-invalid',
      message: expect.stringMatching(/line 3: attempt\.facts\.byPassword.*"maybe"/),
    });
  });

  it('CF34: rounded times, missing events and hidden ones are considered', async () => {
    const rounded = { time: { field: 'at', rounded: 'day' } };
    const early: Row[] = [...turnedDown.slice(0, 2), ['ada', 88.7, 'prompted']];
    expect((await check(early, [ninety], rounded)).rulesets[0]).toMatchObject({ fits: false });
    const close: Row[] = [...turnedDown.slice(0, 2), ['ada', 90, 'prompted']];
    expect((await check(close, [ninety])).rulesets[0]).toMatchObject({ fits: false });
    expect((await check(close, [ninety], rounded)).rulesets[0]).toMatchObject({ fits: true });
    const gap: Row[] = [
      ['ada', 0, 'prompted'],
      ['ada', 0.02, 'not prompted'],
    ];
    expect((await check(gap, [ninety])).rulesets[0]).toMatchObject({ fits: false });
    expect((await check(gap, [ninety], { missing: 1 })).rulesets[0]).toMatchObject({ fits: true });
    expect((await check(gap, [ninety], { unobserved: ['skipped'] })).rulesets[0]).toMatchObject({ fits: true });
  });

  it('CF36: a share of a rollout admits both results, because a log does not state the draw', async () => {
    const week = readShipped('passkey-week');
    const log: Row[] = [
      ['ada', 0, 'not prompted'],
      ['ada', 1, 'prompted'],
      ['ada', 1.001, 'made a passkey'],
      ['ada', 2, 'prompted'],
    ];
    const half = await check(log, [week], { constants: { 'tenant.settings.percent': 50 } });
    expect(half.rulesets[0]).toMatchObject({ misfits: 1, examples: [{ line: 4 }] });
    expect((await check(log, [week])).rulesets[0]).toMatchObject({ misfits: 2, examples: [{ line: 1 }] });
  });

  it('CF35: answers are those of the column, and one that is refused at a required prompt is impossible', async () => {
    const factor = readShipped('second-factor-deadline');
    const keys = {
      answer: { field: 'answer', values: { Later: 'skip' } },
      constants: { 'user.facts.graceEndsAt': '2026-03-01T00:00:00Z' },
      attempt: { 'user.methods': { field: 'methods' } },
    };
    const constants = { ...keys.constants, 'user.methods': [] };
    expect((await check([['ada', 0, 'prompted']], [factor], { constants })).rulesets[0]).toMatchObject({ fits: true });
    const log: Row[] = [
      ['ada', 0, 'prompted', { methods: [] }],
      ['ada', 0.001, 'later', { answer: 'Later' }],
    ];
    const misfit = { line: 2, rule: 'OC24', code: 'skip-not-allowed' };
    expect((await check(log, [factor], keys)).rulesets[0]).toMatchObject({ examples: [misfit] });
    const late: Row[] = [['ada', 60, 'refused', { methods: [] }]];
    expect((await check(late, [factor], keys)).rulesets[0]).toMatchObject({ fits: true });
  });
});
