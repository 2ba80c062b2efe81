import { type Boundary, boundaryAt, constantOffset, latestOffset, soonestOffset } from './boundary.ts';

/** What an instant has to satisfy. */
interface InstantLimits {
  /** Boundaries that it has passed; all others are still ahead. */
  readonly passed: readonly boolean[];
  readonly nowMs: number;
  readonly latestMs: number;
  /** True if it has to be this very time, which several instants can share then. */
  readonly isNow: boolean;
}

/**
 * Returns true for an instant that is not ahead, and that is over one millisecond later. Facts can be ahead; all other
 * roles are times at which something happened.
 *
 * @param boundaries - boundaries of the role
 * @param role - role of the instant
 * @param passed - for each boundary, whether the instant has passed it
 */
export function isNowOnly(boundaries: readonly Boundary[], role: string, passed: readonly boolean[]): boolean {
  const offsets = boundaries.map(constantOffset);
  const isOpen = offsets.some((offset, index) => offset === 1 && passed[index] !== true);
  return isOpen && (!role.includes('.') || offsets.some((offset, index) => offset === 0 && passed[index] === true));
}

/**
 * Finds an instant in milliseconds that has passed these boundaries and no other, and that no other slot has, or `null`.
 *
 * @param boundaries - boundaries of the role
 * @param limits - what the instant has to satisfy
 * @param others - instants that are chosen already
 */
export function chooseInstant(
  boundaries: readonly Boundary[],
  { passed, nowMs, latestMs, isNow }: InstantLimits,
  others: readonly { readonly value: number }[],
): number | null {
  const agrees = (value: number): boolean =>
    value <= latestMs && boundaries.every((one, index) => boundaryAt(one, value) <= nowMs === passed[index]);
  if (isNow) return agrees(nowMs) ? nowMs : null;
  // Where the instant can be, as far as that does not depend on the calendar.
  const untilMs = Math.min(
    latestMs,
    ...boundaries.map((one, at) => (passed[at] ? nowMs - soonestOffset(one) : latestMs)),
  );
  const sinceMs = Math.max(
    ...boundaries.map((one, at) => (passed[at] ? Number.NEGATIVE_INFINITY : nowMs - latestOffset(one))),
  );
  if (sinceMs > untilMs) return null;
  const fits = (value: number): boolean =>
    value >= sinceMs && value <= untilMs && !others.some((other) => other.value === value) && agrees(value);
  const distance = 1_009 * (others.length + 1);
  const offsets = boundaries.map((one) => boundaryAt(one, nowMs) - nowMs);
  const latest = Math.max(0, nowMs - latestMs);
  const borders = [latest, ...offsets, ...offsets.map((one) => one - 2 * distance), ...offsets.map((one) => one - 2)];
  for (const border of borders) {
    for (const shift of [distance, others.length + 1, 1, 0]) {
      const value = nowMs - border - shift;
      if (fits(value)) return value;
    }
  }
  // Calendar units differ by up to three days, and zones by hours.
  for (const offset of offsets) {
    for (let hours = -96; hours <= 96; hours += 1) {
      const value = nowMs - offset - hours * 3_600_000 - distance;
      if (fits(value)) return value;
    }
  }
  return null;
}

/** Returns the instant from which a boundary is exactly now, or `null` if the calendar has none. */
export function reachBoundary(boundary: Boundary | undefined, nowMs: number): number | null {
  if (boundary === undefined) return null;
  const value = nowMs - (boundaryAt(boundary, nowMs) - nowMs);
  return boundaryAt(boundary, value) === nowMs ? value : null;
}
