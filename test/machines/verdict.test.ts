import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { seedRuleset, september2026Ruleset } from '../../machines/rulesets/built-in.ts';
import type { Facts, GateId, Ruleset, Verdict } from '../../machines/vocabulary.ts';
import { findDifference } from './difference.ts';
import { anyFacts } from './facts-arbitrary.ts';
import { changed, dayMs, deepFrozen, enabledFacts, managedFacts, nowMs } from './facts-builder.ts';
import { expectAlways, propertySeed } from './property.ts';

/** Gates in the order of evaluation, copied from the catalog. M1 follows R3 in ruleset 2026-09 only. */
const seedOrder =
  'C1 S1 S2 S3 R13.1 R1 R3 R13.2 R13.3 R4 R13.4 R13.5 R13.6 R10.4 R11.4 R11.6 R11.9 R11.5 R10.5 R10.2 R10.3 R11.1 R11.2 R11.7 R10.1 R11.3 R5';
const septemberOrder =
  'C1 S1 S2 S3 R13.1 R1 R3 M1 R13.2 R13.3 R4 R13.4 R13.5 R13.6 R10.4 R11.4 R11.6 R11.9 R11.5 R10.5 R10.2 R10.3 R11.1 R11.2 R11.7 R10.1 R11.3 R5';

const appGates = 'M1 R10.4 R10.5 R10.2 R10.3 R10.1'.split(' ');
const passkeyGates = 'R11.4 R11.6 R11.9 R11.5 R11.1 R11.2 R11.7 R11.3'.split(' ');

const cases: readonly { readonly ruleset: Ruleset; readonly order: string }[] = [
  { ruleset: seedRuleset, order: seedOrder },
  { ruleset: september2026Ruleset, order: septemberOrder },
];

function stops(verdict: Verdict): readonly string[] {
  return verdict.rules.flatMap((trace) => (trace.outcome === 'stopped' ? [trace.reason] : []));
}

function findOutcome(verdict: Verdict, gate: GateId): string | undefined {
  return verdict.rules.find(({ id }) => id === gate)?.outcome;
}

