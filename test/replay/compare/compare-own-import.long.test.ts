import { describe, expect, it } from 'vitest';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import { type Assumption, type Comparison, comparisonSchema } from '../../../src/contract/comparison.schema.ts';
import { compareOwnImport } from '../../../src/replay/compare/compare-own-import.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { listKeptColumns } from '../../../src/replay/import/kept-columns.ts';
import { imported, mapping, newFolder, written } from '../import/import-work.ts';
import { readOwn } from './own-history.ts';

const plan =
  'plan: { type: enum, values: [free, paid], default: free, import: licenseSku, map: { F1: free, E5: paid } }';
const webauthn = 'webauthn: { type: boolean, default: true, import: capable }';
const byPlan = {
  facts: `facts: { user: { ${plan} }, attempt: { ${webauthn} } }`,
  gates: [
    'gates:',
    '  - { id: G1, summary: The plan is paid., when: { fact: user.facts.plan, is: paid }, stop: not-paid }',
    '  - { id: G2, summary: The browser can., when: { fact: attempt.facts.webauthn, is: true }, stop: not-able }',
  ].join('\n'),
  reasons: 'reasons: { not-paid: The plan is not paid., not-able: The browser cannot. }',
  done: 'done: { fact: user.passkeys, size: { atLeast: 1 } }',
  cadence: 'cadence: { kind: fixed, every: 2d }',
};

/** Three users at 09:00 on days of February: user, day, plan and browser ability as the log has them. */
const rows: readonly (readonly [string, number, string, string])[] = [
  ['ada', 2, 'E5', 'true'],
  ['ada', 3, 'E5', 'yes'],
  ['ada', 4, 'E5', 'false'],
  ['ada', 5, 'E5', '1'],
  ['ben', 2, 'F1', 'true'],
  ['ben', 3, '', 'true'],
  ['ben', 4, 'E5', 'true'],
  ['cy', 2, '', ''],
  ['cy', 3, '', ''],
];
const head = 'createdDateTime,userId,id,deviceDetail.deviceId,License SKU,capable';
const line = ([user, day, sku, capable]: (typeof rows)[number], index: number): string =>
  `2026-02-0${day}T09:00:00Z,${user},s${index},shared,${sku},${capable}`;
const log = (given: typeof rows = rows): string => [head, ...given.map(line)].join('\n');

interface Compared {
  readonly comparison: Comparison;
  readonly variant: NonNullable<Comparison['variants'][number]>;
  readonly rows: readonly (readonly unknown[])[];
}

interface Wanted {
  readonly variants: readonly OwnRuleset[];
  readonly baseline?: OwnRuleset;
  readonly assumedAction?: Assumption;
  readonly text?: string;
  readonly kept?: readonly OwnRuleset[];
}

/** Imports a log with the columns of rulesets, and compares it. The rows are the changed ones, in order of users. */
async function compared({ variants, baseline, assumedAction = 'skip', text = log(), kept }: Wanted): Promise<Compared> {
  const columns = listKeptColumns(kept ?? [...variants, ...(baseline === undefined ? [] : [baseline])]);
  const { folder } = await imported({ signIns: [written('log.csv', text)] }, null, mapping, columns);
  const seen: (readonly unknown[])[] = [];
  const say = ({ outcome, rule, reason }: ComparedAttempt['before']): string =>
    reason === null ? outcome : `${rule} ${reason}`;
  const session = await DuckDbSession.open(newFolder(), undefined, true);
  const comparison = await compareOwnImport(session, folder, {
    baseline: baseline ?? null,
    variants: variants.map((ruleset) => ({ name: ruleset.id, ruleset })),
    assumedAction,
    see: ({ user, before, after, certain }) => seen.push([user, say(before), say(after), certain]),
  });
  session.close();
  const [variant] = comparison.variants;
  if (variant === undefined) throw new Error('nothing was compared');
  return {
    comparison: comparisonSchema.parse(comparison),
    variant,
    rows: seen.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)),
  };
}

