import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ControlRequest } from '../../../src/client/control-client.ts';
import type { ListedUser, RulesetInForce } from '../control/answers.ts';
import { question, useControlQuery } from '../control/questions.ts';
import { useSnoozeEnd } from '../control/snooze-end.ts';
import { Empty } from '../parts/card.tsx';
import { formatCode, formatCount, formatMinute, stateLabels } from '../parts/labels.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { useRowWindow } from '../parts/row-window.ts';
import { SelectField } from '../parts/select-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Number of users per request. */
const pageUsers = 200;

/** Height of a row in the list, in pixels. */
const rowPixels = 44;

const anyState = [['', 'Any state'], ...Object.entries(stateLabels)] as const;

/** Renders the users of a sandbox in a virtual list of any length, filtered by name and state. */
export function UsersView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const [typed, setTyped] = useState(address.get('search') ?? '');
  const search = useDeferredValue(typed.trim());
  const wanted = { search, state: address.get('state') ?? '', reason: address.get('reason') ?? '' };
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
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
      <ViewTitle title="Users">
        <Link href={`/s/${sandbox}/add-user`}>Add user</Link>
      </ViewTitle>
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
        <SelectField label="State" value={wanted.state} options={anyState} onChange={(value) => keep('state', value)} />
        <SelectField
          label="At the next sign-in"
          value={wanted.reason}
          options={listReasons(inForce.data)}
          onChange={(value) => keep('reason', value)}
        />
      </form>
      <UserList sandbox={sandbox} wanted={wanted} />
    </>
  );
}

/** Returns the filter options for the next sign-in: any outcome, a prompt, or one of the reasons of the rules in force. */
function listReasons(ruleset: RulesetInForce | undefined): readonly (readonly [string, string])[] {
  const { base, reasons = [] } = ruleset ?? {};
  return [
    ['', 'Any verdict'],
    ['none', 'Would be prompted'],
    ...(base === 'own' ? [['blocked', 'Would be blocked'] as const] : []),
    ...reasons.map((reason) => [reason, `Not prompted: ${formatCode(reason).toLowerCase()}`] as const),
  ];
}

/** User filter. An empty text matches all users. */
interface Wanted {
  readonly search: string;
  readonly state: string;
  readonly reason: string;
}

function UserList({ sandbox, wanted }: { readonly sandbox: string; readonly wanted: Wanted }) {
  const firstPage = useQuery({ ...createPageQuery(sandbox, wanted, 0), placeholderData: keepPreviousData });
  const population = useControlQuery('getUserSummary', { sandbox });
  useSnoozeEnd(sandbox, population.data?.nextPromptAt ?? null);
  return (
    <QueryResult to={firstPage}>
      {({ total, evaluated }) => (
        <>
          <p className="hint" role="status">
            {formatCount(total, 'user')}
            {evaluated !== undefined &&
              evaluated < (population.data?.users ?? 0) &&
              `, of ${formatCount(evaluated, 'user')} evaluated`}
            ; times are in UTC
          </p>
          {total > 0 ? (
            <UserRows key={Object.values(wanted).join(' ')} sandbox={sandbox} wanted={wanted} total={total} />
          ) : population.data?.users === 0 ? (
            <Empty>
              The sandbox has no users. <Link href={`/s/${sandbox}/add-user`}>Add a user</Link>.
            </Empty>
          ) : (
            <Empty>No users match these filters.</Empty>
          )}
        </>
      )}
    </QueryResult>
  );
}

/** Returns the query for a page of users by its index. */
function createPageQuery(sandbox: string, wanted: Wanted, page: number) {
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
  // The server validates values that come from the URL.
  const query: ControlRequest<'listUsers'>['query'] = { ...given, offset: page * pageUsers, limit: pageUsers };
  return question('listUsers', { sandbox, query });
}

function UserRows({
  sandbox,
  wanted,
  total,
}: {
  readonly sandbox: string;
  readonly wanted: Wanted;
  readonly total: number;
}) {
  const { box, contentPixels, first, end, computeTop, onScroll } = useRowWindow(total, rowPixels);
  const firstPage = Math.floor(first / pageUsers);
  const pages = useQueries({
    queries: Array.from({ length: Math.ceil(Math.max(1, end) / pageUsers) - firstPage }, (_, place) =>
      createPageQuery(sandbox, wanted, firstPage + place),
    ),
  });
  return (
    <div className="rows" role="table" aria-label="Users" aria-rowcount={total + 1}>
      <div role="row" className="row head" aria-rowindex={1} style={{ gridTemplateColumns }}>
        {columns.map(({ head }) => (
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
              <div
                role="row"
                className="row"
                aria-rowindex={row + 2}
                key={row}
                style={{ gridTemplateColumns, insetBlockStart: computeTop(row) }}
              >
                {user === undefined ? <span role="cell">…</span> : <UserCells user={user} sandbox={sandbox} />}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Column of the list. Without `render`, the cell shows its text. */
interface Column {
  readonly head: string;
  /** Width of the column as a track of a CSS grid. */
  readonly width: string;
  /** Returns the text of a cell, which is also its tooltip, because a narrow column cuts it off. */
  readonly toText: (user: ListedUser) => string;
  readonly render?: (user: ListedUser, sandbox: string) => ReactNode;
}

const columns: readonly Column[] = [
  {
    head: 'Name',
    width: '1.2fr',
    toText: ({ displayName }) => displayName,
    render: ({ id, displayName }, sandbox) => (
      <Link href={`/s/${sandbox}/users/${encodeURIComponent(id)}`}>{displayName}</Link>
    ),
  },
  { head: 'Username', width: '1.8fr', toText: ({ userPrincipalName }) => userPrincipalName },
  {
    head: 'Methods',
    width: '1.05fr',
    toText: ({ methods, passkeys }) =>
      [...methods, ...(passkeys.length > 0 ? [`${passkeys.length} × passkey`] : [])].join(', ') || 'none',
  },
  { head: 'State', width: '1.25fr', toText: ({ nudgeStatus }) => stateLabels[nudgeStatus.state] },
  { head: 'Snoozes', width: '4.25rem', toText: ({ nudgeStatus }) => String(nudgeStatus.snoozes) },
  { head: 'Snoozed until', width: '8.75rem', toText: ({ nudgeStatus }) => formatMinute(nudgeStatus.nextPromptAt) },
];

const gridTemplateColumns = columns.map(({ width }) => width).join(' ');

function UserCells({ user, sandbox }: { readonly user: ListedUser; readonly sandbox: string }) {
  return columns.map(({ head, toText, render }) => (
    <span role="cell" key={head} title={toText(user)}>
      {render?.(user, sandbox) ?? toText(user)}
    </span>
  ));
}