describe.for(cases)('Verdicts by ruleset $ruleset.id', ({ ruleset, order }) => {
  /** Asserts that a property is true for any facts. */
  function holds(claim: (verdict: Verdict, facts: Facts) => boolean | string | null): void {
    expectAlways(anyFacts, (facts) => claim(evaluate(facts, ruleset), facts), 500);
  }

  test('C1 to R5: every gate is reported once, in the order of the ruleset, regardless of stops', () => {
    holds(({ rules }) => rules.map(({ id }) => id).join(' ') === order);
  });

  test('C1 to R5: the reason is that of the first stopped gate, and a prompt is shown only if no gate stopped', () => {
    holds((verdict) => {
      const [first = null] = stops(verdict);
      return verdict.reason === first && (verdict.outcome === 'none') === (first !== null);
    });
  });

  test('C1 to R5: only stopped gates have a reason, and every gate has evaluated facts', () => {
    holds(({ rules }) =>
      rules.every((trace) => 'reason' in trace === (trace.outcome === 'stopped') && Object.keys(trace.saw).length > 0),
    );
  });

  test('C1 to R5: a verdict names its ruleset and is unchanged by a JSON round trip', () => {
    holds(
      (verdict) =>
        findDifference(JSON.parse(JSON.stringify(verdict)), verdict) ??
        findDifference(verdict.ruleset, ruleset.id, 'ruleset'),
    );
  });

  test('C1 to R5: gates of the other method are not applicable, nor is any method gate without a targeted method', () => {
    holds(({ campaign: { method }, rules }) => {
      const foreign = [
        ...(method === 'fido2' ? [] : passkeyGates),
        ...(method === 'vendorAuthenticator' ? [] : appGates),
      ];
      return rules.every(({ id, outcome }) => !foreign.includes(id) || outcome === 'not-applicable');
    });
  });

  test('C1 to R5: evaluation depends only on the facts and does not modify them', () => {
    expectAlways(
      anyFacts,
      (facts) => {
        const copy = structuredClone(facts);
        const verdict = evaluate(deepFrozen(facts), ruleset);
        return findDifference(evaluate(copy, ruleset), verdict, 'verdict') ?? findDifference(facts, copy, 'facts');
      },
      500,
    );
  });

  test('R14: a disabled campaign never prompts', () => {
    holds((_verdict, facts) => {
      const disabled = changed(facts, ({ tenant }) => {
        tenant.campaign.state = 'disabled';
      });
      return evaluate(disabled, ruleset).reason === 'campaign-disabled';
    });
  });

  test('S2: excluding a user always stops', () => {
    holds((_verdict, facts) => {
      const excluded = changed(facts, ({ tenant, user }) => {
        tenant.campaign.excludeTargets.push({ targetType: 'user', id: user.id });
      });
      return stops(evaluate(excluded, ruleset)).includes('excluded');
    });
  });

  test('R5: no prompt is shown at the start of a snooze of at least one day', () => {
    holds((_verdict, facts) => {
      const snoozed = changed(facts, ({ tenant, user, attempt }) => {
        tenant.campaign.snoozeDurationInDays = 1;
        user.snooze = { count: 1, snoozedAtMs: attempt.nowMs };
      });
      return evaluate(snoozed, ruleset).outcome === 'none';
    });
  });

  test('R6: a prompt is required if and only if the limit is on and three snoozes are used', () => {
    holds(
      ({ outcome, campaign }, { user }) =>
        outcome === 'none' || (outcome === 'required') === (campaign.limited && user.snooze.count >= 3),
    );
  });

  test('R12: an additional passkey never changes a stopped campaign into a prompt', () => {
    holds((verdict, facts) => {
      const more = changed(facts, ({ user }) => {
        user.passkeys.push({ type: 'security-key', deviceId: 'device-1' });
      });
      return verdict.outcome !== 'none' || evaluate(more, ruleset).outcome === 'none';
    });
  });

  test('A5: with zero days the timer never stops', () => {
    holds((verdict) => verdict.campaign.snoozeDays > 0 || !stops(verdict).includes('snoozed'));
  });

  test('R1: random facts reach both types of prompts and no prompt, so these properties are not vacuous', () => {
    const outcomes = fc
      .sample(anyFacts, { seed: propertySeed, numRuns: 1000 })
      .map((facts) => evaluate(facts, ruleset));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['none', 'skippable', 'required']));
  });

  test.for([
    [0, true, 'skippable'],
    [2, true, 'skippable'],
    [3, true, 'required'],
    [4, true, 'required'],
    [2, false, 'skippable'],
    [3, false, 'skippable'],
    [99, false, 'skippable'],
  ] as const)('R6: %i snoozes, limited %s: %s', ([count, enforce, outcome]) => {
    const facts = enabledFacts('vendorAuthenticator', ({ tenant, user }) => {
      tenant.campaign.enforceRegistrationAfterAllowedSnoozes = enforce;
      user.snooze = { count, snoozedAtMs: nowMs - 2 * dayMs };
    });
    expect(evaluate(facts, ruleset)).toMatchObject({ outcome, reason: null });
  });

  test('A15: only an enabled campaign without include targets has a warning', () => {
    const withoutTargets = enabledFacts('fido2', ({ tenant }) => {
      tenant.campaign.includeTargets = [];
    });
    expect(evaluate(withoutTargets, ruleset)).toMatchObject({
      reason: 'not-included',
      warnings: [{ code: 'include-targets-empty' }],
    });
    const disabled = changed(withoutTargets, ({ tenant }) => {
      tenant.campaign.state = 'disabled';
    });
    for (const facts of [disabled, managedFacts('fido2'), enabledFacts('fido2')]) {
      expect(evaluate(facts, ruleset).warnings).toEqual([]);
    }
  });

  test('A23: a required user who becomes disabled or out of scope is not prompted, and is required again afterwards', () => {
    const required = enabledFacts('vendorAuthenticator', ({ user }) => {
      user.snooze = { count: 3, snoozedAtMs: nowMs - dayMs };
    });
    const disabled = changed(required, ({ tenant }) => {
      tenant.campaign.state = 'disabled';
    });
    const excluded = changed(required, ({ tenant }) => {
      tenant.campaign.excludeTargets = [{ targetType: 'user', id: 'ada' }];
    });
    expect([required, disabled, excluded, required].map((facts) => evaluate(facts, ruleset).outcome)).toEqual([
      'required',
      'none',
      'none',
      'required',
    ]);
  });

  test('R10.5: for a guest user in an app campaign, the permission is reported as met', () => {
    const facts = enabledFacts('vendorAuthenticator', ({ user }) => {
      user.type = 'guest';
    });
    expect(findOutcome(evaluate(facts, ruleset), 'R10.5')).toBe('met');
    expect(evaluate(facts, ruleset).outcome).toBe('skippable');
  });
});

test('M1: only the trace of ruleset 2026-09 contains it', () => {
  const facts = enabledFacts('vendorAuthenticator');
  expect([seedRuleset, september2026Ruleset].map((ruleset) => findOutcome(evaluate(facts, ruleset), 'M1'))).toEqual([
    undefined,
    'met',
  ]);
});
