import { evaluate } from '../../../machines/evaluate.ts';
import type { Facts, Ruleset, TenantFacts, Verdict } from '../../../machines/vocabulary.ts';
import type { VerdictSummary } from '../../contract/comparison.schema.ts';

/** Policy for evaluating a history: its changes to the recorded policy, and its ruleset. */
export interface Variant {
  readonly name: string;
  /** Returns the tenant facts that replace the recorded ones. */
  apply(tenant: TenantFacts): TenantFacts;
  /** Ruleset of the variant; `null` if it is that of the history. */
  readonly ruleset: Ruleset | null;
}

/** Verdict of a registration campaign or of an own campaign, as comparisons read it. */
export type JudgedVerdict = Pick<Verdict, 'outcome' | 'reason' | 'rules'>;

/**
 * Maps verdict summaries to small numbers: one for each outcome with its reason and the gate that stopped first, in
 * order of appearance.
 */
export class VerdictCodes {
  readonly sides: VerdictSummary[] = [];
  readonly #codes = new Map<string, number>();

  /** Returns the code of a verdict. */
  getCode(verdict: JudgedVerdict): number {
    const stopped = verdict.rules.find(({ outcome }) => outcome === 'stopped');
    const { outcome, reason } = verdict;
    return this.#code({ outcome, reason, rule: stopped?.id ?? null });
  }

  #code(side: VerdictSummary): number {
    const key = `${side.outcome} ${side.reason} ${side.rule}`;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    if (this.sides.length >= sideCodesMax)
      throw new RangeError(`The number of different verdicts exceeds ${sideCodesMax}.`);
    this.sides.push(side);
    this.#codes.set(key, this.sides.length - 1);
    return this.sides.length - 1;
  }

  /** Returns the verdict summary of a code. */
  side(code: number): VerdictSummary {
    const found = this.sides[code];
    if (found === undefined) throw new RangeError(`Verdict code ${code} does not exist.`);
    return found;
  }
}

/** Maximum number of codes, far more than the verdicts of any ruleset. */
export const sideCodesMax = 256;

/** Evaluates facts and collects the warnings of the verdicts. */
export class VariantEvaluator {
  readonly codes: VerdictCodes;
  readonly warnings = new Map<string, string>();
  evaluated = 0;

  constructor(codes: VerdictCodes) {
    this.codes = codes;
  }

  /** Returns the verdict on facts, with its code. */
  evaluate(facts: Facts, ruleset: Ruleset): { readonly verdict: Verdict; readonly code: number } {
    this.evaluated += 1;
    const verdict = evaluate(facts, ruleset);
    for (const { code, message } of verdict.warnings) this.warnings.set(code, message);
    return { verdict, code: this.codes.getCode(verdict) };
  }
}
