import type { CountedTransition, ExecutedTransition } from './coverage-evidence.ts';

/** Counts executed lifecycle transitions, identified by the names of their guards and actions in the machine. */
export class TransitionCounts {
  readonly #counts = new Map<string, { readonly taken: ExecutedTransition; times: number }>();

  /** Returns the texts that identify the transitions. */
  keys(): readonly string[] {
    return [...this.#counts.keys()];
  }

  list(): readonly CountedTransition[] {
    return [...this.#counts.values()];
  }

  add(taken: ExecutedTransition, times = 1): void {
    const key = `${taken.event} ${taken.from} ${taken.guard} ${taken.actions.join()}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { taken, times });
    else known.times += times;
  }
}