describe('comparison of own rulesets with an import', () => {
  it('OC50 facts are read from the columns that the ruleset names, and verdicts on defaults are counted', async () => {
    const { comparison, variant, rows: seen } = await compared({ variants: [readOwn('oc50-plan', byPlan)] });
    const none = 'X.rollout not-rolled-out';
    expect(seen).toEqual([
      ['ada', none, 'skippable', true],
      ['ada', none, 'X.cadence snoozed', false],
      ['ada', none, 'G2 not-able', false],
      ['ada', none, 'skippable', false],
      ['ben', none, 'G1 not-paid', true],
      ['ben', none, 'G1 not-paid', true],
      ['ben', none, 'skippable', true],
      ['cy', none, 'G1 not-paid', true],
      ['cy', none, 'G1 not-paid', true],
    ]);
    expect(comparison).toMatchObject({ kind: 'import', attempts: 9, users: 3, baseRuleset: 'no campaign' });
    expect(variant.totals.certain).toMatchObject({ attempts: 6, promptedInVariant: 2, newlyPrompted: 2 });
    expect(variant.totals.assumed).toMatchObject({ attempts: 3, promptedInVariant: 1, newlyPrompted: 1 });
    expect(variant.actions).toEqual({ applied: 0, inapplicable: 0, assumed: 3 });
    expect(variant.own?.defaults).toEqual({ verdicts: 2, facts: [{ fact: 'user.facts.plan', verdicts: 2 }] });
    expect(variant.users).toMatchObject({ all: 3, newlyPrompted: 2 });
    expect(variant.warnings).toEqual([]);
  });

  it('OC50 the first of several rulesets is the baseline, and each one has its own ledger', async () => {
    const baseline = readOwn('oc50-two-days', byPlan);
    const daily = readOwn('oc50-daily', { ...byPlan, cadence: 'cadence: { kind: fixed, every: 1d }' });
    const { comparison, variant, rows: seen } = await compared({ baseline, variants: [daily] });
    expect(seen).toEqual([['ada', 'X.cadence snoozed', 'skippable', false]]);
    expect(comparison.baseRuleset).toBe('oc50-two-days 1.0.0');
    expect(variant.totals.assumed).toMatchObject({ promptedInBaseline: 1, promptedInVariant: 2, newlyPrompted: 1 });
    expect(variant.totals.certain).toMatchObject({ promptedInBaseline: 2, promptedInVariant: 2 });
  });

  it.each([
    ['register', ['skippable', 'X.done already-done', 'G2 not-able', 'X.done already-done'], 2],
    ['close', ['skippable', 'X.cadence snoozed', 'G2 not-able', 'skippable'], 3],
  ] as const)('OC50 prompts take the assumed action %s', async (assumedAction, verdicts, assumed) => {
    const { rows: seen, variant } = await compared({ variants: [readOwn('oc50-plan', byPlan)], assumedAction });
    expect(seen.flatMap(([user, , after]) => (user === 'ada' ? [after] : []))).toEqual(verdicts);
    expect(variant.actions.assumed).toBe(assumed);
  });

  it('OC50 a ledger that users share makes the verdicts of all of them assumed', async () => {
    const shared = {
      ...byPlan,
      ledger: 'ledger: { keys: [[device]] }',
      cadence: 'cadence: { kind: fixed, every: 7d }',
    };
    const { rows: seen } = await compared({ variants: [readOwn('oc50-device', shared)] });
    expect(seen.filter(([user]) => user === 'ben').map(([, , after, certain]) => [after, certain])).toEqual([
      ['G1 not-paid', false],
      ['G1 not-paid', false],
      ['X.cadence snoozed', false],
    ]);
  });

  it('OC50 a column that the import does not have leaves the default, with a warning', async () => {
    const { variant } = await compared({ variants: [readOwn('oc50-plan', byPlan)], kept: [] });
    expect(variant.warnings.map(({ code, rule }) => [code, rule])).toEqual([
      ['column-missing', 'OC50'],
      ['campaign-reaches-nobody', 'G1'],
    ]);
    expect(variant.own?.defaults).toEqual({ verdicts: 9, facts: [{ fact: 'user.facts.plan', verdicts: 9 }] });
  });

  it('OC50 a ruleset that does not allow a kept text is refused with user, time, column and value', async () => {
    const other = readOwn('oc50-other', { ...byPlan, facts: byPlan.facts.replace('E5: paid', 'E3: paid') });
    const work = compared({ variants: [other], kept: [readOwn('oc50-plan', byPlan)] });
    await expect(work).rejects.toMatchObject({
      code: 'log-value-invalid',
      problems: [
        {
          location: expect.stringMatching(/sign-in of ada at 2026-02-02T09:00:00/),
          message: expect.stringMatching(
            /column licenseSku: "E5" .*F1, E3.*user\.facts\.plan of oc50-other.* in 5 sign-ins/,
          ),
        },
      ],
    });
  });

  it('OC50 the age of accounts is a default, because a log does not say when they were created', async () => {
    const old = {
      gates: 'gates: [{ id: G1, summary: Old., when: { fact: kept.createdAt, atLeastOld: 2d }, stop: too-young }]',
      reasons: 'reasons: { too-young: The account is young. }',
    };
    const { variant, rows: seen } = await compared({ variants: [readOwn('oc50-age', old)] });
    expect(variant.own?.defaults).toEqual({ verdicts: 9, facts: [{ fact: 'kept.createdAt', verdicts: 9 }] });
    expect(seen.filter(([user]) => user === 'ben').map(([, , after]) => after)).toEqual([
      'G1 too-young',
      'G1 too-young',
      'skippable',
    ]);
  });
});

