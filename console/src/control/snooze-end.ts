import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refresh, useControlQuery } from './questions.ts';

/** Longest delay that a browser timer supports, in milliseconds. */
const timerMsMax = 2 ** 31 - 1;

/**
 * Delay after the end of a snooze before the refetch, in milliseconds, to cover the drift between browser and
 * server clocks.
 */
const afterEndMs = 20;

/**
 * Refetches the queries of a view when a snooze period ends, because the journal has no entry for that.
 * `endsAt` is `null` if no snooze is active. Nothing is scheduled while the clock is frozen.
 */
export function useSnoozeEnd(sandbox: string, endsAt: string | null): void {
  const queries = useQueryClient();
  const { data: info, dataUpdatedAt } = useControlQuery('getSandbox', { sandbox });
  const clockNow = info?.clock.running === true ? info.clock.now : null;
  useEffect(() => {
    if (clockNow === null || endsAt === null) return;
    const sinceMs = Date.now() - dataUpdatedAt;
    const untilMs = Date.parse(endsAt) - Date.parse(clockNow) - sinceMs + afterEndMs;
    const timer = setTimeout(() => void refresh(queries, sandbox), Math.min(timerMsMax, Math.max(afterEndMs, untilMs)));
    return () => clearTimeout(timer);
  }, [queries, sandbox, endsAt, clockNow, dataUpdatedAt]);
}
