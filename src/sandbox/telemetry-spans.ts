import type { Verdict } from '../../machines/vocabulary.ts';
import { preciseNowMs } from '../core/clock.ts';
import { getTelemetry, type TelemetrySpan } from '../core/telemetry.ts';
import type { JournalEntry } from '../journal/journal-event.ts';

/** Sign-ins whose evaluation is traced. */
interface Evaluated {
  find(signInId: string): object | null;
  verdict(signInId: string): Verdict | null;
}

/**
 * Records an event of a sign-in. If this evaluates the sign-in, the evaluation becomes a span named by the deciding
 * rule. The user is omitted. Without a request or another span around it, nothing is traced. Throws the errors of `record`.
 */
export function traceEvaluation<T>(signIns: Evaluated, signInId: string, record: () => Promise<T>): Promise<T> {
  const telemetry = getTelemetry();
  if (telemetry === null || telemetry.current() === null) return record();
  const findVerdict = (): Verdict | null => (signIns.find(signInId) === null ? null : signIns.verdict(signInId));
  const isEvaluated = findVerdict() !== null;
  const startMs = preciseNowMs();
  const recorded = record();
  const endMs = preciseNowMs();
  const verdict = isEvaluated ? null : findVerdict();
  if (verdict === null) return recorded;
  const rule = verdict.rules.find(({ outcome }) => outcome === 'stopped')?.id;
  const attributes = {
    'nudgelab.ruleset': verdict.ruleset,
    'nudgelab.verdict.outcome': verdict.outcome,
    ...(verdict.reason === null ? {} : { 'nudgelab.verdict.reason': verdict.reason }),
    ...(rule === undefined ? {} : { 'nudgelab.verdict.rule': rule }),
  };
  telemetry.start(`evaluate ${rule ?? 'prompt'}`, { attributes, startMs }).end(endMs);
  return recorded;
}

/** Starts the span of a commit to the store. Returns `null` if nothing is traced, or if there is no span around it. */
export function startCommit(sandboxId: string, { seq, event }: JournalEntry): TelemetrySpan | null {
  const attributes = {
    'nudgelab.sandbox': sandboxId,
    'nudgelab.journal.event': event.type,
    'nudgelab.journal.seq': seq,
  };
  const telemetry = getTelemetry();
  if (telemetry === null || telemetry.current() === null) return null;
  return telemetry.start(`commit ${event.type}`, { attributes });
}
