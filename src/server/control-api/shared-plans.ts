import { LruMap } from '../../core/lru-map.ts';
import { findLoadedDigest } from '../../journal/ruleset-registry.ts';
import { planSandbox, type SandboxInput, type SandboxPlan } from '../../sandbox/sandbox.ts';

/** Maximum size of all kept inputs, in characters of their JSON. */
const inputsMax = 4_194_304;

interface KeptPlan {
  readonly plan: SandboxPlan;
  readonly characters: number;
}

/**
 * Plans of the sandboxes that were requested last. Suites create sandbox after sandbox from the same fixtures: those with
 * equal inputs share one validated plan and all of its structure, because states are never changed in place.
 */
export class SharedPlans {
  readonly #kept = new LruMap<string, KeptPlan>({
    weightMax: inputsMax,
    computeWeight: ({ characters }) => characters,
  });

  /**
   * Returns the plan of a sandbox.
   *
   * @param input - input that was read from JSON
   * @returns the plan, which is the same object for equal inputs
   * @throws NudgeLabError `bad-request` with every problem
   */
  plan(input: SandboxInput): SandboxPlan {
    const digest = input.ruleset === undefined ? null : findLoadedDigest(input.ruleset);
    const key = JSON.stringify([digest, input]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.plan;
    const plan = planSandbox(input);
    this.#kept.set(key, { plan, characters: key.length });
    return plan;
  }
}
