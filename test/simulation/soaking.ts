import { canaries } from './canaries.ts';
import type { Outcome } from './environment.ts';
import { type StoreKind, shrink, simulate } from './simulate.ts';
import { createSteps, type Step } from './steps.ts';

/** Series of simulations to run one after another. */
export interface Play {
  readonly store: StoreKind;
  /** First random seed. The following simulations use consecutive seeds. */
  readonly seed: number;
  readonly seeds: number;
  /** Number of steps per simulation. */
  readonly steps: number;
  /** Name of a deliberate fault. */
  readonly canary?: string;
}

/** Finding with the data to reproduce it. */
export interface Failure {
  readonly claim: string;
  readonly message: string;
  readonly command: string;
  /** Shrunk steps that still produce the finding. */
  readonly steps: readonly Step[];
}

/** Result of a series of simulations: totals, and the first failure. */
export type Played = Omit<Outcome, 'finding'> & { readonly failure: Failure | null };

/** Runs consecutive random seeds until there is a finding. The callback receives each seed that passed. */
export async function playAll(play: Play, heard: (seed: number) => void = () => undefined): Promise<Played> {
  const { store, seeds, steps } = play;
  const canary = play.canary === undefined ? undefined : canaries[play.canary];
  if (play.canary !== undefined && canary === undefined) throw new RangeError(`There is no canary ${play.canary}.`);
  const sums = { steps: 0, answers: 0, refusals: 0, processes: 0, entries: 0 };
  for (let seed = play.seed; seed < play.seed + seeds; seed += 1) {
    const all = createSteps(seed, steps);
    const { finding, ...outcome } = await simulate(all, store, canary);
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += outcome[key];
    if (finding === null) {
      heard(seed);
      continue;
    }
    const fewest = await shrink(all.slice(0, outcome.steps), finding.claim, (some) => simulate(some, store, canary));
    const planted = play.canary === undefined ? '' : ` --canary ${play.canary}`;
    const command = `node test/simulation/simulation-process.ts --store ${store} --seed ${seed} --steps ${steps}${planted}`;
    return { ...sums, failure: { ...finding, command, steps: fewest } };
  }
  return { ...sums, failure: null };
}
