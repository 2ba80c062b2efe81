import { ruleSentence, snoozeSentence, verdictHeadline } from '../../machines/verdict-sentences.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { toInstant } from '../core/clock.ts';

/** Event of a journal, as far as a failure shows it. */
export interface JourneyEvent {
  readonly atMs: number;
  readonly event: { readonly type: string; readonly userId?: unknown; readonly signInId?: unknown };
}

/** What is known about a user when an assertion fails. */
export interface FailureFacts {
  readonly userId: string;
  /** Verdict of the sign-in, or `null` if the assertion is not about a sign-in. */
  readonly verdict: Verdict | null;
  /** Snoozes of the user, or `null` if the system does not report them. */
  readonly snoozes: { readonly snoozes: number; readonly snoozesLeft: number | null } | null;
  readonly journal: readonly JourneyEvent[];
}

/** Maximum number of lines of a journey. Earlier ones are only counted. */
const linesMax = 12;

/**
 * Describes what led to a failed assertion: the verdict, the rule that decided it, and the journey of the user so far.
 *
 * @param facts - verdict, snoozes and journal
 * @returns lines without an end
 */
export function describeFailureContext({ userId, verdict, snoozes, journal }: FailureFacts): string {
  const decisive = verdict?.rules.find(({ outcome }) => outcome === 'stopped');
  const used = snoozes === null ? null : snoozeUse(snoozes);
  return [
    ...(verdict === null ? [] : [`Verdict: ${verdictHeadline(verdict)}`]),
    ...(decisive === undefined ? [] : [`Decided by ${decisive.id}: ${ruleSentence(decisive)}`]),
    ...(decisive !== undefined || used === null ? [] : [`Decided by R6: ${used}`]),
    `Journey of ${userId}:`,
    ...journeyLines(userId, journal),
  ].join('\n');
}

function snoozeUse({ snoozes, snoozesLeft }: NonNullable<FailureFacts['snoozes']>): string {
  return snoozeSentence({ used: snoozes, limit: snoozesLeft === null ? null : snoozes + snoozesLeft });
}

/** Lists the events of a user, one line for each sign-in or change. */
function journeyLines(userId: string, journal: readonly JourneyEvent[]): readonly string[] {
  const signIns = new Set<unknown>();
  const groups: { readonly atMs: number; readonly signInId: unknown; readonly words: string[] }[] = [];
  for (const { atMs, event } of journal) {
    const { type, signInId } = event;
    if (event.userId === userId && signInId !== undefined) signIns.add(signInId);
    const isClock = type === 'clock.set';
    if (!(isClock || event.userId === userId || (signInId !== undefined && signIns.has(signInId)))) continue;
    const group = groups.find((one) => signInId !== undefined && one.signInId === signInId && one.atMs === atMs);
    if (group === undefined) groups.push({ atMs, signInId, words: [typeWords(type)] });
    else group.words.push(typeWords(type));
  }
  if (groups.length === 0) return ['  no event yet'];
  const shown = groups.slice(-linesMax).map(({ atMs, words }) => `  ${toInstant(atMs)}  ${words.join(', ')}`);
  const omitted = groups.length - shown.length;
  return omitted === 0 ? shown : [`  ${omitted} earlier`, ...shown];
}

/** Formats an event type as words: `prompt.nextSelected` as "prompt next selected". */
function typeWords(type: string): string {
  return type
    .replace('signIn', 'sign-in')
    .replace('mfa', 'MFA')
    .replaceAll('.', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_whole, end: string, start: string) => `${end} ${start.toLowerCase()}`);
}
