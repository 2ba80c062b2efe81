import type { Facts, GateId, TargetedMethod, Verdict } from '../../machines/vocabulary.ts';
import { listChanges } from './difference.ts';
import { enabledFacts, managedFacts } from './facts-builder.ts';

/** What of a verdict the tables are about. */
export type Judged = Pick<Verdict, 'outcome' | 'reason' | 'rules' | 'campaign'>;

/** Anything that evaluates: the project's evaluate, or one with a fault in it. */
export type Judging = (facts: Facts, rulesetId: string) => Judged;

/** One row of one table. */
export interface Check {
  /** The gate, or what of a verdict the row is about. */
  readonly about: string;
  /** What the row claims, as the end of a sentence. */
  readonly claim?: string;
  readonly facts: Facts;
  readonly ruleset: string;
  readonly expected: string;
  /** What a verdict says of it. */
  readonly said: (evaluated: Judged) => string;
}

/** Outcome of a gate, or its reason when it stopped. */
export function saidBy(gate: GateId): Check['said'] {
  return ({ rules }) => {
    const trace = rules.find(({ id }) => id === gate);
    return trace?.outcome === 'stopped' ? trace.reason : (trace?.outcome ?? 'missing');
  };
}

/**
 * The rows that an evaluator answers otherwise than the tables say, one line each: what the row is about, the ruleset, the facts that
 * matter, what was expected and what was said.
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

/** Facts that are not those of a user who is asked, and what the gate of the row looked at. */
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

/** The facts that rows begin with, by how their campaign is called. */
const bases = methods.flatMap((method) => [
  { name: `${method} enabled`, base: enabledFacts(method) },
  { name: `${method} managed`, base: managedFacts(method) },
]);
