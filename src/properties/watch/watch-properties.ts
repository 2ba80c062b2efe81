import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { type Formula, listParts, type Property } from '../language/formula.ts';
import { campaignModelNames } from '../models/model-names.ts';
import { findViolation } from './evaluate-trace.ts';
import { type UserTraces, watchedFacts } from './user-traces.ts';

/** Property that the path of a user violates. */
export interface PropertyViolation {
  readonly property: string;
  readonly title: string;
  readonly covers: readonly string[];
  readonly userId: string;
  /** Time of the first position at which the property can no longer hold, as an instant. */
  readonly at: string;
  /** Event of that position; `null` at the start. */
  readonly event: string | null;
}

/**
 * Selects the properties that a journal can be checked against: those of the lifecycle or the tenant whose formula uses
 * no actions and no class of the user. Conditions of fairness have no effect, because a journal ends.
 *
 * @param properties - properties of any machine
 * @returns those that can be watched, in their order
 */
export function selectWatchable(properties: readonly Property[]): readonly Property[] {
  return properties.filter(
    ({ machine, formula }) =>
      (machine === null || (campaignModelNames as readonly string[]).includes(machine)) && isWatchable(formula),
  );
}

/**
 * Rejects properties that no journal can be checked against, so a watched property is never ignored.
 *
 * @param properties - properties that a user chose
 * @throws NudgeLabError `property-invalid`
 */
export function requireWatchable(properties: readonly Property[]): void {
  const watchable = new Set(selectWatchable(properties));
  const problems = properties
    .filter((property) => !watchable.has(property))
    .map(({ locate, formula }) => ({
      location: locate(formula.path),
      message:
        'only properties of the machines lifecycle and tenant can be watched, without actions and without the fact user',
    }));
  if (problems.length > 0) throw new NudgeLabError('property-invalid', { problems });
}

/**
 * Checks the paths of users against properties. Of each property and user, only the first violation is returned.
 *
 * @param traces - paths of users
 * @param properties - properties that can be watched
 * @returns the violations by user, in the order of the properties
 */
export function findViolations(traces: UserTraces, properties: readonly Property[]): readonly PropertyViolation[] {
  return traces.entries().flatMap(([userId, trace]) =>
    properties.flatMap(({ id, title, covers, formula }): readonly PropertyViolation[] => {
      const at = findViolation(formula, trace);
      const position = at === null ? undefined : trace[at];
      if (position === undefined) return [];
      const event = position.step?.events[0]?.type ?? null;
      return [{ property: id, title, covers, userId, at: toInstant(position.atMs), event }];
    }),
  );
}

/** Formats a violation as a sentence. */
export function formatViolation({ property, title, covers, userId, at, event }: PropertyViolation): string {
  const rules = covers.length === 0 ? '' : ` (${covers.join(', ')})`;
  const moment = event === null ? '' : ` with ${event}`;
  return `The property ${property} is violated for the user ${userId} at ${at}${moment}: ${title}${rules}.`;
}

function isWatchable(formula: Formula): boolean {
  if (formula.kind === 'action') return false;
  if ((formula.kind === 'compare' || formula.kind === 'change') && !watchedFacts.has(formula.fact)) return false;
  if (formula.kind === 'compare' && 'fact' in formula.with && !watchedFacts.has(formula.with.fact)) return false;
  return listParts(formula).every(isWatchable);
}
