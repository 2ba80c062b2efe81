import { useState } from 'react';
import { earliestLocalTime, latestLocalTime, readInstant, toLocalTime } from '../control/instant.ts';
import { LabelledField } from './labelled-field.tsx';

/** Renders a field for an instant in milliseconds, as a date and a time in UTC. An empty field is `null`. */
export function InstantInput({
  label,
  hint,
  message,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly message: string | null;
  readonly value: unknown;
  readonly onChange: (ms: number | null) => void;
}) {
  const [fault, setFault] = useState<string | null>(null);
  const [text, setText] = useState<string | null>(null);
  const stored = typeof value === 'number' ? formatMs(value) : '';
  return (
    <LabelledField label={label} hint={hint} message={fault ?? message}>
      {(attributes) => (
        <input
          {...attributes}
          type="datetime-local"
          step={1}
          min={earliestLocalTime}
          max={latestLocalTime}
          value={text ?? stored}
          onBlur={() => fault === null && setText(null)}
          onChange={({ target }) => {
            setText(target.value);
            const read = target.value === '' ? null : readInstant(target.value);
            setFault(read?.fault ?? null);
            if (read === null) onChange(null);
            else if (read.instant !== null) onChange(Date.parse(read.instant));
          }}
        />
      )}
    </LabelledField>
  );
}

/** Formats an instant in milliseconds. A number that is no instant, which can be entered as JSON, is shown empty. */
function formatMs(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : toLocalTime(date.toISOString());
}
