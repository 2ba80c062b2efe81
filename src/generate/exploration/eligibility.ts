import { evaluate } from '../../../machines/evaluate.ts';
import { datelessRulesets as rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Reason, Ruleset, VerdictOutcome } from '../../../machines/vocabulary.ts';
import { CompiledEvaluator } from '../../compiled/compiled-evaluator.ts';
import { evaluateAll } from '../../compiled/evaluate-all.ts';
import { randomSource } from '../../core/random.ts';
import { eligibilitySpace } from '../models/eligibility-space.ts';

/** Default number of verdicts compared with those of `evaluate`, including traces. */
const sampledDefault = 10_000;
const sampleSeed = 1;

/** Verdicts on every combination of policy, user, device, browser and sign-in context under one ruleset. */
export interface EligibilityReport {
  readonly ruleset: string;
  /** Axes, with their number of values. */
  readonly axes: readonly { readonly name: string; readonly values: number }[];
  readonly combinations: number;
  /** Count of each verdict; the counts add up to all combinations. */
  readonly verdicts: readonly {
    readonly outcome: VerdictOutcome;
    readonly reason: Reason | null;
    readonly count: number;
  }[];
  /** Size of the random sample also evaluated by `evaluate`, and number of its verdicts that differ in any field. */
  readonly sampled: number;
  readonly differing: number;
}

/**
 * Evaluates every eligibility combination under each ruleset with the table-based evaluator, and compares a random
 * sample with `evaluate`.
 * @param sampled - size of the random sample
 */
export function exploreEligibility(sampled = sampledDefault): readonly EligibilityReport[] {
  return [...rulesets.values()].map((ruleset) => {
    const compiled = new CompiledEvaluator(eligibilitySpace(), ruleset);
    const counts = evaluateAll(compiled);
    return {
      ruleset: ruleset.id,
      axes: compiled.space.axes.map(({ name, values }) => ({ name, values: values.length })),
      combinations: compiled.space.size,
      verdicts: compiled.codes.map((code, at) => ({ ...code, count: counts[at] ?? 0 })),
      sampled,
      differing: differingIn(compiled, ruleset, sampled),
    };
  });
}

function differingIn(compiled: CompiledEvaluator, ruleset: Ruleset, sampled: number): number {
  const draw = randomSource(sampleSeed);
  let differing = 0;
  for (let index = 0; index < sampled; index += 1) {
    const places = compiled.space.axes.map(({ values }) => Math.floor(draw() * values.length));
    const own = JSON.stringify(evaluate(compiled.space.factsAt(places), ruleset));
    const code = compiled.codes[compiled.codeAt(places)];
    const verdict = compiled.verdictAt(places);
    const same = JSON.stringify(verdict) === own && code?.outcome === verdict.outcome && code.reason === verdict.reason;
    if (!same) differing += 1;
  }
  return differing;
}
