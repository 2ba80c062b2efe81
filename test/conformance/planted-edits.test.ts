import { describe, expect, it } from 'vitest';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { checkLog, getOptions } from '../../src/conformance/check-log.ts';
import { readRows } from '../../src/conformance/log/log-rows.ts';
import { peekBytes } from '../../src/conformance/log/peek-bytes.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { createTimeline } from '../../src/conformance/model/policy-timeline.ts';
import type { ConformanceReport, RulesetFit } from '../../src/contract/conformance-report.ts';

const values = `
event:
  field: event
  values:
    shown: prompt-skippable
    required: prompt-required
    asked: [prompt-skippable, prompt-required]
    none: not-prompted
    other: signed-in
    next: next-selected
    skip: skipped
    refused: skip-rejected
    close: closed
    done: registered
    failed: setup-failed
    later: error-skipped
    elsewhere: registered-elsewhere
    removed: method-removed
    reset: reset
    policy: policy-changed
facts: { count: count, left: left, days: days, limited: limited }
policyFields: { days: setDays, limited: setLimited, enabled: setEnabled }
`;
const base = `user: user\ntime: { field: at }\nprompt: prompt\npolicy: { days: 1, limited: true }\n${values}`;

type Row = Readonly<Record<string, unknown>> & { readonly event: string };

const at = (day: number, time = '09:00'): string => `2026-03-${String(day).padStart(2, '0')}T${time}:00Z`;

async function* bytes(rows: readonly Row[]): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(rows.map((row) => JSON.stringify({ user: 'ada', ...row })).join('\n'));
}

async function report(
  rows: readonly Row[],
  text = base,
  ids: readonly string[] = ['seed'],
): Promise<ConformanceReport> {
  const mapping = readMappingText('test.mapping.yaml', text);
  const { batches, rest } = readRows(await peekBytes(bytes(rows)), 'log.ndjson', mapping);
  const chosen = ids.map((id) => rulesets.get(id) as Ruleset);
  return checkLog({ timeline: createTimeline(mapping), batches, rest, options: getOptions(mapping, 10) }, chosen);
}

async function checked(rows: readonly Row[], text = base): Promise<RulesetFit> {
  const { rulesets: fits } = await report(rows, text);
  return fits[0] as RulesetFit;
}

const skipped = (day: number): readonly Row[] => [
  { event: 'shown', at: at(day) },
  { event: 'skip', at: at(day, '09:01') },
];
/** Event of another user, so no log is empty. */
const first: Row = { user: 'ben', event: 'other', at: at(1) };
const thrice = [...skipped(1), ...skipped(3), ...skipped(5)];

