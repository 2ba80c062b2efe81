import { useEffect, useId, useState } from 'react';
import { useControlQuery } from '../control/questions.ts';

/** Maximum number of users suggested while typing. */
const offeredUsers = 10;

/** Renders a field that selects one user by name. An empty value means that no user is selected. */
export function UserField({
  sandbox,
  value,
  whenEmpty = 'Latest user to sign in',
  onChange,
}: {
  readonly sandbox: string;
  readonly value: string;
  /** Text shown while no user is selected. */
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
