import { isDeepStrictEqual } from 'node:util';
import type { Verdict } from '../../machines/vocabulary.ts';
import type { Mismatch } from '../contract/result.schema.ts';
import type { Expectation } from '../contract/scenario.schema.ts';
import { parseInstant } from '../core/clock.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import type { Observation, ObservedNudgeStatus } from './driver.ts';

/** Actual values that the expectations of a step are compared with. */
export interface Seen {
  readonly observation: Observation;
  readonly verdict: Verdict | null;
  readonly nudgeStatus: ObservedNudgeStatus | null;
}

type Check = (wanted: never, seen: Seen) => Mismatch | null;

/** Check function of each expectation. */
const checks: {
  readonly [K in keyof Required<Expectation>]: (
    wanted: NonNullable<Expectation[K]> | null,
    seen: Seen,
  ) => Mismatch | null;
} = {
  page: (wanted, { observation: { page, visitedPages } }) =>
    page === wanted || visitedPages?.some((passedPage) => passedPage === wanted) === true
      ? null
      : { key: 'page', expected: wanted, actual: page ?? 'no page' },
  visitedPages: (wanted, { observation: { visitedPages } }) =>
    isDeepStrictEqual(visitedPages, wanted)
      ? null
      : { key: 'visitedPages', expected: wanted, actual: visitedPages ?? null },
  outcome: (wanted, { observation, verdict }) => same('outcome', wanted, observation.outcome ?? verdict?.outcome),
  reason: (wanted, { verdict }) => same('reason', wanted, verdict === null ? 'no verdict' : verdict.reason),
  snoozes: (wanted, { nudgeStatus }) => same('snoozes', wanted, nudgeStatus?.snoozes),
  snoozesLeft: (wanted, { nudgeStatus }) => same('snoozesLeft', wanted, nudgeStatus?.snoozesLeft),
  nextPromptAt: (wanted, { nudgeStatus }) => {
    if (nudgeStatus === null) return { key: 'nextPromptAt', expected: wanted, actual: 'no nudge status' };
    const { nextPromptAt: actual } = nudgeStatus;
    const [expectedMs, actualMs] = [wanted, actual].map((at) => (typeof at === 'string' ? parseInstant(at) : null));
    return expectedMs === actualMs ? null : { key: 'nextPromptAt', expected: wanted, actual };
  },
  state: (wanted, { nudgeStatus }) => same('state', wanted, nudgeStatus?.state),
  status: (wanted, { observation }) => same('status', wanted, observation.status),
  headers: (wanted, { observation }) => {
    const given = lowerCased(observation.headers ?? {});
    const wrong = Object.entries(wanted ?? {}).filter(([name, value]) => given[name.toLowerCase()] !== value);
    if (wrong.length === 0) return null;
    const actual = Object.fromEntries(wrong.map(([name]) => [name, given[name.toLowerCase()] ?? null]));
    return { key: 'headers', expected: Object.fromEntries(wrong), actual };
  },
  body: (wanted, { observation }) =>
    holdsIn(wanted, observation.body) ? null : { key: 'body', expected: wanted, actual: observation.body ?? null },
  remaining: (wanted, { observation: { headers: given } }) => {
    if (given === undefined) return { key: 'remaining', expected: wanted, actual: 'no answer' };
    const remaining = lowerCased(given)['x-ratelimit-remaining'];
    return same('remaining', wanted, remaining === undefined ? null : Number(remaining));
  },
  warnings: (wanted, { verdict }) => {
    if (verdict === null) return { key: 'warnings', expected: wanted, actual: 'no verdict' };
    const codes = verdict.warnings.map(({ code }) => code);
    const holds = wanted?.length === 0 ? codes.length === 0 : wanted?.every((code) => codes.includes(code)) === true;
    return holds ? null : { key: 'warnings', expected: wanted, actual: codes };
  },
  ceremony: (wanted, { observation: { ceremony = 'no page' } }) =>
    holdsIn(wanted, ceremony) ? null : { key: 'ceremony', expected: wanted, actual: ceremony },
  signals: (wanted, { observation: { signals = 'no page' } }) =>
    holdsIn(wanted, signals) ? null : { key: 'signals', expected: wanted, actual: signals },
};

/** Returns the expectations that do not match the actual values. */
export function listMismatches(expected: Expectation, seen: Seen): readonly Mismatch[] {
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const check = checks[key as keyof Expectation] as Check;
    return check(wanted as never, seen) ?? [];
  });
}

/**
 * Returns true if a value is part of another: every key of an object matches, every item of an array matches, or
 * the values are equal.
 */
function holdsIn(part: unknown, whole: unknown): boolean {
  if (isPlainObject(part)) {
    return isPlainObject(whole) && Object.entries(part).every(([key, value]) => holdsIn(value, whole[key]));
  }
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) && part.length === whole.length && part.every((item, index) => holdsIn(item, whole[index]))
    );
  }
  return isDeepStrictEqual(part, whole);
}

function same(key: Mismatch['key'], expected: unknown, actual: unknown): Mismatch | null {
  return isDeepStrictEqual(expected, actual) ? null : { key, expected, actual: actual ?? null };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
