import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ListedUser, UserList } from '../control/answers.ts';
import { ask } from '../control/control-client.ts';
import { sandboxKey } from '../control/questions.ts';
import { Answered } from '../parts/answered.tsx';
import { Empty } from '../parts/card.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { instantWords, stateWords } from '../parts/words.ts';
import { ViewTitle } from '../shell/view-title.tsx';

/** Users that are asked for at once. */
const pageUsers = 200;

/** Height of a row in the list, in pixels. */
const rowPixels = 44;

/** Rows that are drawn beyond those that are seen. */
const overscanRows = 12;

const anyState = [['', 'Any state'], ...Object.entries(stateWords)] as const;

/** The users of a sandbox: found by name and by state, and scrolled through however many there are. */
export function UsersView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const [typed, setTyped] = useState(address.get('search') ?? '');
  const search = useDeferredValue(typed.trim());
  const state = address.get('state') ?? '';
  const searchId = useId();
  const pages = useInfiniteQuery({
    queryKey: [...sandboxKey(sandbox), 'users', search, state],
    queryFn: ({ pageParam }) => ask<UserList>(`GET /sandboxes/${sandbox}/users?${queryOf(search, state, pageParam)}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
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
      <Answered to={pages}>
        {({ pages: read }) => (
          <UserRows
            sandbox={sandbox}
            users={read.flatMap(({ users }) => users)}
            more={pages.hasNextPage && !pages.isFetchingNextPage ? () => void pages.fetchNextPage() : null}
          />
        )}
      </Answered>
    </>
  );
}

function queryOf(search: string, state: string, after: string | null): string {
  const given = { search, state, after: after ?? '', limit: String(pageUsers) };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
}

function UserRows({
  sandbox,
  users,
  more,
}: {
  readonly sandbox: string;
  readonly users: readonly ListedUser[];
  readonly more: (() => void) | null;
}) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: users.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPixels,
    overscan: overscanRows,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more !== null && last >= users.length - overscanRows) more();
  }, [more, last, users.length]);
  if (users.length === 0) return <Empty>No user is called so, or stands there.</Empty>;
  return (
    <div className="rows" role="table" aria-label="Users" aria-rowcount={users.length}>
      <div role="row" className="row head">
        {['Name', 'User name', 'Methods', 'State', 'Snoozes', 'Next prompt'].map((head) => (
          <span role="columnheader" key={head}>
            {head}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard. */}
      <div ref={box} className="body" role="rowgroup" tabIndex={0}>
        <div style={{ blockSize: rows.getTotalSize(), position: 'relative' }} role="presentation">
          {shown.map(({ index, start }) => {
            const user = users[index];
            return user === undefined ? null : (
              <div
                role="row"
                className="row"
                aria-rowindex={index + 1}
                key={user.id}
                style={{ insetBlockStart: start }}
              >
                <UserCells user={user} sandbox={sandbox} />
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
      <span role="cell">{instantWords(ledger.nextPromptAt)}</span>
    </>
  );
}
