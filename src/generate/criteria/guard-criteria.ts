import type { AnyStateMachine, Edge, ExploreOptions, Invariant } from '../../compiled/model.ts';
import { explore } from '../exploration/explore.ts';

/** Coverage items of a machine's named guards, by the steps that reach them. */
export interface GuardCriteria {
  /** Two names per guard: `name is true` and `name is false`. */
  readonly names: readonly string[];
  /** Numbers of the coverage items that each step reaches, by state and event in the order of the exploration. */
  readonly bySteps: readonly (readonly number[])[];
}

type Guard = (...given: readonly unknown[]) => boolean;
/** Composite guard, such as `and` and `not`, which is evaluated by its `check`. */
type Composite = Guard & { readonly check: Guard };

/**
 * Finds the named guards that each step of a machine evaluates, with their results. The machine is explored with guards
 * that record their results and otherwise behave the same. Unnamed guards cannot be observed.
 */
export function guardCriteria<M extends AnyStateMachine>(machine: M, options: ExploreOptions<M>): GuardCriteria {
  const own = machine.implementations.guards as Readonly<Record<string, Guard | Composite>>;
  const names = Object.keys(own).flatMap((name) => [`${name} is true`, `${name} is false`]);
  let answers = new Set<number>();
  const noting = (guard: Guard, number: number): Guard => {
    return (...given) => {
      const answer = guard(...given);
      answers.add(2 * number + (answer ? 0 : 1));
      return answer;
    };
  };
  const guards = Object.fromEntries(
    Object.entries(own).map(([name, guard], number) => [
      name,
      'check' in guard
        ? Object.assign(() => false, guard, { check: noting(guard.check, number) })
        : noting(guard, number),
    ]),
  );
  const bySteps: (readonly number[])[] = [];
  const note = (): boolean => {
    bySteps.push([...answers].toSorted((a, b) => a - b));
    answers = new Set();
    return true;
  };
  const watch: Invariant<M> = {
    id: 'guards',
    sentence: 'Guard results are recorded.',
    of: 'edge',
    holds: (_: Edge<M>) => note(),
  };
  const noted = machine.provide({ guards } as never) as unknown as M;
  // A given start state belongs to the original machine, and the recording machine needs its own.
  const { from } = options as { readonly from?: { readonly value: never; readonly context: never } };
  const begin = from === undefined ? {} : { from: noted.resolveState({ value: from.value, context: from.context }) };
  explore(noted, { ...options, ...begin, invariants: [watch] } as ExploreOptions<M>);
  return { names, bySteps };
}
