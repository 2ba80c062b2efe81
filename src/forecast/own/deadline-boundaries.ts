import type { Deadline, OwnDuration } from '../../../machines/own/own-ruleset.ts';
import { type Boundary, exactly } from './boundary.ts';
import { NotCompiled } from './not-compiled.ts';

/** A day on which clocks are set back, at most. */
const longestDayMs = 25 * 3_600_000;

/** Returns when a deadline is over and when it opens, from the event that begins it. */
export function deadlineBoundaries(
  after: OwnDuration,
  opens: readonly OwnDuration[],
  deadline: Deadline,
): readonly Boundary[] {
  const { measure, boundary, zone } = deadline;
  const base: Boundary = { ...exactly, after, zone };
  const isDate = measure === 'date';
  const late = boundary === 'exclusive' ? 1 : 0;
  const over = isDate ? { ...base, days: late } : { ...base, plusMs: late };
  return [over, ...opens.map((before): Boundary => ({ ...base, before, days: isDate ? 0 : null }))];
}

/**
 * Refuses a deadline that begins with the showing itself if the date or the time of day of a sign-in alone decides how far
 * away the dates are that it compares.
 */
export function refuseDatesOfShowing(
  after: OwnDuration,
  opens: readonly OwnDuration[],
  { measure, boundary }: Deadline,
): void {
  const isShort = (ms: number): boolean => ms > 0 && ms < longestDayMs;
  const ofMonths = opens.some(({ months }) => months > 0 || after.months > 0);
  const opensInADay = measure === 'date' && opens.some(({ ms }) => isShort(after.ms - ms));
  const endsInADay = measure === 'date' && boundary === 'inclusive' && after.months === 0 && isShort(after.ms);
  if (!ofMonths && !opensInADay && !endsInADay) return;
  throw new NotCompiled(
    'RC2',
    ['deadline', 'ends'],
    'the date of a sign-in decides about a deadline since its own showing',
  );
}