describe('explanations of planted edits', () => {
  it.each([
    ['R5', 'prompt-suppressed', [...skipped(1), { event: 'shown', at: at(2, '09:00') }]],
    ['R5', 'prompt-due', [...skipped(1), { event: 'none', at: at(2, '09:01') }]],
    ['R1', 'prompt-due', [{ event: 'none', at: at(1) }]],
    ['R6', 'prompt-must-be-required', [...thrice, { event: 'shown', at: at(7) }]],
    ['R6', 'prompt-must-be-skippable', [...skipped(1), { event: 'required', at: at(3) }]],
    ['R6', 'skip-not-allowed', [...thrice, { event: 'required', at: at(7) }, { event: 'skip', at: at(7) }]],
    [
      'R6',
      'skip-allowed',
      [
        { event: 'shown', at: at(1) },
        { event: 'refused', at: at(1) },
      ],
    ],
    ['R7', 'count-differs', [...skipped(1), { event: 'shown', at: at(3), count: 2 }]],
    ['R6', 'snoozes-left-differ', [...skipped(1), { event: 'shown', at: at(3), left: 3 }]],
    ['R8', 'days-differ', [{ event: 'shown', at: at(1), days: 3 }]],
    ['R6', 'limit-differs', [{ event: 'shown', at: at(1), limited: false }]],
    ['A26', 'no-prompt-open', [...skipped(1), { event: 'skip', at: at(1, '09:02') }]],
    [
      'A27',
      'no-prompt-open',
      [
        { event: 'shown', at: at(1) },
        { event: 'elsewhere', at: at(1) },
        { event: 'skip', at: at(1) },
      ],
    ],
    [
      'A40',
      'prompt-expired',
      [
        { event: 'shown', at: at(1) },
        { event: 'skip', at: at(1, '09:15') },
      ],
    ],
    [
      'A11',
      'page-not-open',
      [
        { event: 'shown', at: at(1) },
        { event: 'done', at: at(1) },
      ],
    ],
    [
      'A12',
      'page-not-open',
      [
        { event: 'shown', at: at(1) },
        { event: 'later', at: at(1) },
      ],
    ],
    [
      'R10.1',
      'prompt-suppressed',
      [
        { event: 'elsewhere', at: at(1) },
        { event: 'shown', at: at(2) },
      ],
    ],
    [
      'C1',
      'prompt-suppressed',
      [
        { event: 'policy', at: at(1), setEnabled: 'off' },
        { event: 'shown', at: at(2) },
      ],
    ],
    [
      null,
      'time-goes-back',
      [
        { event: 'shown', at: at(2) },
        { event: 'other', at: at(1) },
      ],
    ],
  ] as const)('%s: %s is found at the last event', async (rule, code, rows) => {
    const { fits, misfits, examples, clusters } = await checked([first, ...rows]);
    expect({ fits, misfits }).toEqual({ fits: false, misfits: 1 });
    expect(examples[0]).toMatchObject({ rule, code, user: 'ada', line: rows.length + 1 });
    expect(clusters).toMatchObject([{ rule, code, events: 1, users: 1 }]);
    expect(examples[0]?.nearest.at(-1)).toEqual({ edit: 'dropped' });
    expect((await checked([first, ...rows.slice(0, -1)])).fits).toBe(true);
  });

  it('R5: a prompt within a snooze has its states, what is allowed, and the nearest behavior first', async () => {
    const { examples } = await checked([...skipped(1), { event: 'shown', at: at(2, '08:31') }]);
    expect(examples[0]).toMatchObject({
      possible: ['snoozed, 1 of 3 snoozes used, snooze until 2026-03-02T09:01:00.000Z'],
      nearest: [
        { edit: 'another-event', kind: 'not-prompted' },
        { edit: 'another-event', kind: 'signed-in' },
        { edit: 'another-time', at: '2026-03-02T09:01:00.000Z', byMs: 1_800_000 },
        { edit: 'missing-event', kind: 'reset' },
        { edit: 'dropped' },
      ],
    });
    expect(examples[0]?.allowed).toContain('not-prompted');
    expect(examples[0]?.allowed).not.toContain('prompt-skippable');
  });

  it('R7: a wrong count has the nearest count, and later events are checked against the stated one', async () => {
    const rows = [...skipped(1), { event: 'shown', at: at(3), count: 3 }, { event: 'none', at: at(5) }];
    const { examples, misfits } = await checked(rows);
    expect(examples[0]?.nearest[0]).toEqual({ edit: 'another-value', fact: 'count', value: 1 });
    expect(misfits).toBe(2);
  });

  it('R6: after an impossible event, later events are impossible only if they are so either way', async () => {
    const wrong = [...skipped(1), { event: 'shown', at: at(1, '20:00') }, { event: 'skip', at: at(1, '20:01') }];
    const { misfits } = await checked([...wrong, { event: 'shown', at: at(3) }, { event: 'close', at: at(3) }]);
    expect(misfits).toBe(1);
  });

  it('A26: prompts with ids are told apart, so a user can answer two tabs', async () => {
    const rows = [
      { event: 'shown', at: at(1), prompt: 'p1' },
      { event: 'shown', at: at(1), prompt: 'p2' },
      { event: 'skip', at: at(1, '09:02'), prompt: 'p1', count: 1 },
      { event: 'skip', at: at(1, '09:03'), prompt: 'p2', count: 2 },
    ];
    expect((await checked(rows)).fits).toBe(true);
    const again = await checked([...rows, { event: 'skip', at: at(1, '09:04'), prompt: 'p1', count: 3 }]);
    expect(again.examples[0]).toMatchObject({ rule: 'A26', code: 'no-prompt-open', line: 5 });
  });

  it('A7, R8: a policy change of the log or of the mapping applies from its time', async () => {
    const rows = [
      ...skipped(1),
      { event: 'policy', at: at(2, '08:00'), setDays: 3 },
      { event: 'none', at: at(2, '10:00') },
    ];
    expect((await checked(rows)).fits).toBe(true);
    const dated = base.replace('limited: true }', `limited: true, changes: [{ at: '${at(2, '08:00')}', days: 3 }] }`);
    const mapped = dated.replace('    policy: policy-changed\n', '');
    expect(
      (
        await checked(
          rows.filter(({ event }) => event !== 'policy'),
          mapped,
        )
      ).fits,
    ).toBe(true);
    expect((await checked(rows.filter(({ event }) => event !== 'policy'))).examples[0]).toMatchObject({ rule: 'R5' });
  });

  it('R7: a user with an unknown past fits in any state that explains the log', async () => {
    const unknown = `${base}start: unknown\n`;
    expect((await checked([{ event: 'required', at: at(1) }], unknown)).fits).toBe(true);
    expect(
      (
        await checked(
          [
            { event: 'none', at: at(1) },
            { event: 'shown', at: at(2), count: 7 },
          ],
          unknown,
        )
      ).fits,
    ).toBe(false);
    const rows = [
      { event: 'none', at: at(1) },
      { event: 'required', at: at(2), count: 7 },
      { event: 'shown', at: at(3) },
    ];
    expect((await checked(rows, unknown)).examples[0]).toMatchObject({ line: 3, rule: 'R6' });
  });

  it('R12: several rulesets are ranked by the share of users that fit', async () => {
    const managed = base.replace('days: 1, limited: true', 'enabled: provider-managed');
    const rows = ['ada', 'ben', 'cem'].flatMap((user, index): readonly Row[] => [
      { user, event: 'shown', at: at(1) },
      { user, event: 'skip', at: at(1) },
      { user, event: index === 2 ? 'none' : 'shown', at: at(2) },
    ]);
    const fits = (await report(rows, managed, ['seed', '2026-09'])).rulesets;
    expect(fits.map(({ ruleset, fittingUsers }) => [ruleset, fittingUsers])).toEqual([
      ['2026-09', 2],
      ['seed', 1],
    ]);
  });

  it('A26: many prompts within a rounded day are followed, and more than are possible at a time are found', async () => {
    const daily = base
      .replace('field: at }', 'field: at, format: yyyy-MM-dd, rounded: day }')
      .replace('days: 1', 'days: 0');
    const rows = Array.from(
      { length: 60 },
      (_, index): Row => ({ event: 'asked', at: `2026-03-0${1 + (index >> 4)}` }),
    );
    const unlimited = daily.replace('limited: true', 'limited: false');
    expect((await checked(rows, unlimited)).fits).toBe(true);
    const exact = base.replace('days: 1, limited: true', 'days: 0, limited: false');
    const crowd = Array.from({ length: 34 }, (): Row => ({ event: 'shown', at: at(1) }));
    expect((await checked(crowd, exact)).examples[0]).toMatchObject({
      rule: 'A26',
      code: 'too-many-prompts',
      line: 33,
    });
  });

  it('OC57: a dated ruleset applies the edition of the time, and near its start either one', async () => {
    const announced = rulesets.get('announced') as Ruleset;
    const fromMs = announced.editions?.[0]?.fromMs ?? 0;
    const iso = (atMs: number): string => new Date(atMs).toISOString();
    const rows = [
      { event: 'shown', at: iso(fromMs - 2 * 86_400_000) },
      { event: 'skip', at: iso(fromMs - 2 * 86_400_000) },
      { event: 'asked', at: iso(fromMs + 20 * 86_400_000) },
    ];
    const { rulesets: fits } = await report(rows, base, ['announced']);
    expect(announced.editions?.length).toBeGreaterThan(0);
    expect(fits[0]?.examples).toEqual([]);
  });

  it('M1: facts of sign-ins decide which gates apply', async () => {
    const facts = `${base}attempt:\n  attempt.mfa.method: { field: mfa, values: { text: sms, code: authenticator-totp } }\n`;
    const rows = [{ event: 'shown', at: at(1), mfa: 'code' }];
    const fits = (await report(rows, facts, ['2026-09', 'seed'])).rulesets;
    expect(fits.map(({ ruleset, examples }) => [ruleset, examples[0]?.rule])).toEqual([
      ['seed', undefined],
      ['2026-09', 'M1'],
    ]);
  });
});
