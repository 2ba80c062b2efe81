import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { usualNowMs } from '../../../machines/own/trial-facts.ts';
import { constantOffset } from '../../forecast/own/boundary.ts';
import { NotCompiled } from '../../forecast/own/not-compiled.ts';
import { type ComparedTimes, listComparedTimes } from '../../generate/own/class-walk.ts';
import type { Assignment } from '../../generate/own/own-journey.ts';
import { allRules } from '../../generate/own/own-space.ts';
import type { WalkSignIn } from '../../generate/own/walk-actions.ts';

const dayMs = 86_400_000;

/** Clock of an own ruleset's model. */
export interface OwnClock {
  /** Duration of one step in milliseconds. */
  readonly tickMs: number;
  /** True if what a rule compares depends on the time of the day. */
  readonly usesDays: boolean;
  /** Longest time from a stored instant to a comparison that it changes, in whole steps. */
  readonly horizonMs: number;
}

/**
 * Chooses the step of the clock: half of the greatest common divisor of all durations that the rules compare, so that
 * states between two comparisons are reached as well as those at them. Without durations it is the lifetime of a prompt.
 *
 * @throws NotCompiled `RC6` for calendar units, whose length differs
 */
export function chooseClock(
  ruleset: OwnRuleset,
  givens: readonly Assignment[],
  signIns: readonly WalkSignIn[],
): OwnClock {
  const [usual = new Map()] = givens;
  const compared = listComparedTimes(ruleset, usual, signIns);
  const usesDays = compared.boundaries.some(({ days }) => days !== null);
  const durations = [
    ...compared.boundaries.flatMap((one) => (one.days === null ? [requireConstant(one)] : [dayMs, usualNowMs % dayMs])),
    ...givens.flatMap((given) => listFactInstants(ruleset, given)).map((atMs) => atMs - usualNowMs),
    ...listNearDates(compared),
  ].filter((ms) => ms > 0);
  const lifetimeMs = Math.min(...allRules(ruleset).map((rules) => rules.lifetimeMs));
  const common = durations.reduce(greatestDivisor, 0);
  const tickMs = common === 0 ? lifetimeMs : Math.max(1, Math.ceil(common / 2));
  return { tickMs, usesDays, horizonMs: findHorizon(compared, tickMs) };
}

/** Lists the instants that the facts and settings of a start name. */
function listFactInstants({ facts, first }: OwnRuleset, given: Assignment): readonly number[] {
  return [...given].flatMap(([path, value]) => {
    const [owner = '', group = '', name = ''] = path.split('.');
    const declared = group === 'settings' ? first.settings : (facts[owner as keyof typeof facts] ?? {});
    return declared[name]?.type === 'instant' && typeof value === 'number' ? [value] : [];
  });
}

/** Checks whether all durations with other values of the tenant and the user are multiples of a step. */
export function fitsClock(compared: ComparedTimes, { tickMs }: OwnClock): boolean {
  const durations = [
    ...compared.boundaries.flatMap((one) => (one.days === null ? [constantOffset({ ...one, plusMs: 0 }) ?? 1] : [])),
    ...listNearDates(compared),
  ];
  return durations.every((ms) => ms % tickMs === 0);
}

/** Largest distance from the start at which instants of facts are; later dates have starts of their own. */
const nearMs = 100 * dayMs;

function listNearDates({ dates }: ComparedTimes): readonly number[] {
  return dates.map((atMs) => withoutEdge(atMs - usualNowMs)).filter((ms) => ms <= nearMs);
}

function findHorizon({ boundaries }: ComparedTimes, tickMs: number): number {
  const longest = Math.max(0, ...boundaries.map((one) => constantOffset({ ...one, days: null, plusMs: 0 }) ?? dayMs));
  return (Math.ceil(longest / tickMs) + 2) * tickMs;
}

function requireConstant(boundary: ComparedTimes['boundaries'][number]): number {
  const offset = constantOffset({ ...boundary, plusMs: 0 });
  if (offset !== null) return Math.abs(offset);
  throw new NotCompiled('RC6', ['cadence'], 'calendar units have no constant length, which the clock of a model needs');
}

/** A strict comparison changes one millisecond after its instant, which is between two steps of the clock. */
function withoutEdge(ms: number): number {
  return ms % 1_000 === 1 ? ms - 1 : ms;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
