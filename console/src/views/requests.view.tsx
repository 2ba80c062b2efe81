import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { LoggedRequests } from '../control/answers.ts';
import { question } from '../control/questions.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount, formatInstant } from '../parts/labels.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { UserField } from '../parts/user-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Number of requests on one page. */
const pageRequests = 100;

const statuses = [
  ['', 'Any status'],
  ['2xx', '2xx: successful'],
  ['3xx', '3xx: redirected'],
  ['4xx', '4xx: rejected'],
  ['5xx', '5xx: failed'],
] as const;

/** Renders the HTTP requests that the sandbox received, newest first, filtered by path, status and user. */
export function RequestsView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const pathId = useId();
  const wanted = {
    path: address.get('path') ?? '',
    status: address.get('status') ?? '',
    user: address.get('user') ?? '',
    control: address.get('control') === 'true',
  };
  const keep = (name: keyof typeof wanted, value: string): void =>
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
      <ViewTitle title="Requests" />
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <div className="field">
          <label htmlFor={pathId}>Path begins with</label>
          <input
            id={pathId}
            type="search"
            value={wanted.path}
            placeholder="/sign-in"
            onChange={({ target }) => keep('path', target.value.trim())}
          />
        </div>
        <SelectField
          label="Status"
          value={wanted.status}
          options={statuses}
          onChange={(value) => keep('status', value)}
        />
        <UserField sandbox={sandbox} value={wanted.user} whenEmpty="Any user" onChange={(user) => keep('user', user)} />
        <label className="switch">
          <input
            type="checkbox"
            checked={wanted.control}
            onChange={({ target }) => keep('control', target.checked ? 'true' : '')}
          />
          Also control API and console
        </label>
      </form>
      <RequestPages key={JSON.stringify(wanted)} sandbox={sandbox} wanted={wanted} />
    </>
  );
}

interface Wanted {
  readonly path: string;
  readonly status: string;
  readonly user: string;
  readonly control: boolean;
}

function RequestPages({ sandbox, wanted }: { readonly sandbox: string; readonly wanted: Wanted }) {
  // Sequence numbers before which each older page that was opened ends. The current page ends at the last of them.
  const [ends, setEnds] = useState<readonly number[]>([]);
  const before = ends.at(-1);
  const { control, ...texts } = wanted;
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''));
  const page = useQuery({
    ...question('listRequests', {
      sandbox,
      query: { ...given, control: String(control), limit: pageRequests, ...(before === undefined ? {} : { before }) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult to={page}>
      {({ requests, total, dropped }) => (
        <Card title="Received" aside={<span className="hint">newest first</span>}>
          <p className="hint" role="status">
            {formatCount(total, 'request')}
            {dropped > 0 && `; the log is full and ${formatCount(dropped, 'older request')} were dropped`}
          </p>
          {requests.length === 0 ? (
            <Empty>
              {total === 0 && Object.keys(given).length > 0
                ? 'No requests match these filters.'
                : 'No requests yet. Sign in as a test user, or send one to an API.'}
            </Empty>
          ) : (
            <RequestTable requests={requests.toReversed()} sandbox={sandbox} />
          )}
          <div className="buttons" role="group" aria-label="Pages">
            <button type="button" onClick={() => (ends.length === 0 ? void page.refetch() : setEnds([]))}>
              {ends.length === 0 ? 'Refresh' : 'Newest'}
            </button>
            <button type="button" disabled={ends.length === 0} onClick={() => setEnds(ends.slice(0, -1))}>
              Newer
            </button>
            <button
              type="button"
              // New requests are counted too, so a short page is the last one whatever the total is.
              disabled={requests.length < pageRequests || (ends.length + 1) * pageRequests >= total}
              onClick={() => setEnds([...ends, requests[0]?.seq ?? 1])}
            >
              Older
            </button>
          </div>
        </Card>
      )}
    </QueryResult>
  );
}

function RequestTable({
  requests,
  sandbox,
}: {
  readonly requests: LoggedRequests['requests'];
  readonly sandbox: string;
}) {
  return (
    <ScrollBox label="Received requests">
      <table>
        <thead>
          <tr>
            <th scope="col" className="number">
              Number
            </th>
            <th scope="col">Method</th>
            <th scope="col">Path</th>
            <th scope="col" className="number">
              Status
            </th>
            <th scope="col">User</th>
            <th scope="col">Client</th>
            <th scope="col">Virtual time</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ seq, at, method, path, queryHash, status, userId, client, finding }) => (
            <tr key={seq}>
              <td className="number">{seq}</td>
              <td>{method}</td>
              <td className="breaks wide">
                <code>{path}</code>
                {queryHash !== null && <span className="hint"> with a query</span>}
                {finding !== undefined && <p className="hint">{finding}</p>}
              </td>
              <td className={status !== null && status >= rejectedFrom ? 'number failed' : 'number'}>
                {status ?? 'open'}
              </td>
              <td>
                {userId !== null && <Link href={`/s/${sandbox}/users/${encodeURIComponent(userId)}`}>{userId}</Link>}
              </td>
              <td>{client}</td>
              <td className="nowrap">{formatInstant(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** Lowest status of requests that were rejected or failed. */
const rejectedFrom = 400;
