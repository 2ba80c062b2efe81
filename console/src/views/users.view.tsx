import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ListedUser, UserList as UserPage } from '../control/answers.ts';
import { question } from '../control/questions.ts';
import { Answered } from '../parts/answered.tsx';
import { Empty } from '../parts/card.tsx';
import { useRowWindow } from '../parts/row-window.ts';
import { SelectField } from '../parts/select-field.tsx';
import { counted, minuteWords, stateWords } from '../parts/words.ts';
import { ViewTitle } from '../shell/view-title.tsx';

/** Users that are asked for at once. */
const pageUsers = 200;

/** Height of a row in the list, in pixels. */
const rowPixels = 44;

const anyState = [['', 'Any state'], ...Object.entries(stateWords)] as const;

/** The users of a sandbox: found by name and by state, and scrolled through however many there are. */
export function UsersView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const [typed, setTyped] = useState(address.get('search') ?? '');
  const search = useDeferredValue(typed.trim());
  const state = address.get('state') ?? '';
  const searchId = useId();
  const keep = (name: string, value: string): void =>
    setAddress(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  return (
    <>
      <ViewTitle title="Users" />
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <div className="field">
          <label htmlFor={searchId}>Search</label>
          <input
            id={searchId}
            type="search"
            value={typed}
            placeholder="Name or id"
            onChange={({ target }) => {
              setTyped(target.value);
              keep('search', target.value.trim());
            }}
          />
        </div>
        <SelectField label="State" value={state} options={anyState} onChange={(value) => keep('state', value)} />
      </form>
      <UserList sandbox={sandbox} search={search} state={state} />
    </>
  );
}

function UserList({
  sandbox,
  search,
  state,
}: {
  readonly sandbox: string;
  readonly search: string;
  readonly state: string;
}) {
  const firstPage = useQuery({ ...pageOf(sandbox, search, state, 0), placeholderData: keepPreviousData });
  return (
    <Answered to={firstPage}>
      {({ total }) =>
        total === 0 ? (
          <Empty>No user is called so, or stands there.</Empty>
        ) : (
          <>
            <p className="hint" role="status">
              {counted(total, 'user')}
            </p>
            <UserRows key={`${search} ${state}`} sandbox={sandbox} search={search} state={state} total={total} />
          </>
        )
      }
    </Answered>
  );
}

/** A page of the users, by its place among the pages. */
function pageOf(sandbox: string, search: string, state: string, page: number) {
  const given = { search, state, offset: String(page * pageUsers), limit: String(pageUsers) };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
  return question<UserPage>(sandbox, `/users?${query}`);
}

function UserRows({
  sandbox,
  search,
  state,
  total,
}: {
  readonly sandbox: string;
  readonly search: string;
  readonly state: string;
  readonly total: number;
}) {
  const { box, contentPixels, first, end, topOf, onScroll } = useRowWindow(total, rowPixels);
  const firstPage = Math.floor(first / pageUsers);
  const pages = useQueries({
    queries: Array.from({ length: Math.ceil(Math.max(1, end) / pageUsers) - firstPage }, (_, place) =>
      pageOf(sandbox, search, state, firstPage + place),
    ),
  });
  return (
    <div className="rows" role="table" aria-label="Users" aria-rowcount={total + 1}>
      <div role="row" className="row head" aria-rowindex={1}>
        {['Name', 'User name', 'Methods', 'State', 'Snoozes', 'Next prompt'].map((head) => (
          <span role="columnheader" key={head}>
            {head}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard. */}
      <div ref={box} className="body" role="rowgroup" tabIndex={0} onScroll={onScroll}>
        <div style={{ blockSize: contentPixels, position: 'relative' }} role="presentation">
          {Array.from({ length: Math.max(0, end - first) }, (_, place) => first + place).map((row) => {
            const user = pages[Math.floor(row / pageUsers) - firstPage]?.data?.users[row % pageUsers];
            return (
              <div role="row" className="row" aria-rowindex={row + 2} key={row} style={{ insetBlockStart: topOf(row) }}>
                {user === undefined ? <span role="cell">…</span> : <UserCells user={user} sandbox={sandbox} />}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function UserCells({ user, sandbox }: { readonly user: ListedUser; readonly sandbox: string }) {
  const { id, displayName, userPrincipalName, methods, passkeys, ledger } = user;
  const held = [...methods, ...(passkeys.length > 0 ? [`${passkeys.length} × passkey`] : [])];
  return (
    <>
      <span role="cell">
        <Link href={`/s/${sandbox}/users/${encodeURIComponent(id)}`}>{displayName}</Link>
      </span>
      <span role="cell">{userPrincipalName}</span>
      <span role="cell">{held.join(', ') || 'none'}</span>
      <span role="cell" className="state" data-state={ledger.state}>
        {stateWords[ledger.state]}
      </span>
      <span role="cell">{ledger.snoozes}</span>
      <span role="cell">{minuteWords(ledger.nextPromptAt)}</span>
    </>
  );
}
