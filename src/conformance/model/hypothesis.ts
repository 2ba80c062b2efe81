import { NudgeLabError } from '../../core/errors.ts';
import type { Shape } from './lifecycle-table.ts';

/** Times of an open prompt as intervals, and its id in the log. */
export interface PromptTimes {
  readonly id: string | null;
  readonly shownLo: number;
  readonly shownHi: number;
  /** Time of closing; meaningless unless the shape says that the prompt was closed. */
  readonly leftLo: number;
  readonly leftHi: number;
}

/** State in which a user may be: a shape, the exact count, and the intervals in which the stored times are. */
export interface Hypothesis {
  readonly shape: Shape;
  readonly count: number;
  /** `true` if the count may be even higher, because the past of the user is unknown. */
  readonly isCountOpen: boolean;
  /** Interval of the start of the latest snooze; meaningless unless the shape has one. */
  readonly snoozeLo: number;
  readonly snoozeHi: number;
  readonly prompts: readonly PromptTimes[];
  /** Earliest time of the next event. */
  readonly fromMs: number;
  /** Number of events that this hypothesis assumes to be missing in the log. */
  readonly missing: number;
}

/** Maximum number of hypotheses of a user; above it, those of one shape are joined, which never excludes a behavior. */
const hypothesesMax = 48;

/** Maximum number of hypotheses of a user that cannot be joined. */
const joinedMax = 1_024;

/**
 * Removes hypotheses that another one contains, and joins those of one shape above the limit. The result admits at least
 * the behavior of the given ones.
 * @throws NudgeLabError `log-too-large` if too many remain
 */
export function reduceHypotheses(given: readonly Hypothesis[]): readonly Hypothesis[] {
  if (given.length <= 1) return given;
  const kept: Hypothesis[] = [];
  for (const one of given) {
    if (kept.some((other) => contains(other, one))) continue;
    const free = kept.filter((other) => !contains(one, other));
    kept.splice(0, kept.length, ...free, one);
  }
  if (kept.length <= hypothesesMax) return kept;
  const joined = joinByShape(kept);
  if (joined.length <= joinedMax) return joined;
  const message = `A user of the log has more than ${joinedMax} possible states. Map the column of the prompt, or allow fewer missing and hidden events.`;
  throw new NudgeLabError('log-too-large', { message });
}

function isAlike(a: Hypothesis, b: Hypothesis): boolean {
  return (
    a.shape === b.shape &&
    a.count === b.count &&
    a.isCountOpen === b.isCountOpen &&
    a.prompts.every(({ id }, at) => id === b.prompts[at]?.id)
  );
}

function contains(a: Hypothesis, b: Hypothesis): boolean {
  if (!isAlike(a, b) || a.missing > b.missing || a.fromMs > b.fromMs) return false;
  if (a.shape.snoozed && (a.snoozeLo > b.snoozeLo || a.snoozeHi < b.snoozeHi)) return false;
  return a.prompts.every((prompt, at) => {
    const other = b.prompts[at] as PromptTimes;
    if (prompt.shownLo > other.shownLo || prompt.shownHi < other.shownHi) return false;
    return a.shape.prompts[at]?.left !== true || (prompt.leftLo <= other.leftLo && prompt.leftHi >= other.leftHi);
  });
}

function joinByShape(given: readonly Hypothesis[]): readonly Hypothesis[] {
  const joined: Hypothesis[] = [];
  for (const one of given) {
    const at = joined.findIndex((other) => isAlike(other, one) && other.missing === one.missing);
    if (at < 0) joined.push(one);
    else joined[at] = join(joined[at] as Hypothesis, one);
  }
  return joined;
}

function join(a: Hypothesis, b: Hypothesis): Hypothesis {
  return {
    ...a,
    snoozeLo: Math.min(a.snoozeLo, b.snoozeLo),
    snoozeHi: Math.max(a.snoozeHi, b.snoozeHi),
    fromMs: Math.min(a.fromMs, b.fromMs),
    prompts: a.prompts.map((prompt, at) => {
      const other = b.prompts[at] as PromptTimes;
      return {
        id: prompt.id,
        shownLo: Math.min(prompt.shownLo, other.shownLo),
        shownHi: Math.max(prompt.shownHi, other.shownHi),
        leftLo: Math.min(prompt.leftLo, other.leftLo),
        leftHi: Math.max(prompt.leftHi, other.leftHi),
      };
    }),
  };
}
