import { evaluate } from '../../../machines/evaluate.ts';
import type { Facts, Ruleset, TenantFacts, Verdict } from '../../../machines/vocabulary.ts';
import type { VerdictSummary } from '../../contract/comparison.schema.ts';

/** A policy that a history is evaluated by: how it changes what was in force, and by which ruleset. */
export interface Variant {
  readonly name: string;
  /** Takes the facts that were in force; returns those that take their place. */
  apply(tenant: TenantFacts): TenantFacts;
  /** The ruleset; `null` keeps the one of the history. */
  readonly ruleset: Ruleset | null;
}

/**
 * What rules can say, as small numbers: one for each outcome with its reason and the gate that stopped first, in the order in
 * which they come up.
 */
export class VerdictCodes {
  readonly sides: VerdictSummary[] = [];
  readonly #codes = new Map<string, number>();

  /** The code of a verdict. */
  codeOf(verdict: Verdict): number {
    const stopped = verdict.rules.find(({ outcome }) => outcome === 'stopped');
    const { outcome, reason } = verdict;
    return this.#code({ outcome, reason, rule: stopped?.id ?? null });
  }

  #code(side: VerdictSummary): number {
    const key = `${side.outcome} ${side.reason} ${side.rule}`;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    if (this.sides.length >= sideCodesMax)
      throw new RangeError(`Rules said more than ${sideCodesMax} different things.`);
    this.sides.push(side);
    this.#codes.set(key, this.sides.length - 1);
    return this.sides.length - 1;
  }

  /** The side of a code. */
  side(code: number): VerdictSummary {
    const found = this.sides[code];
    if (found === undefined) throw new RangeError(`No side has the code ${code}.`);
    return found;
  }
}

/** Outcomes with reason and gate: far more than rulesets have. */
export const sideCodesMax = 256;

/** Evaluates facts, and notes what the verdict warned of. */
export class VariantEvaluator {
  readonly codes: VerdictCodes;
  readonly warnings = new Map<string, string>();
  evaluated = 0;

  constructor(codes: VerdictCodes) {
    this.codes = codes;
  }

  /** The verdict of facts and its code. */
  evaluate(facts: Facts, ruleset: Ruleset): { readonly verdict: Verdict; readonly code: number } {
    this.evaluated += 1;
    const verdict = evaluate(facts, ruleset);
    for (const { code, message } of verdict.warnings) this.warnings.set(code, message);
    return { verdict, code: this.codes.codeOf(verdict) };
  }
}
