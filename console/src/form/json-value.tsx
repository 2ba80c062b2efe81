import { useId, useState } from 'react';
import type { FormValue } from './form-schema.ts';

const indent = 2;

/** Renders a disclosure with the edited object as JSON, which can be changed there too. */
export function JsonValue({
  value,
  onChange,
}: {
  readonly value: FormValue;
  readonly onChange: (value: FormValue) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const id = useId();
  const change = (text: string): void => {
    setTyped(text);
    try {
      const read: unknown = JSON.parse(text);
      if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new TypeError('it is not an object');
      setFault(null);
      onChange(read as FormValue);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <details className="json-value">
      <summary>Edit as JSON</summary>
      <label className="field" htmlFor={id}>
        JSON
      </label>
      <textarea
        id={id}
        rows={10}
        spellCheck={false}
        value={typed ?? JSON.stringify(value, null, indent)}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-message`}
        onChange={({ target }) => change(target.value)}
        onBlur={() => fault === null && setTyped(null)}
      />
      {fault !== null && (
        <p id={`${id}-message`} className="field-fault" role="alert">
          This is not valid JSON: {fault}.
        </p>
      )}
    </details>
  );
}
