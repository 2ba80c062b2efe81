import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { Verdict } from '../../../machines/vocabulary.ts';
import type { ComparedAttempt } from '../../../src/contract/compared-attempt.ts';
import { ActionEffects } from '../../../src/replay/compare/action-effect.ts';
import { comparisonCsvHead, comparisonCsvLine } from '../../../src/replay/compare/attempt-csv.ts';
import { createComparison } from '../../../src/replay/compare/comparison-report.ts';
import { ComparisonTally } from '../../../src/replay/compare/comparison-tally.ts';
import { VerdictCodes } from '../../../src/replay/compare/variant-evaluator.ts';
import { mergeDifference } from '../../../src/replay/merge-patch-diff.ts';

const atMs = Date.parse('2026-01-05T09:00:00.000Z');
const dayMs = 86_400_000;
const head = {
  source: 'x',
  kind: 'import',
  from: null,
  to: null,
  attempts: 1,
  users: 1,
  assumedAction: 'skip',
  baseRuleset: 'seed',
} as const;

/** Creates a variant with attempts from one outcome to another. A stop is given as a rule with its reason. */
function counted(
  pairs: readonly (readonly [before: string, after: string])[],
  required = { users: 0, stillSnoozing: 0 },
) {
  const codes = new VerdictCodes();
  const tally = new ComparisonTally(codes);
  const getCode = (what: string): number => {
    const [id = '', reason = null] = what.split(' ');
    const stopped = reason !== null;
    const rules = stopped ? [{ id, outcome: 'stopped', reason, saw: {} }] : [];
    return codes.getCode({ outcome: stopped ? 'none' : id, reason, rules } as unknown as Verdict);
  };
  for (const [before, after] of pairs) {
    tally.add({ before: getCode(before), after: getCode(after), certain: true, platform: 'ios', atMs, groups: [] });
  }
  const requiredAtNextSignIn = { ifAppliedNow: required, ifAppliedThroughout: { users: 9, stillSnoozing: 9 } };
  return { name: 'it', ruleset: seedRuleset, tally, warnings: new Map<string, string>(), requiredAtNextSignIn };
}

const listWarnings = (...given: Parameters<typeof counted>) =>
  createComparison(head, new Map(), [counted(...given)]).variants[0]?.warnings.map(({ code, rule }) => [code, rule]);

describe('comparison report', () => {
  it('C1: for a variant without prompts, the warning names the rule that stopped most attempts', () => {
    const stopped = [
      ['skippable', 'R5 snoozed'],
      ['skippable', 'C1 campaign-disabled'],
      ['required', 'C1 campaign-disabled'],
    ] as const;
    expect(listWarnings(stopped)).toEqual([['campaign-reaches-nobody', 'C1']]);
    expect(listWarnings([...stopped, ['none', 'skippable']])).toEqual([]);
    expect(listWarnings([])).toEqual([]);
  });

  it.for([
    [{ users: 0, stillSnoozing: 0 }, 0],
    [{ users: 1, stillSnoozing: 0 }, 1],
    [{ users: 0, stillSnoozing: 2 }, 1],
  ] as const)('A4: the counts %j of users required at their next sign-in cause %i warnings', ([required, count]) => {
    const found = listWarnings([['none', 'skippable']], required);
    expect(found).toEqual(Array.from({ length: count }, () => ['users-required-at-once', 'A4']));
  });

  it('warnings of verdicts name their assumption, with those of the baseline listed separately', () => {
    const variant = {
      ...counted([['none', 'skippable']]),
      warnings: new Map([['unknown-target', 'It does not exist.']]),
    };
    const base = new Map([
      ['include-targets-empty', 'Nobody.'],
      ['passkey-kind-derived', 'Perhaps.'],
      ['other', 'What.'],
    ]);
    const { baseWarnings, variants, ...rest } = createComparison(head, base, [variant]);
    expect(rest).toEqual(head);
    expect(baseWarnings).toEqual([
      { code: 'include-targets-empty', message: 'Nobody.', rule: 'A15' },
      { code: 'passkey-kind-derived', message: 'Perhaps.', rule: 'A51' },
      { code: 'other', message: 'What.', rule: '' },
    ]);
    expect(variants[0]).toMatchObject({
      name: 'it',
      ruleset: 'seed',
      warnings: [{ code: 'unknown-target', message: 'It does not exist.', rule: 'S1' }],
      requiredAtNextSignIn: { ifAppliedThroughout: { users: 9 } },
    });
  });
});

