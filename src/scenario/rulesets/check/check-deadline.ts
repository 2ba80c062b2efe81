import { dayNumber, subtractDuration } from '../../../../machines/own/calendar.ts';
import type { Deadline, DeadlineEnd, OwnDuration, OwnRules } from '../../../../machines/own/own-ruleset.ts';
import { toInstant } from '../../../core/clock.ts';
import { formatMs } from '../describe-values.ts';
import type { Path } from '../ruleset-fault.ts';
import type { CheckedRules, Finding } from './checked-rules.ts';

/**
 * Finds ends of a deadline that can never decide (RS29): an instant that is over when its edition begins, an end that
 * another one always precedes or follows, and an opening before the edition. A campaign that is closed from the beginning
 * of its edition prompts no user, nor does one that opens only after its first prompt (RS28). Ends that depend on facts or
 * settings are not compared.
 *
 * @param checked - rules of one period
 * @param before - rules of the period before; `null` for the first one. What an edition inherits was decided in time.
 */
export function checkDeadline(
  { rules: { deadline }, setting: { period } }: CheckedRules,
  before: OwnRules | null,
): readonly Finding[] {
  if (deadline === null) return [];
  return [
    ...findUnused(deadline),
    // Prompts of an earlier edition can have opened it.
    ...(before === null ? findNeverOpen(deadline) : []),
    ...(Number.isFinite(period.fromMs) ? findPast(deadline, before?.deadline ?? null, period.fromMs) : []),
  ];
}

const warning = (path: Path, message: string): Finding => ({ code: 'RS29', severity: 'warning', path, message });

function findPast(deadline: Deadline, before: Deadline | null, fromMs: number): readonly Finding[] {
  const { ends, choose } = deadline;
  if (choose === 'latest' && ends.length > 1) return [];
  const known = new Set(before?.ends.map(instantInMs));
  const inherits = (atMs: number): boolean => known.has(atMs);
  return ends.flatMap((end, index): readonly Finding[] => {
    const atMs = instantInMs(end);
    if (atMs === null) return [];
    const path = ['deadline', 'ends', index, 'at'];
    if (isOver(atMs, fromMs, deadline)) {
      if (inherits(atMs)) return [];
      const what = `${toInstant(atMs)} is over when the edition begins at ${toInstant(fromMs)}`;
      if (deadline.then === 'none') {
        const message = `${what}, so no user is prompted; write a later instant, or leave the deadline out`;
        return [{ code: 'RS28', severity: 'fault', path, message }];
      }
      const message = `${what}, so what is stated for the time before it never applies; write a later instant, or a requirement without a deadline`;
      return [warning(path, message)];
    }
    return ends.length === 1 && !(inherits(atMs) && isSameOpening(deadline, before))
      ? findEarlyOpening(deadline, atMs, fromMs)
      : [];
  });
}

/** Finds an opening that waits for the first prompt: until then, an end since the first showing moves on with the time. */
function findNeverOpen({ ends, choose, opens }: Deadline): readonly Finding[] {
  if (opens === null || !('constant' in opens)) return [];
  const { ms, months } = opens.constant;
  const isAhead = (end: DeadlineEnd): boolean => {
    const span = 'since' in end && end.since === 'firstShown' ? constantSpan(end) : null;
    return span !== null && span.ms > ms && span.months >= months;
  };
  const first = ends.find(isAhead);
  if (first === undefined || !(choose === 'latest' || ends.every(isAhead))) return [];
  const message = `no user is prompted, because ${describeEnd(first)} moves on until the first prompt, and the campaign opens later than that; write at least as long a time, or leave it out`;
  return [{ code: 'RS28', severity: 'fault', path: ['deadline', 'opens'], message }];
}

function isSameOpening({ opens }: Deadline, before: Deadline | null): boolean {
  return JSON.stringify(opens) === JSON.stringify(before?.opens);
}

/** Finds an opening that is already past when the edition begins. */
function findEarlyOpening({ opens, zone }: Deadline, atMs: number, fromMs: number): readonly Finding[] {
  if (opens === null || !('constant' in opens)) return [];
  const opensAtMs = subtractDuration(atMs, opens.constant, zone);
  if (opensAtMs > fromMs) return [];
  const message = `opens the campaign at ${toInstant(opensAtMs)}, before the edition begins at ${toInstant(fromMs)}; write a shorter time, or leave it out`;
  return [warning(['deadline', 'opens'], message)];
}

function isOver(atMs: number, nowMs: number, { boundary, measure, zone }: Deadline): boolean {
  const inUnits = (ms: number): number => (measure === 'date' ? dayNumber(ms, zone) : ms);
  return boundary === 'inclusive' ? inUnits(nowMs) >= inUnits(atMs) : inUnits(nowMs) > inUnits(atMs);
}

/** Finds ends that are never chosen, because another one of the same kind is always earlier or later, or the same. */
function findUnused({ ends, choose }: Deadline): readonly Finding[] {
  return ends.flatMap((end, index) => {
    const other = ends.findIndex(
      (one, at) => at !== index && precedes(one, end, choose) && (at < index || !precedes(end, one, choose)),
    );
    if (other < 0) return [];
    const message = `${describeEnd(end)} never decides, because ${describeEnd(ends[other] ?? end)} is always chosen (${choose}); leave it out`;
    return [warning(['deadline', 'ends', index], message)];
  });
}

/** Returns true if one end is chosen over another, or is the same, whatever the facts are. */
function precedes(one: DeadlineEnd, other: DeadlineEnd, choose: Deadline['choose']): boolean {
  const [first, second] = choose === 'earliest' ? [one, other] : [other, one];
  const [firstMs, secondMs] = [instantInMs(first), instantInMs(second)];
  if (firstMs !== null && secondMs !== null) return firstMs <= secondMs;
  const [span, otherSpan] = [constantSpan(first), constantSpan(second)];
  if (span === null || otherSpan === null || span.since !== otherSpan.since) return false;
  return span.ms <= otherSpan.ms && span.months <= otherSpan.months;
}

function instantInMs(end: DeadlineEnd): number | null {
  return 'at' in end && 'constant' in end.at && typeof end.at.constant === 'number' ? end.at.constant : null;
}

/** Returns the constant period of an end with what it begins with, or `null` if it has none. */
function constantSpan(end: DeadlineEnd): (OwnDuration & { readonly since: string }) | null {
  if ('at' in end || !('constant' in end.after)) return null;
  return { ...end.after.constant, since: JSON.stringify(end.since) };
}

function describeEnd(end: DeadlineEnd): string {
  const atMs = instantInMs(end);
  if (atMs !== null) return toInstant(atMs);
  const span = constantSpan(end);
  if (span === null) return 'this end';
  const { ms, months } = span;
  return months === 0 ? `the end after ${formatMs(ms)}` : `the end after ${months} months`;
}
