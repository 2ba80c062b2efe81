import { expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { rules } from '../../machines/rules/rule-registry.ts';
import type { Facts, Verdict } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { gateChecks, getRuleset } from './decision-checks.ts';
import type { GateRow } from './tables/gate-row.ts';
import { methodGates } from './tables/method-gates.ts';
import { scopeGates } from './tables/scope-gates.ts';
import { signInGates } from './tables/sign-in-gates.ts';
import { wrongRows } from './wrong-rows.ts';

const rows: readonly GateRow[] = [...scopeGates, ...signInGates, ...methodGates];

const gates = [...new Set(rows.map(({ gate }) => gate))];

function judging(facts: Facts, ruleset: string): Verdict {
  return evaluate(facts, getRuleset(ruleset));
}

test.for(nonEmpty(gates))('%s: the gate returns the expected result for every row of its table', (gate) => {
  const own = rows.filter((row) => row.gate === gate);
  expect(own.length).toBeGreaterThan(0);
  expect(wrongRows(gateChecks(own), judging)).toEqual([]);
});

test.for(nonEmpty(gates.filter((gate) => gate !== 'M1')))(
  '%s: rows without a ruleset also apply to 2026-09',
  (gate) => {
    const shared = rows.filter(
      ({ gate: of, ruleset, managed }) => of === gate && ruleset === undefined && managed !== true,
    );
    expect(wrongRows(gateChecks(shared, '2026-09'), judging)).toEqual([]);
  },
);

test('C1 to R5: the tables contain every outcome and reason of every gate except profiles and matrix', () => {
  const held = new Set(rows.map(({ gate, expected }) => `${gate} ${expected}`));
  const wanted = rules
    .filter(({ id }) => id !== 'R11.3' && id !== 'R11.7')
    .flatMap(({ id, reasons }) => [`${id} met`, ...reasons.map((reason) => `${id} ${reason}`)]);
  expect(wanted.filter((outcome) => !held.has(outcome))).toEqual([]);
});