describe('annotated sign-ins under own rulesets', () => {
  it('OC50 DIR76 the facts of an annotation are those of the sign-in, without any column', async () => {
    const ruleset = readOwn('oc50-annotated', {
      facts: [
        'facts:',
        '  tenant: { open: { type: boolean, default: false } }',
        '  user: { plan: { type: enum, values: [free, paid], default: free } }',
        '  attempt: { level: { type: integer, min: 0, max: 9, default: 0 } }',
      ].join('\n'),
      gates: [
        'gates:',
        '  - { id: G1, summary: Open., when: { fact: tenant.facts.open, is: true }, stop: not-open }',
        '  - { id: G2, summary: Paid., when: { fact: user.facts.plan, is: paid }, stop: not-paid }',
        '  - { id: G3, summary: High., when: { fact: attempt.facts.level, atLeast: 5 }, stop: too-low }',
      ].join('\n'),
      reasons: 'reasons: { not-open: Closed., not-paid: Free., too-low: Low. }',
      cadence: 'cadence: { kind: fixed, every: 7d }',
    });
    const annotate = (open: boolean, plan: string, level: number): object => ({
      tenant: { facts: { open } },
      user: { id: 'ada', facts: { plan } },
      facts: { level },
    });
    const annotations = [
      annotate(false, 'paid', 7),
      annotate(true, 'free', 7),
      annotate(true, 'paid', 4),
      annotate(true, 'paid', 5),
    ];
    const text = annotations
      .map((facts, index) =>
        JSON.stringify({
          createdDateTime: `2026-02-0${index + 1}T09:00:00Z`,
          userId: 'ada',
          id: `s${index}`,
          '@nudgelab.facts': JSON.stringify(facts),
        }),
      )
      .join('\n');
    const { folder } = await imported({ signIns: [written('log.ndjson', text)] });
    const session = await DuckDbSession.open(newFolder(), undefined, true);
    const seen: unknown[] = [];
    const comparison = await compareOwnImport(session, folder, {
      baseline: null,
      variants: [{ name: 'variant', ruleset }],
      assumedAction: 'skip',
      user: 'ada',
      see: ({ after }) => seen.push(after.reason ?? after.outcome),
    });
    session.close();
    expect(seen).toEqual(['not-open', 'not-paid', 'too-low', 'skippable']);
    expect(comparison.variants[0]?.own?.defaults).toEqual({ verdicts: 0, facts: [] });
  });
});