describe('counts of a comparison', () => {
  it('rules are sorted by frequency, certain and assumed combined, and groups, platforms and days are in order', () => {
    const codes = new VerdictCodes();
    const tally = new ComparisonTally(codes);
    const [none, skippable, required] = (['none', 'skippable', 'required'] as const).map((outcome) =>
      codes.getCode({ outcome, reason: outcome === 'none' ? 'snoozed' : null, rules: [] } as unknown as Verdict),
    ) as [number, number, number];
    const add = (before: number, after: number, more: object = {}) =>
      tally.add({ before, after, certain: true, platform: 'ios', atMs, groups: [], ...more });
    add(none, skippable, { groups: ['b', 'a'] });
    add(none, required, { platform: 'android', atMs: atMs + dayMs });
    add(none, required, { certain: false, platform: 'android', atMs: atMs - dayMs, groups: ['a'] });
    add(skippable, skippable);
    add(skippable, skippable, { certain: false });
    add(skippable, skippable);
    const { byRule, byGroup, byPlatform, byDay, totals } = tally.report();
    expect(
      byRule.map(({ before, after, certain, assumed }) => [before.outcome, after.outcome, certain, assumed]),
    ).toEqual([
      ['skippable', 'skippable', 2, 1],
      ['none', 'required', 1, 1],
      ['none', 'skippable', 1, 0],
    ]);
    expect([Object.keys(byGroup), Object.keys(byPlatform)]).toEqual([
      ['a', 'b'],
      ['android', 'ios'],
    ]);
    expect(Object.keys(byDay)).toEqual(['2026-01-04', '2026-01-05', '2026-01-06']);
    expect([totals.certain.attempts, totals.assumed.attempts]).toEqual([4, 2]);
    expect(byGroup['a']).toMatchObject({
      certain: { attempts: 1, newlyRequired: 0 },
      assumed: { attempts: 1, newlyRequired: 1 },
    });
  });

  it('at most two hundred groups are listed; attempts of other groups count only in the totals', () => {
    const codes = new VerdictCodes();
    const own = new ComparisonTally(codes);
    expect(own.stopsAfter()).toEqual({ prompted: 0, stops: [] });
    const code = codes.getCode({ outcome: 'skippable', reason: null, rules: [] } as unknown as Verdict);
    for (let group = 0; group < 201; group += 1) {
      own.add({ before: code, after: code, certain: true, platform: 'ios', atMs, groups: [`g${group}`] });
    }
    own.add({ before: code, after: code, certain: true, platform: 'ios', atMs, groups: ['g7', 'g200'] });
    const { byGroup, totals } = own.report();
    expect([Object.keys(byGroup).length, byGroup['g7']?.certain.attempts, byGroup['g200']]).toEqual([
      200,
      2,
      undefined,
    ]);
    expect(totals.certain.attempts).toBe(202);
  });
});

describe('compared attempts as CSV', () => {
  const attempt: ComparedAttempt = {
    variant: 'a,b',
    user: '=cmd()',
    attempt: 's1',
    at: '2026-01-05T09:00:00.000Z',
    platform: 'ios',
    before: { outcome: 'none', reason: 'snoozed', rule: 'R5' },
    after: { outcome: 'skippable', reason: null, rule: null },
    changed: true,
    certain: false,
    answer: 'assumed',
  };

  it('each value has a column, and no value is interpreted as a formula by a spreadsheet', () => {
    const columns = comparisonCsvHead.trimEnd().split(',');
    expect(columns).toEqual([
      'variant',
      'user',
      'attempt',
      'at',
      'platform',
      'outcomeBefore',
      'reasonBefore',
      'ruleBefore',
      'outcomeAfter',
      'reasonAfter',
      'ruleAfter',
      'changed',
      'certain',
      'answer',
    ]);
    expect(comparisonCsvLine(attempt)).toBe(
      `"a,b",'=cmd(),s1,2026-01-05T09:00:00.000Z,ios,none,snoozed,R5,skippable,,,true,false,assumed\n`,
    );
  });

  it.for([
    ['plain', 'plain'],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@x', `'@x`],
    ['\tx', `'\tx`],
    ['a=b', 'a=b'],
    ['say "hi"', '"say ""hi"""'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['=a,b', `"'=a,b"`],
  ] as const)('the user %j is written as %j', ([user, cell]) => {
    expect(comparisonCsvLine({ ...attempt, variant: 'v', user })).toMatch(`v,${cell},s1`);
  });
});

describe('effect of an action at a prompt', () => {
  const campaign = { method: 'vendorAuthenticator', limited: true, snoozeDays: 1, state: 'enabled' } as never;
  const effects = new ActionEffects();
  const effect = (answer: 'skip' | 'register' | 'close', count: number, more: object = {}) => {
    const {
      counted: added,
      startsTimer,
      registers,
    } = effects.of(answer, { count, hasTimer: count > 0, required: false, ...more }, campaign);
    return [added, startsTimer, registers];
  };

  it.for([
    ['skip', 0, {}, [1, true, false]],
    ['skip', 2, {}, [1, true, false]],
    ['close', 0, {}, [1, true, false]],
    ['close', 2, {}, [1, true, false]],
    ['close', 3, { required: true }, [0, false, false]],
    ['register', 0, {}, [0, false, true]],
    ['register', 3, { required: true }, [0, false, true]],
    ['register', 1, { hasTimer: false }, [0, false, true]],
  ] as const)(
    'R6, R9, A1: %s at count %i with %j: counted, timer, registered are %j',
    ([answer, count, more, expected]) => {
      expect(effect(answer, count, more)).toEqual(expected);
      // The second call returns the cached effect.
      expect(effect(answer, count, more)).toEqual(expected);
    },
  );

  it.for([
    [3, { hasTimer: true, required: true }],
    [3, { hasTimer: false, required: false }],
    [4, { hasTimer: true, required: false }],
    [4, { hasTimer: false, required: true }],
  ] as const)('R6, A1: effects computed after count %i and %j equal those computed without it', ([count, status]) => {
    const kept = new ActionEffects();
    const actions = ['skip', 'register', 'close'] as const;
    for (const action of actions) kept.of(action, { count, ...status }, campaign);
    const listEffects = (all: () => ActionEffects) =>
      actions.flatMap((action) =>
        [0, 1, 2].map((other) => [action, other, all().of(action, { count: other, ...status }, campaign)]),
      );
    expect(listEffects(() => kept)).toEqual(listEffects(() => new ActionEffects()));
  });
});

describe('difference between two values as a merge patch', () => {
  it.for([
    [{}, {}, {}],
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{}, { a: 1 }, { a: 1 }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    [{ a: { b: 1 } }, { a: [1] }, { a: [1] }],
    [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
    [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1 } }, { a: null }, { a: null }],
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, {}],
  ] as const)('from %j to %j it is %j', ([before, after, patch]) => {
    expect(mergeDifference(before, after)).toEqual(patch);
  });
});
