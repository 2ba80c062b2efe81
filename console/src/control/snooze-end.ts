import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refresh, useControlQuery } from './questions.ts';

/** The longest time that a timer of a browser can wait, in ms. */
const timerMsMax = 2 ** 31 - 1;

/** How long after the end of a snooze the queries are sent again, in ms: its clock and that of the server are not quite the same. */
const afterEndMs = 20;

/**
 * Sends the queries of a view again when a snooze ends by itself, which no entry of the journal shows. Takes the sandbox, and the end that the
 * view knows of; `null` where no snooze runs. Nothing is waited for while the clock is frozen.
 */
export function useSnoozeEnd(sandbox: string, endsAt: string | null): void {
  const queries = useQueryClient();
  const { data: info, dataUpdatedAt } = useControlQuery('getSandbox', { sandbox });
  const toldAt = info?.clock.running === true ? info.clock.now : null;
  useEffect(() => {
    if (toldAt === null || endsAt === null) return;
    const sinceMs = Date.now() - dataUpdatedAt;
    const untilMs = Date.parse(endsAt) - Date.parse(toldAt) - sinceMs + afterEndMs;
    const timer = setTimeout(() => void refresh(queries, sandbox), Math.min(timerMsMax, Math.max(afterEndMs, untilMs)));
    return () => clearTimeout(timer);
  }, [queries, sandbox, endsAt, toldAt, dataUpdatedAt]);
}
