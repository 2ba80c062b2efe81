import type { AnyStateMachine, EventFrom, ExploreOptions } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { explore } from '../exploration/explore.ts';
import { type Difference, NumberedMachine, type StateProjection, shortestDifference } from './machine-difference.ts';
import type { MachineMutant } from './machine-mutant.ts';
import { machineMutants } from './machine-mutants.ts';

/** Options for generating and evaluating the mutants of a machine. */
export interface MutantsOptions<M extends AnyStateMachine> extends ExploreOptions<M> {
  /**
   * Tests as lists of events from the initial state. A test kills a mutant whose view differs after any of its events.
   */
  readonly suite?: readonly (readonly EventFrom<M>[])[];
  /** View of a state that tests can observe. Default: value and context. */
  readonly visible?: StateProjection<M>;
  /** Maximum number of state pairs in one comparison. Default: 1,000,000. */
  readonly limitPairs?: number;
}

/** Mutant with its status. */
export type ClassifiedMutant<M extends AnyStateMachine> = MachineMutant<M> &
  (
    | { readonly verdict: 'killed'; readonly test: number; readonly step: number }
    /** Survived: no test detects the mutant, but this shortest list of events does. */
    | { readonly verdict: 'survived'; readonly killer: readonly EventFrom<M>[] }
    | { readonly verdict: 'equivalent' }
    | { readonly verdict: 'undecided'; readonly message: string }
  );

/** Mutants of a machine, with the score of a suite. */
export interface MutantsReport<M extends AnyStateMachine> {
  readonly mutants: readonly ClassifiedMutant<M>[];
  readonly killed: number;
  readonly survived: number;
  readonly equivalent: number;
  readonly undecided: number;
  /** Share of killed mutants among those that are not equivalent, from 0 to 1; 1 if all are equivalent. */
  readonly score: number;
}

/**
 * Evaluates a suite against the mutants of an XState 5 machine with a finite alphabet. Each mutant is killed (with test
 * and event), survived (with a shortest list of events that kills it), or equivalent, which a search of the product of
 * mutant and original decides.
 * @throws the errors of `explore`, and `config-invalid` for a test with an event outside of the alphabet
 */
export function mutants<M extends AnyStateMachine>(machine: M, options: MutantsOptions<M>): MutantsReport<M> {
  const explored = explore(machine, options);
  const compared = { ...options, events: explored.events };
  const original = new NumberedMachine(machine, compared);
  const numbers = new Map(explored.events.map((event, number) => [JSON.stringify(event), number]));
  const suite = (options.suite ?? []).map((test) => test.map((event) => numbers.get(JSON.stringify(event)) ?? -1));
  refuseUnknown(suite, options);
  const evaluated = machineMutants(machine, explored).map((mutant): ClassifiedMutant<M> => {
    const killed = killedBy(suite, original, new NumberedMachine(mutant.machine, compared));
    if (killed !== null) return { ...mutant, verdict: 'killed', ...killed };
    return { ...mutant, ...withoutTest(shortestDifference(original, mutant.machine, compared)) };
  });
  const count = (verdict: string) => evaluated.filter((mutant) => mutant.verdict === verdict).length;
  const [killed, survived] = [count('killed'), count('survived')];
  return {
    mutants: evaluated,
    killed,
    survived,
    equivalent: count('equivalent'),
    undecided: count('undecided'),
    score: killed + survived === 0 ? 1 : killed / (killed + survived),
  };
}

function withoutTest<E>(difference: Difference<E>) {
  switch (difference.kind) {
    case 'different':
      return { verdict: 'survived' as const, killer: difference.path };
    case 'equivalent':
      return { verdict: 'equivalent' as const };
    case 'undecided':
      return {
        verdict: 'undecided' as const,
        message: `No difference from the original was found within ${difference.depth} events; the limit of ${difference.pairs} state pairs, or of memory, was reached.`,
      };
  }
}

function killedBy<M extends AnyStateMachine>(
  suite: readonly (readonly number[])[],
  original: NumberedMachine<M>,
  mutant: NumberedMachine<M>,
): { readonly test: number; readonly step: number } | null {
  for (const [test, events] of suite.entries()) {
    let [one, other] = [original.first, mutant.first];
    if (original.seen(one) !== mutant.seen(other)) return { test, step: 0 };
    for (const [index, event] of events.entries()) {
      one = original.target(one, event);
      other = mutant.target(other, event);
      if (original.seen(one) !== mutant.seen(other)) return { test, step: index + 1 };
    }
  }
  return null;
}

/** Rejects tests with events outside of the alphabet, because the exploration does not cover them. */
function refuseUnknown<M extends AnyStateMachine>(
  suite: readonly (readonly number[])[],
  { suite: tests = [] }: MutantsOptions<M>,
): void {
  for (const [test, events] of suite.entries()) {
    const at = events.indexOf(-1);
    if (at < 0) continue;
    const problems = [
      { location: `suite.${test}.${at}`, message: `${JSON.stringify(tests[test]?.[at])} is not one of the events` },
    ];
    throw new NudgeLabError('config-invalid', { problems });
  }
}
