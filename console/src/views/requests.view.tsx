import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useId, useState } from 'react';
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
    administration: address.get('administration') === 'true',
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
        <div className="switches">
          <label className="switch">
            <input
              type="checkbox"
              checked={wanted.control}
              onChange={({ target }) => keep('control', target.checked ? 'true' : '')}
            />
            Also control API and console
          </label>
          <label className="switch">
            <input
              type="checkbox"
              checked={wanted.administration}
              onChange={({ target }) => keep('administration', target.checked ? 'true' : '')}
            />
            Only tools of administrators
          </label>
        </div>
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
  /** `true` for requests to the policy API and the directory API alone. */
  readonly administration: boolean;
}

function RequestPages({ sandbox, wanted }: { readonly sandbox: string; readonly wanted: Wanted }) {
  // Sequence numbers before which each older page that was opened ends. The current page ends at the last of them.
  const [ends, setEnds] = useState<readonly number[]>([]);
  const before = ends.at(-1);
  const { control, administration, ...texts } = wanted;
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''));
  const page = useQuery({
    ...question('listRequests', {
      sandbox,
      query: {
        ...given,
        control: String(control),
        administration: String(administration),
        limit: pageRequests,
        ...(before === undefined ? {} : { before }),
      },
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
            <Empty>{explainEmpty(total === 0 && Object.keys(given).length > 0, administration)}</Empty>
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

/** Returns why the list is empty, and how a request gets into it. */
function explainEmpty(isFiltered: boolean, administration: boolean): string {
  if (isFiltered) return 'No requests match these filters.';
  if (administration) {
    return 'No requests of administrators’ tools yet. Send one with a token to a path below /v1.0 or /beta.';
  }
  return 'No requests yet. Sign in as a test user, or send one to an API.';
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
            <th scope="col">Journal entries</th>
            <th scope="col">Virtual time</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ seq, at, method, path, queryHash, status, userId, client, finding, entries = [] }) => (
            <Fragment key={seq}>
              <tr>
                <td className="number">{seq}</td>
                <td>{method}</td>
                <td className="breaks wide">
                  <code title={path}>{withoutSandbox(path, sandbox)}</code>
                  {queryHash !== null && <span className="hint"> with a query</span>}
                </td>
                <td className={status !== null && status >= rejectedFrom ? 'number failed' : 'number'}>
                  {status ?? 'open'}
                </td>
                <td>
                  {userId !== null && <Link href={`/s/${sandbox}/users/${encodeURIComponent(userId)}`}>{userId}</Link>}
                </td>
                <td>{client}</td>
                <td>
                  {entries.map((entry, index) => (
                    <Fragment key={entry}>
                      {index > 0 && ', '}
                      <Link href={`/s/${sandbox}/journal?upTo=${entry}`} aria-label={`Journal entry ${entry}`}>
                        {entry}
                      </Link>
                    </Fragment>
                  ))}
                </td>
                <td className="nowrap">{formatInstant(at)}</td>
              </tr>
              {finding !== undefined && (
                <tr className="finding">
                  <td colSpan={columns}>
                    <p>{finding}</p>
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** Number of columns of the table of requests. */
const columns = 8;

/** Returns the path below a sandbox, as the filter takes it. All requests of the view belong to the same sandbox. */
function withoutSandbox(path: string, sandbox: string): string {
  const prefix = `/s/${sandbox}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length - 1) : path;
}

/** Lowest status of requests that were rejected or failed. */
const rejectedFrom = 400;
