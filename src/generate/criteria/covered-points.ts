import type { NudgeEvent } from '../../../machines/nudge.machine.ts';
import {
  describeObservation,
  matches,
  type NudgeTransition,
  type Observation,
} from '../../contract/coverage-evidence.ts';
import { takenFrom } from '../../sandbox/observed-journal.ts';
import type { NudgeSnapshot } from '../../sandbox/sandbox.ts';
import type { ProductSteps } from '../exploration/product-steps.ts';

/** Rule or assumption with the observations that confirm it. */
export interface Confirmed {
  readonly id: string;
  readonly confirmedBy: readonly Observation[];
}

/** Transition of the lifecycle that demonstrates a rule or an assumption. */
export interface LifecyclePoint {
  readonly id: string;
  /** Id, and a description of the transition. */
  readonly name: string;
  readonly transition: NudgeTransition;
}

/** Lists the transitions that demonstrate rules and assumptions, in their order. */
export function lifecyclePoints(entries: readonly Confirmed[]): readonly LifecyclePoint[] {
  return entries.flatMap(({ id, confirmedBy }) =>
    confirmedBy.flatMap((one): readonly LifecyclePoint[] =>
      one.kind === 'lifecycle'
        ? [{ id, name: `${id} by ${describeObservation(one)}`, transition: one.transition }]
        : [],
    ),
  );
}

/** Maps the steps of the lifecycle product to lifecycle points, by the transition of the nudge machine. */
export class CoveredPoints {
  readonly #steps: ProductSteps;
  readonly #points: readonly LifecyclePoint[];
  readonly #part: number;
  readonly #known = new Map<string, readonly number[]>();

  /** Creates the mapping. The product must have a part with the name `nudge`. */
  constructor(steps: ProductSteps, points: readonly LifecyclePoint[]) {
    this.#steps = steps;
    this.#points = points;
    this.#part = steps.compiled.parts.findIndex(({ name }) => name === 'nudge');
  }

  /** Returns the numbers of the points that a step demonstrates, by state and action number. */
  by(state: number, label: number): readonly number[] {
    return this.#steps
      .sentBy(state, label)
      .filter(({ part }) => part === this.#part)
      .flatMap((sent) => this.#shownBy(sent.state, sent.event));
  }

  #shownBy(state: number, event: number): readonly number[] {
    const key = `${state} ${event}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const compiled = this.#steps.compiled.parts[this.#part]?.compiled;
    const taken = takenFrom(compiled?.states[state] as NudgeSnapshot, compiled?.events[event] as NudgeEvent);
    const all = [...this.#points.keys()];
    const covered = taken === null ? [] : all.filter((number) => matches(taken, this.#pointAt(number).transition));
    this.#known.set(key, covered);
    return covered;
  }

  #pointAt(number: number): LifecyclePoint {
    return this.#points[number] as LifecyclePoint;
  }
}
