import { describe, expect, test } from 'vitest';
import { judge } from '../../machines/judge.ts';
import { rulesets } from '../../machines/rulesets/register.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { type Change, enabledFacts, managedFacts } from './facts-builder.ts';
import { type OrderTable, orderTables } from './tables/order.ts';

function judged({ method, managed, ruleset }: OrderTable, ...changes: readonly Change[]): Verdict {
  const held = rulesets.get(ruleset);
  if (held === undefined) throw new RangeError(`No ruleset ${ruleset}.`);
  return judge(managed ? managedFacts(method, ...changes) : enabledFacts(method, ...changes), held);
}

function reasonsOf(verdict: Verdict): readonly string[] {
  return verdict.rules.flatMap((trace) => (trace.outcome === 'stopped' ? [trace.reason] : []));
}

describe.for(orderTables)('Order of evaluation: $title', (table) => {
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
    expect(judged(table)).toMatchObject({ outcome: 'skippable', reason: null });
    expect(reasonsOf(judged(table))).toEqual([]);
  });

  test.for(table.stops)('$reason: alone it is the one reason', ({ reason, provoke }) => {
    expect(reasonsOf(judged(table, provoke))).toEqual([reason]);
    expect(judged(table, provoke)).toMatchObject({ outcome: 'none', reason });
  });

  test.for(pairs.filter(canCoexist))(
    '$earlier comes before $later, and both are reported',
    ({ earlier, later, changes }) => {
      for (const order of [changes, changes.toReversed()]) {
        const verdict = judged(table, ...order);
        expect(verdict).toMatchObject({ outcome: 'none', reason: earlier });
        expect(reasonsOf(verdict)).toEqual([earlier, later]);
      }
    },
  );

  test.for(pairs.filter((pair) => !canCoexist(pair)))(
    '$earlier and $later cannot stand together',
    ({ changes, ...pair }) => {
      expect(reasonsOf(judged(table, ...changes))).not.toEqual([pair.earlier, pair.later]);
    },
  );
});

test('C1 to R5: the tables hold every reason code but none that does not exist', () => {
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
