import { useEffect, useState } from 'react';
import type { SandboxInfo } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { type ControlAction, useControlAction } from '../control/questions.ts';
import { ClockField } from './clock-field.tsx';
import { clockButtonsId } from './first-steps-card.tsx';
import { formatInstant } from './labels.ts';
import { Failure } from './query-result.tsx';

/** Refresh interval of the displayed time of a running clock, in milliseconds. */
const tickMs = 1_000;

/** Renders the virtual clock and its controls. */
export function ClockControls({
  sandbox,
  clock: { now, running },
  nextPromptAt,
}: {
  readonly sandbox: string;
  readonly clock: SandboxInfo['clock'];
  readonly nextPromptAt: string | null;
}) {
  const action = useControlAction(sandbox);
  const currentTime = useRunning(now, running);
  // Disabled buttons stay in the page. Removing a focused button would move keyboard users back to the start of the
  // page.
  const button = (label: string, call: ControlAction, disabled = false) => (
    <button
      type="button"
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled && !action.isPending) action.mutate(call);
      }}
    >
      {label}
    </button>
  );
  return (
    <>
      <p className="clock">
        <time dateTime={currentTime}>{formatInstant(currentTime)}</time>
        <span className={running ? 'live on' : 'live'}>{running ? 'Running' : 'Frozen'}</span>
      </p>
      <div id={clockButtonsId} className="buttons" role="group" aria-label="Clock">
        {button(running ? 'Freeze' : 'Resume', () => api.putClock({ sandbox, body: { running: !running } }))}
        {button('+1 hour', () => api.advanceClock({ sandbox, body: { hours: 1 } }))}
        {button('+1 day', () => api.advanceClock({ sandbox, body: { days: 1 } }))}
        {button('+1 week', () => api.advanceClock({ sandbox, body: { days: 7 } }))}
        {button(
          'Advance to next prompt',
          () => api.putClock({ sandbox, body: { now: nextPromptAt ?? undefined } }),
          nextPromptAt === null,
        )}
      </div>
      <p className="hint">
        {nextPromptAt === null ? 'No active snooze.' : `The next snooze ends at ${formatInstant(nextPromptAt)}.`}
      </p>
      <Failure of={action.error} />
      <ClockField sandbox={sandbox} now={now} />
    </>
  );
}

/** Returns the current time of a clock, counted on from the last known time while the clock is running. */
function useRunning(now: string, running: boolean): string {
  const [shown, setShown] = useState(now);
  useEffect(() => {
    setShown(now);
    if (!running) return;
    const began = performance.now();
    const draw = (): void => setShown(new Date(Date.parse(now) + performance.now() - began).toISOString());
    const timer = setInterval(draw, tickMs);
    return () => clearInterval(timer);
  }, [now, running]);
  return shown;
}
