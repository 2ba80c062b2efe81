import type { Changes, ComparedVariant, Comparison } from '../../src/contract/comparison.schema.ts';

const changes = (prompted: number): Changes => ({
  attempts: 20,
  promptedInBaseline: 4,
  promptedInVariant: prompted,
  requiredBefore: 0,
  requiredAfter: 2,
  newlyPrompted: prompted - 4,
  noLongerPrompted: 0,
  newlyRequired: 2,
  noLongerRequired: 0,
});
const split = { certain: changes(9), assumed: changes(5) };
const prompted = { outcome: 'skippable', reason: null, rule: null } as const;
const stopped = { outcome: 'none', reason: 'snoozed', rule: 'R5' } as const;

function variant(name: string): ComparedVariant {
  return {
    name,
    ruleset: 'seed',
    totals: split,
    users: { all: 5, changed: 3, newlyPrompted: 2, noLongerPrompted: 0, newlyRequired: 1 },
    requiredAtNextSignIn: {
      ifAppliedNow: { users: 7, stillSnoozing: 1 },
      ifAppliedThroughout: { users: 0, stillSnoozing: 0 },
    },
    actions: { applied: 3, inapplicable: 1, assumed: 2 },
    byRule: [
      { before: prompted, after: prompted, certain: 9, assumed: 0 },
      { before: stopped, after: prompted, certain: 1_234, assumed: 5 },
    ],
    byPlatform: { 'windows-chrome': split, ios: split },
    byGroup: { '<b>sales</b>': split },
    byDay: { '2026-01-05': split, '2026-01-06': split },
    warnings: [{ code: 'campaign-reaches-nobody', rule: 'C1', message: 'No one is asked.' }],
  };
}

/** Comparison of two variants, one of them with a malicious name. */
export const sampleComparison: Comparison = {
  source: 'tenant & co',
  kind: 'import',
  from: '2026-01-05T09:00:00.000Z',
  to: '2026-01-06T09:00:00.000Z',
  attempts: 40,
  users: 5,
  assumedAction: 'skip',
  baseRuleset: 'seed',
  baseWarnings: [],
  variants: [variant('passkeys'), variant('<script>alert(1)</script>')],
};
