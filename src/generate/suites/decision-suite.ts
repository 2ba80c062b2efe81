import { evaluate } from '../../../machines/evaluate.ts';
import { getRule } from '../../../machines/rules/rule-registry.ts';
import { datelessRulesets as rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { AttemptFacts, Ruleset } from '../../../machines/vocabulary.ts';
import type { FactSpace } from '../../compiled/fact-space.ts';
import { type DecidedFacts, listDecisions } from '../criteria/decision-criteria.ts';
import type { FactsConstraint } from '../criteria/facts-search.ts';
import type { Journey } from '../journey.ts';
import { comparedFacts } from '../mutate/fact-axes.ts';
import { factsJourney } from '../mutate/facts-journey.ts';
import { listGateRules } from './verdict-suite.ts';

/** Sign-ins that demonstrate every decision of every ruleset. */
export interface DecisionSuite {
  readonly journeys: readonly Journey[];
  /** Number of demonstrated decisions. */
  readonly covered: number;
  /** Lower bound on the number of sign-ins: each demonstrates at most one row of a gate. */
  readonly lowerBound: number;
}

/**
 * Generates sign-ins, each a journey of one step, that demonstrate every decision under every ruleset: each row of each
 * gate's table as the one that settles the verdict, and the order of each two gates that can stop the same sign-in.
 */
export function decisionSuite(): DecisionSuite {
  const space = comparedFacts();
  const { count, facts, signInsMin } = listDecisions(space, [factorIsHeld(space)]);
  const chosen = fewest(facts, count);
  const digits = String(chosen.length).length;
  const journeys = chosen.map((one, place) => {
    const verdict = evaluate(space.factsAt(one.places), rulesets.get(one.ruleset) as Ruleset);
    const stopped = verdict.rules.find(({ outcome }) => outcome === 'stopped');
    const ends = stopped === undefined ? `${verdict.outcome} prompt` : `${verdict.reason} by ${stopped.id}`;
    const number = String(place + 1).padStart(digits, '0');
    return {
      ...factsJourney(space, one, {
        name: `Decisions, sign-in ${number} of ${chosen.length}: ${ends}`,
        covers: stopped === undefined ? [] : listGateRules([getRule(stopped.id).id]),
      }),
      tags: ['generated', 'verdict'],
    };
  });
  return { journeys, covered: count, lowerBound: signInsMin };
}

/** Creates the constraint that a user completes MFA only with a registered method. */
function factorIsHeld(space: FactSpace): FactsConstraint {
  const of = (path: string) => space.axes.findIndex(({ values }) => values.some(({ sets }) => path in sets));
  const [factor, methods] = [of('attempt.mfa'), of('user.methods')];
  const valueAt = (axis: number, places: readonly number[], path: string) =>
    space.axes[axis]?.values[places[axis] ?? 0]?.sets[path];
  return {
    axes: [factor, methods],
    holds: (places) => {
      const { method } = valueAt(factor, places, 'attempt.mfa') as AttemptFacts['mfa'];
      return method === null || (valueAt(methods, places, 'user.methods') as readonly string[]).includes(method);
    },
  };
}

/**
 * Selects facts that together demonstrate all decisions, greedily by the number of remaining decisions; facts with
 * fewer unusual values come first.
 */
function fewest(facts: readonly DecidedFacts[], count: number): readonly DecidedFacts[] {
  const open = new Set(Array.from({ length: count }, (_, number) => number));
  const order = facts.toSorted(
    (one, other) => other.covers.length - one.covers.length || unusual(one) - unusual(other),
  );
  // The number of remaining decisions of a candidate only shrinks, so one that still has the maximum is selected at
  // once.
  const queue = order.map((one) => ({ one, shows: one.covers.length }));
  const chosen: DecidedFacts[] = [];
  while (open.size > 0) {
    const first = queue.shift();
    if (first === undefined) break;
    const shows = first.one.covers.filter((number) => open.has(number)).length;
    const next = queue[0]?.shows ?? 0;
    if (shows < next) {
      const place = queue.findIndex((other) => other.shows <= shows);
      queue.splice(place < 0 ? queue.length : place, 0, { one: first.one, shows });
    } else if (shows > 0) {
      chosen.push(first.one);
      for (const number of first.one.covers) open.delete(number);
    }
  }
  return chosen;
}

function unusual({ places }: DecidedFacts): number {
  return places.filter((place) => place !== 0).length;
}
