import { addDuration, dayNumber, dayStart, subtractDuration } from './calendar.ts';
import { type Given, holds, readDuration, readNumber, readOperand } from './condition.ts';
import type { LedgerEntry } from './ledger.ts';
import type { OwnTenant } from './own-facts.ts';
import type { Cadence, Deadline, DeadlineEnd, DurationOperand, OwnDuration, OwnRules } from './own-ruleset.ts';

/** Whether a cadence lets a prompt through, and if not, until when. */
export type CadenceState =
  | { readonly waits: false }
  | { readonly waits: true; readonly reason: 'snoozed' | 'already-shown'; readonly untilMs: number | null };

const passes: CadenceState = { waits: false };

/**
 * Evaluates the cadence for one entry of the ledger (OC26). The duration in force applies to the stored time (A7); an
 * answer with its own duration keeps it.
 */
export function cadenceState(entry: LedgerEntry, given: Given): CadenceState {
  const { cadence, answers } = given.rules;
  const own = entry.snoozedBy === null ? null : (answers[entry.snoozedBy]?.for ?? null);
  if (own !== null && entry.snoozedAtMs !== null) return wait(entry.snoozedAtMs, own, 'snoozed', given);
  const anchorMs = findAnchor(entry, cadence);
  const reason = cadence.anchor === 'answer' ? 'snoozed' : 'already-shown';
  switch (cadence.kind) {
    case 'everySignIn':
      return passes;
    case 'once':
      return entry.shown > 0 ? { waits: true, reason: 'already-shown', untilMs: null } : passes;
    case 'signIns':
      return anchorMs === null ? passes : waitForSignIns(entry, reason, given);
    case 'daily':
      return anchorMs === null ? passes : waitForDay(anchorMs, reason, given);
    case 'fixed':
    case 'growing': {
      const index = Math.min(Math.max(entry.count, 1), cadence.durations.length) - 1;
      const duration = cadence.durations[cadence.kind === 'fixed' ? 0 : index];
      return anchorMs === null || duration === undefined ? passes : wait(anchorMs, duration, reason, given);
    }
  }
}

/**
 * Returns the time in milliseconds that a snooze now keeps the prompt away, or `null` if nothing states a duration. Of
 * several answers that snooze, the first one counts.
 *
 * @param count - snoozes counted so far
 * @param given - facts of the sign-in and rules in force
 */
export function waitAfterAnswer(count: number, given: Given): number | null {
  const { cadence, answers } = given.rules;
  const index = cadence.kind === 'growing' ? Math.min(count, cadence.durations.length - 1) : 0;
  const own = Object.values(answers).find(({ effects }) => effects.includes('snooze'))?.for ?? null;
  const operand = own ?? cadence.durations[index];
  const duration = operand === undefined ? null : readDuration(operand, given);
  const { nowMs } = given.facts.attempt;
  return duration === null ? null : addDuration(nowMs, duration, cadence) - nowMs;
}

type WaitReason = 'snoozed' | 'already-shown';

function waitForSignIns(entry: LedgerEntry, reason: WaitReason, given: Given): CadenceState {
  const { cadence } = given.rules;
  const every = cadence.signIns === null ? null : readNumber(cadence.signIns, given);
  if (every === null) return passes;
  const number = entry.qualifying + 1;
  const due = cadence.anchor === 'firstShown' ? number % every === 0 : number >= every;
  return due ? passes : { waits: true, reason, untilMs: null };
}

function waitForDay(anchorMs: number, reason: WaitReason, given: Given): CadenceState {
  const { zone } = given.rules.cadence;
  const day = dayNumber(anchorMs, zone);
  if (dayNumber(given.facts.attempt.nowMs, zone) > day) return passes;
  return { waits: true, reason, untilMs: dayStart(day + 1, zone) };
}

function findAnchor(entry: LedgerEntry, { anchor }: Cadence): number | null {
  if (anchor === 'answer') return entry.snoozedAtMs;
  return anchor === 'firstShown' ? entry.firstShownAtMs : entry.lastShownAtMs;
}

function wait(
  fromMs: number,
  operand: DurationOperand,
  reason: 'snoozed' | 'already-shown',
  given: Given,
): CadenceState {
  const { cadence } = given.rules;
  const { nowMs } = given.facts.attempt;
  const duration = readDuration(operand, given);
  if (duration === null) return passes;
  const endsMs = addDuration(fromMs, duration, cadence);
  const over = cadence.boundary === 'inclusive' ? nowMs >= endsMs : nowMs > endsMs;
  return over ? passes : { waits: true, reason, untilMs: cadence.boundary === 'inclusive' ? endsMs : endsMs + 1 };
}

