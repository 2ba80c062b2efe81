import { useId, useState } from 'react';
import type { Json } from '../control/control-client.ts';
import type { Description } from '../control/forecast-order.ts';
import { saveText } from './data-table.tsx';
import { formatCount } from './labels.ts';

/** Describes the simulated users: those of the sandbox themselves, in their proportions, or drawn by type. */
function describeUsers({ users: known = 0, allocation }: Description, users: number): string {
  const own = formatCount(known, 'user');
  if (allocation !== 'proportional') return `${formatCount(users, 'user')}, drawn by the types of its ${own}`;
  return users === known ? `exactly its ${own}` : `${formatCount(users, 'user')} in the proportions of its ${own}`;
}

/** Renders the tenant selection of a forecast: the tenant of the sandbox, or an uploaded or pasted description. */
export function DescriptionField({
  own,
  users,
  notes,
  given,
  onGive,
  order,
}: {
  readonly own: Description;
  /** Number of users to simulate. */
  readonly users: number;
  readonly notes: readonly string[];
  readonly given: Description | null;
  readonly onGive: (description: Description | null) => void;
  /** Returns the request with the current inputs and a description that can be saved. */
  readonly order: () => Json;
}) {
  const fileId = useId();
  const textId = useId();
  const [fault, setFault] = useState<string | null>(null);
  const take = (text: string): void => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new TypeError('it is not an object');
      onGive(value);
      setFault(null);
    } catch (cause) {
      setFault(cause instanceof Error ? cause.message : String(cause));
    }
  };
  return (
    <>
      {given === null ? (
        <>
          <p>Based on this sandbox: its policy and {describeUsers(own, users)}.</p>
          {notes.map((note) => (
            <p className="hint" key={note}>
              {note}
            </p>
          ))}
        </>
      ) : (
        <p>
          {given.name ?? 'A tenant'} as described, with {formatCount(users, 'user')}{' '}
          {given.allocation === 'proportional' ? 'in exact proportion to the shares' : 'drawn at random by share'}.{' '}
          <button type="button" onClick={() => onGive(null)}>
            Use this sandbox
          </button>
        </p>
      )}
      <div className="buttons">
        <button
          type="button"
          onClick={() => saveText('tenant.json', `${JSON.stringify(order()['description'], null, 2)}\n`)}
        >
          Save the description
        </button>
      </div>
      <details>
        <summary>Describe another tenant as JSON</summary>
        <p className="hint">
          As <code>nudgelab forecast</code> reads it; <code>nudgelab schema forecast</code> prints the schema.
        </p>
        <div className="field">
          <label htmlFor={fileId}>Description file</label>
          <input
            id={fileId}
            type="file"
            accept="application/json,.json"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              target.value = '';
              file?.text().then(take, (cause: unknown) => setFault(String(cause)));
            }}
          />
        </div>
        <div className="field">
          <label htmlFor={textId}>Description text</label>
          <textarea id={textId} rows={6} onChange={({ target }) => target.value.trim() !== '' && take(target.value)} />
        </div>
        {fault !== null && (
          <p className="failure" role="alert">
            This is not a valid JSON description: {fault}.
          </p>
        )}
      </details>
    </>
  );
}
