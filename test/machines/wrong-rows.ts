import type { Facts, GateId, TargetedMethod, Verdict } from '../../machines/vocabulary.ts';
import { listChanges } from './difference.ts';
import { enabledFacts, managedFacts } from './facts-builder.ts';

/** Part of a verdict that the tables cover. */
export type Judged = Pick<Verdict, 'outcome' | 'reason' | 'rules' | 'campaign'>;

/** Evaluator under test: the original one or a mutant. */
export type Judging = (facts: Facts, rulesetId: string) => Judged;

/** Row of a table. */
export interface Check {
  /** Gate of the row, or the tested part of a verdict. */
  readonly about: string;
  /** Claim of the row, as the end of a sentence. */
  readonly claim?: string;
  readonly facts: Facts;
  readonly ruleset: string;
  readonly expected: string;
  /** Extracts the tested result from a verdict. */
  readonly said: (evaluated: Judged) => string;
}

/** Returns a function that extracts the outcome of a gate, or its reason if it stopped. */
export function saidBy(gate: GateId): Check['said'] {
  return ({ rules }) => {
    const trace = rules.find(({ id }) => id === gate);
    return trace?.outcome === 'stopped' ? trace.reason : (trace?.outcome ?? 'missing');
  };
}

/**
 * Lists the rows for which an evaluator differs from the tables, one line each, with the subject of the row, the
 * ruleset, the relevant facts, and the expected and actual results.
 */
export function wrongRows(rows: readonly Check[], judging: Judging): readonly string[] {
  return rows.flatMap(({ about, claim, facts, ruleset, expected, said }) => {
    const evaluated = judging(facts, ruleset);
    const actual = said(evaluated);
    if (actual === expected) return [];
    const row = claim === undefined ? about : `${about} (${claim})`;
    return [`${row} in ${ruleset}, ${factsThatMatter(facts, evaluated, about)}: expected ${expected}, got ${actual}`];
  });
}

/** Formats the facts that differ from those of a prompted user, and the evaluated facts of the gate of the row. */
function factsThatMatter(facts: Facts, { rules }: Judged, about: string): string {
  const [nearest] = bases
    .map(({ name, base }) => ({ name, changes: listChanges(facts, base) }))
    .toSorted((one, other) => one.changes.length - other.changes.length);
  const saw = rules.find(({ id }) => id === about)?.saw;
  return [
    nearest?.name,
    ...(nearest?.changes ?? []),
    ...(saw === undefined ? [] : [`saw ${JSON.stringify(saw)}`]),
  ].join(' ');
}

const methods: readonly TargetedMethod[] = ['vendorAuthenticator', 'fido2'];

/** Default facts of rows, with the name of their campaign. */
const bases = methods.flatMap((method) => [
  { name: `${method} enabled`, base: enabledFacts(method) },
  { name: `${method} managed`, base: managedFacts(method) },
]);