/** Position of now relative to the deadline (OC27). */
export interface DeadlineState {
  readonly phase: 'notYetOpen' | 'before' | 'over';
  readonly deadlineAtMs: number;
}

/** Evaluates the deadline, or returns `null` if there is none for this user. */
export function deadlineState(given: Given): DeadlineState | null {
  const { deadline } = given.rules;
  if (deadline === null) return null;
  const ends = deadline.ends.map((end) => endAt(end, given)).filter((atMs) => atMs !== null);
  if (ends.length === 0) return null;
  const deadlineAtMs = deadline.choose === 'earliest' ? Math.min(...ends) : Math.max(...ends);
  const { nowMs } = given.facts.attempt;
  const inUnits = (atMs: number): number => (deadline.measure === 'date' ? dayNumber(atMs, deadline.zone) : atMs);
  const [now, end] = [inUnits(nowMs), inUnits(deadlineAtMs)];
  if (deadline.boundary === 'inclusive' ? now >= end : now > end) return { phase: 'over', deadlineAtMs };
  const opens: OwnDuration | null = deadline.opens === null ? null : readDuration(deadline.opens, given);
  const opensAtMs = opens === null ? null : subtractDuration(deadlineAtMs, opens, deadline.zone);
  return { phase: opensAtMs !== null && now < inUnits(opensAtMs) ? 'notYetOpen' : 'before', deadlineAtMs };
}

/** Returns the time of one end in milliseconds, or `null` if it is unknown. */
function endAt(end: DeadlineEnd, given: Given): number | null {
  if ('at' in end) return readNumber(end.at, given);
  const { kept, attempt } = given.facts;
  const duration = readDuration(end.after, given);
  // A prompt that was not shown yet starts the period by itself.
  const sinceMs =
    end.since === 'created'
      ? kept.createdAtMs
      : end.since === 'firstShown'
        ? (kept.deadlineFromMs ?? attempt.nowMs)
        : readNumber(end.since, given);
  if (duration === null || sinceMs === null) return null;
  return addDuration(sinceMs, duration, { measure: 'elapsed', zone: given.rules.deadline?.zone ?? 'UTC' });
}

/** Returns the first time at which a deadline that is not over yet is over. */
export function deadlineOverFrom({ deadlineAtMs }: DeadlineState, { boundary, measure, zone }: Deadline): number {
  if (measure === 'elapsed') return boundary === 'inclusive' ? deadlineAtMs : deadlineAtMs + 1;
  return dayStart(dayNumber(deadlineAtMs, zone) + (boundary === 'inclusive' ? 0 : 1), zone);
}

/** Returns true if the limit is reached for an entry of the ledger and its condition holds. */
export function limitReached(entry: LedgerEntry, given: Given): boolean {
  const { limit } = given.rules;
  if (limit === null) return false;
  const at = readNumber(limit.at, given);
  const count = limit.counts === 'snoozes' ? entry.count : entry.shown;
  return at !== null && count >= at && (limit.when === null || holds(limit.when, given));
}

/** Returns how many snoozes an entry has left, or `null` if no limit of snoozes applies. */
export function snoozesLeft(entry: LedgerEntry | undefined, given: Given): number | null {
  const { limit } = given.rules;
  if (limit === null || limit.counts !== 'snoozes') return null;
  if (limit.when !== null && !holds(limit.when, given)) return null;
  const at = readNumber(limit.at, given);
  return at === null ? null : Math.max(0, at - (entry?.count ?? 0));
}

/** Returns how many snoozes users have before their first sign-in, or `null` if that depends on the user or sign-in. */
export function snoozesAllowed({ limit, settings }: OwnRules, tenant: OwnTenant): number | null {
  if (limit === null || limit.counts !== 'snoozes' || limit.when !== null || 'fact' in limit.at) return null;
  if ('constant' in limit.at) return Number(limit.at.constant);
  const { setting } = limit.at;
  const value = tenant.settings[setting] ?? settings[setting]?.default;
  return typeof value === 'number' ? value : null;
}

/** Returns the share of the rollout in percent at the time of the attempt (OC28). */
export function rolloutPercent(given: Given): number {
  const { rollout } = given.rules;
  if (rollout === null) return 100;
  const step = rollout.steps.findLast(({ fromMs }) => fromMs <= given.facts.attempt.nowMs);
  const percent = readOperand(rollout.percent, given);
  return step?.percent ?? (typeof percent === 'number' ? percent : 100);
}
