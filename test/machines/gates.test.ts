import { expect, test } from 'vitest';
import { judge } from '../../machines/judge.ts';
import { rules } from '../../machines/rules/register.ts';
import { rulesets } from '../../machines/rulesets/register.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { factsOf, type GateRow } from './tables/gate-row.ts';
import { methodGates } from './tables/method-gates.ts';
import { scopeGates } from './tables/scope-gates.ts';
import { signInGates } from './tables/sign-in-gates.ts';

const rows: readonly GateRow[] = [...scopeGates, ...signInGates, ...methodGates];

/** What one gate says: its outcome, or the reason when it stops. */
function said(row: GateRow, ruleset: Ruleset): string {
  const trace = judge(factsOf(row), ruleset).rules.find(({ id }) => id === row.gate);
  return trace?.outcome === 'stopped' ? trace.reason : (trace?.outcome ?? 'missing');
}

test.for(rows.map((row) => ({ ...row, ruleset: row.ruleset ?? 'seed' })))(
  '$gate $claim: $expected',
  ({ ruleset, ...row }) => {
    const judged = rulesets.get(ruleset);
    expect(judged === undefined ? 'no ruleset' : said(row, judged)).toBe(row.expected);
  },
);

test.for(rows.filter(({ gate, ruleset, managed }) => gate !== 'M1' && ruleset === undefined && managed !== true))(
  '$gate $claim: $expected, in ruleset 2026-09 as well',
  (row) => {
    const september = rulesets.get('2026-09');
    expect(september === undefined ? 'no ruleset' : said(row, september)).toBe(row.expected);
  },
);

test('C1 to R5: the tables hold every outcome and every reason of every gate but profiles and matrix', () => {
  const held = new Set(rows.map(({ gate, expected }) => `${gate} ${expected}`));
  const wanted = rules
    .filter(({ id }) => id !== 'R11.3' && id !== 'R11.7')
    .flatMap(({ id, reasons }) => [`${id} met`, ...reasons.map((reason) => `${id} ${reason}`)]);
  expect(wanted.filter((outcome) => !held.has(outcome))).toEqual([]);
});
