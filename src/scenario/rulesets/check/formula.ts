import { type Given, holds, listReads } from '../../../../machines/own/condition.ts';
import { evaluateModuleGate } from '../../../../machines/own/evaluate-own.ts';
import type { Condition, ModuleGate } from '../../../../machines/own/own-ruleset.ts';

/** Comparison of a formula. `test` returns `null` if no facts decide it, such as sign-ins in a window. */
export interface Leaf {
  readonly reads: readonly string[];
  readonly test: (given: Given) => boolean | null;
}

/** Statement about facts: conditions of a ruleset, joined. */
export type Formula =
  | { readonly all: readonly Formula[] }
  | { readonly any: readonly Formula[] }
  | { readonly not: Formula }
  | { readonly leaf: Leaf };

/** Formulas that always hold, and that never do. */
export const always: Formula = { all: [] };
export const never: Formula = { any: [] };

/** Leaf that facts leave open. */
export const open: Formula = { leaf: { reads: [], test: () => null } };

/**
 * Converts a condition. A comparison that `replace` gives another formula for is not converted.
 *
 * @param condition - condition of the ruleset
 * @param replace - comparison to replace, and its formula
 * @returns the formula with the same value
 */
export function toFormula(
  condition: Condition,
  replace: { readonly condition: Condition; readonly by: Formula } | null = null,
): Formula {
  if (replace !== null && replace.condition === condition) return replace.by;
  if ('all' in condition) return { all: condition.all.map((part) => toFormula(part, replace)) };
  if ('any' in condition) return { any: condition.any.map((part) => toFormula(part, replace)) };
  if ('not' in condition) return { not: toFormula(condition.not, replace) };
  if ('signIns' in condition) return open;
  return { leaf: { reads: listVariables(condition), test: (given) => holds(condition, given) } };
}

/** Returns the paths of the facts that decide a condition. The ecosystem follows from the operating system. */
export function listVariables(condition: Condition): readonly string[] {
  return listReads(condition).map(toVariable);
}

function toVariable(path: string): string {
  return path === 'attempt.ecosystem' ? 'attempt.os' : path;
}

/** Returns the paths of the facts that decide a module. */
export function gateVariables(gate: ModuleGate): readonly string[] {
  return gate.reads.map(toVariable);
}

/** Returns true if a module stops the prompt, or `null` if it fails. */
export function gateStops(gate: ModuleGate, given: Given): boolean | null {
  try {
    return evaluateModuleGate(gate, given).outcome === 'stopped';
  } catch {
    return null;
  }
}

/** Returns the paths that a formula reads. */
export function formulaReads(formula: Formula): readonly string[] {
  if ('all' in formula) return formula.all.flatMap(formulaReads);
  if ('any' in formula) return formula.any.flatMap(formulaReads);
  return 'not' in formula ? formulaReads(formula.not) : formula.leaf.reads;
}

/** Value of a formula on some of its facts: `null` is open, with the paths that could decide it. */
interface PartialValue {
  readonly value: boolean | null;
  readonly missing: readonly string[];
}

/** Evaluates a formula on the facts whose paths are known. */
export function evaluatePartly(formula: Formula, given: Given, known: ReadonlyMap<string, unknown>): PartialValue {
  if ('all' in formula) return join(formula.all, false, given, known);
  if ('any' in formula) return join(formula.any, true, given, known);
  if ('not' in formula) {
    const { value, missing } = evaluatePartly(formula.not, given, known);
    return { value: value === null ? null : !value, missing };
  }
  const missing = formula.leaf.reads.filter((path) => !known.has(path));
  return { value: missing.length > 0 ? null : formula.leaf.test(given), missing };
}

/** Evaluates parts until one has the value that decides the whole. */
function join(
  parts: readonly Formula[],
  decisive: boolean,
  given: Given,
  known: ReadonlyMap<string, unknown>,
): PartialValue {
  const missing: string[] = [];
  let isOpen = false;
  for (const part of parts) {
    const one = evaluatePartly(part, given, known);
    if (one.value === decisive) return { value: decisive, missing: [] };
    if (one.value === null) {
      isOpen = true;
      missing.push(...one.missing);
    }
  }
  return { value: isOpen ? null : !decisive, missing };
}
