import { useId, useState } from 'react';
import { api, isRefusal } from '../control/control-client.ts';
import { earliestLocalTime, latestLocalTime, readInstant, toLocalTime } from '../control/instant.ts';
import { useControlAction } from '../control/questions.ts';
import { Failure } from './query-result.tsx';

/** Renders a form that sets the virtual clock to any date and time. Errors are shown below the field. */
export function ClockField({ sandbox, now }: { readonly sandbox: string; readonly now: string }) {
  const action = useControlAction(sandbox);
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const id = useId();
  const hintId = useId();
  const faultId = useId();
  // The server can reject a time that the field accepts. Its message belongs to the field too.
  const rejected = isRefusal(action.error) ? (action.error.refusal.problems[0]?.message ?? null) : null;
  const shown = fault ?? rejected;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (action.isPending) return;
        const read = readInstant(text ?? toLocalTime(now));
        setFault(read.fault);
        action.reset();
        const { instant } = read;
        if (instant === null) return document.getElementById(id)?.focus();
        action.mutate(() => api.putClock({ sandbox, body: { now: instant } }), { onSuccess: () => setText(null) });
      }}
    >
      <div className="filters">
        <div className="field">
          <label htmlFor={id}>Date and time (UTC)</label>
          <input
            id={id}
            type="datetime-local"
            step={1}
            min={earliestLocalTime}
            max={latestLocalTime}
            value={text ?? toLocalTime(now)}
            aria-invalid={shown !== null}
            aria-describedby={shown === null ? hintId : `${faultId} ${hintId}`}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        <button type="submit">Set clock</button>
      </div>
      {shown !== null && (
        <p id={faultId} className="field-fault" role="alert">
          {shown}
        </p>
      )}
      {rejected === null && <Failure of={action.error} />}
      <p id={hintId} className="hint">
        Any time from 1970 to 9999, including times before the current one.
      </p>
    </form>
  );
}
