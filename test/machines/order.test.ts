import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { type Change, enabledFacts, managedFacts } from './facts-builder.ts';
import { type OrderTable, orderTables } from './tables/order.ts';

function evaluated({ method, managed, ruleset }: OrderTable, ...changes: readonly Change[]): Verdict {
  const stored = rulesets.get(ruleset);
  if (stored === undefined) throw new RangeError(`No ruleset ${ruleset}.`);
  return evaluate(managed ? managedFacts(method, ...changes) : enabledFacts(method, ...changes), stored);
}

function listReasons(verdict: Verdict): readonly string[] {
  return verdict.rules.flatMap((trace) => (trace.outcome === 'stopped' ? [trace.reason] : []));
}

describe.for(nonEmpty(orderTables))('Order of evaluation: $title', (table) => {
  const pairs = table.stops.flatMap((earlier, index) =>
    table.stops.slice(index + 1).map((later) => ({
      earlier: earlier.reason,
      later: later.reason,
      changes: [earlier.provoke, later.provoke],
    })),
  );
  const canCoexist = ({ earlier, later }: (typeof pairs)[number]) =>
    !table.exclusive.some(([one, other]) => one === earlier && other === later);

  test('C1 to R5: without any of these changes the user is prompted', () => {
    expect(evaluated(table)).toMatchObject({ outcome: 'skippable', reason: null });
    expect(listReasons(evaluated(table))).toEqual([]);
  });

  /**
   * Compares the reasons of a verdict, with all stopping changes, with the expected reasons in order, and lists the
   * differences.
   */
  const wrong = (changes: readonly Change[], ...reasons: readonly string[]): readonly string[] => {
    const verdict = evaluated(table, ...changes);
    const said = `${verdict.outcome} ${verdict.reason} of ${listReasons(verdict).join(', ')}`;
    const expected = `none ${reasons[0]} of ${reasons.join(', ')}`;
    return said === expected ? [] : [`${table.title}: expected ${expected}, got ${said}`];
  };

  test('C1 to R5: each change by itself is the only reason', () => {
    expect(table.stops.flatMap(({ reason, provoke }) => wrong([provoke], reason))).toEqual([]);
    expect(table.stops.length).toBeGreaterThan(10);
  });

  test('C1 to R5: of any two changes, the earlier gate is the reason and both are reported, in any order of changes', () => {
    const lines = pairs
      .filter(canCoexist)
      .flatMap(({ earlier, later, changes }) =>
        [changes, changes.toReversed()].flatMap((order) => wrong(order, earlier, later)),
      );
    expect(lines).toEqual([]);
    expect(pairs.length).toBeGreaterThan(100);
  });

  test.for(nonEmpty(pairs.filter((pair) => !canCoexist(pair))))(
    '$earlier and $later cannot occur together',
    ({ changes, ...pair }) => {
      expect(listReasons(evaluated(table, ...changes))).not.toEqual([pair.earlier, pair.later]);
    },
  );
});

test('C1 to R5: the tables contain every reason code and no unknown one', () => {
  const held = new Set(orderTables.flatMap(({ stops }) => stops.map(({ reason }) => reason)));
  expect([...held].sort()).toEqual([
    'already-registered',
    'campaign-disabled',
    'custom-controls',
    'excluded',
    'external-mfa',
    'guest',
    'linux',
    'local-passkey',
    'method-not-enabled',
    'mfa-not-completed',
    'mfa-not-voice-or-sms',
    'mobile-not-supported',
    'mode-passwordless',
    'native-android',
    'not-included',
    'not-mfa-capable',
    'not-voice-or-sms',
    'registered-this-session',
    'registration-blocked',
    'registration-condition-unmet',
    'restricted-profile',
    'self-service-off',
    'snoozed',
    'sso-session',
    'terms-of-use',
    'unknown-platform',
    'unsupported-surface',
  ]);
});
