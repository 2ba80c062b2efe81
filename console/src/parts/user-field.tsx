import { useEffect, useId, useState } from 'react';
import { useControlQuery } from '../control/questions.ts';

/** Users that are offered while someone types. */
const offeredUsers = 10;

/** A field for one user, found by what they are called. Takes who is chosen, or an empty text for no one. */
export function UserField({
  sandbox,
  value,
  whenEmpty = 'Who signed in last',
  onChange,
}: {
  readonly sandbox: string;
  readonly value: string;
  /** What is shown while no one is chosen. */
  readonly whenEmpty?: string;
  readonly onChange: (user: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const [inputId, listId] = [useId(), useId()];
  const { data } = useControlQuery('listUsers', { sandbox, query: { limit: offeredUsers, search: typed.trim() } });
  const choose = (text: string): void => {
    setTyped(text);
    if (text === '' || data?.users.some(({ id }) => id === text) === true) onChange(text);
  };
  return (
    <div className="field">
      <label htmlFor={inputId}>User</label>
      <input
        id={inputId}
        list={listId}
        value={typed}
        placeholder={whenEmpty}
        onChange={({ target }) => choose(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onChange(typed.trim());
        }}
      />
      <datalist id={listId}>
        {data?.users.map(({ id, displayName }) => (
          <option key={id} value={id}>
            {displayName}
          </option>
        ))}
      </datalist>
    </div>
  );
}
