import { evaluate } from '../../../machines/evaluate.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { ReasonCode, Ruleset, VerdictOutcome } from '../../../machines/vocabulary.ts';
import { CompiledEvaluator } from '../../compiled/compiled-evaluator.ts';
import { evaluateAll } from '../../compiled/evaluate-all.ts';
import { randomSource } from '../../core/random.ts';
import { eligibilitySpace } from '../models/eligibility-space.ts';

/** Verdicts that are compared with those of `evaluate` itself, trace and all. */
const sampledDefault = 10_000;
const sampleSeed = 1;

/** What every combination of policy, user, device, browser and sign-in context comes to under one ruleset. */
export interface EligibilityReport {
  readonly ruleset: string;
  /** The axes, with how many values each has. */
  readonly axes: readonly { readonly name: string; readonly values: number }[];
  readonly combinations: number;
  /** How often each verdict came out; together they are all combinations. */
  readonly verdicts: readonly {
    readonly outcome: VerdictOutcome;
    readonly reason: ReasonCode | null;
    readonly count: number;
  }[];
  /** A seeded sample was evaluated by `evaluate` too: how many verdicts, and how many of them differed in any field. */
  readonly sampled: number;
  readonly differing: number;
}

/**
 * Evaluates every combination of eligibility under each ruleset, on the evaluator compiled to tables, and compares a seeded sample
 * with `evaluate` itself. Takes the size of the sample.
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
