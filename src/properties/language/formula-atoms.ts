import { type Condition, type Formula, listParts } from './formula.ts';

/** Condition about the step to a position. */
export type StepAtom = Extract<Condition, { kind: 'event' | 'action' | 'time' }>;

/** Conditions of a formula by what they read. */
export interface FormulaAtoms {
  readonly compares: readonly Extract<Condition, { kind: 'compare' }>[];
  readonly steps: readonly StepAtom[];
  /** Names of the facts whose change is compared. */
  readonly changing: readonly string[];
  /** Names of all facts. */
  readonly facts: readonly string[];
}

/** Collects the conditions of a formula with those of its parts. */
export function collectAtoms(formula: Formula): FormulaAtoms {
  const atoms = listAtoms(formula);
  const compares = atoms.filter((atom) => atom.kind === 'compare');
  const changing = atoms.filter((atom) => atom.kind === 'change').map(({ fact }) => fact);
  const compared = compares.flatMap(({ fact, with: right }) => ('fact' in right ? [fact, right.fact] : [fact]));
  return {
    compares,
    steps: atoms.filter((atom) => atom.kind === 'event' || atom.kind === 'action' || atom.kind === 'time'),
    changing,
    facts: [...new Set([...compared, ...changing])],
  };
}

function listAtoms(formula: Formula): readonly Condition[] {
  switch (formula.kind) {
    case 'compare':
    case 'change':
    case 'event':
    case 'action':
    case 'time':
      return [formula];
    default:
      return listParts(formula).flatMap(listAtoms);
  }
}
