import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { sandboxKey } from '../control/questions.ts';
import {
  pageUsers,
  type RegistrationPage,
  readRegistrationCounts,
  readRegistrations,
} from '../control/registrations.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount } from '../parts/labels.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders the registration report of the directory API: users by feature and by method, and the row of each user. */
export function RegistrationsView({ sandbox }: { readonly sandbox: string }) {
  const counts = useQuery({
    queryKey: [...sandboxKey(sandbox), 'registration counts'],
    queryFn: () => readRegistrationCounts(sandbox),
  });
  return (
    <>
      <ViewTitle title="Registration report">
        <Link href={`/s/${sandbox}/forecast`}>Forecast</Link>
        <Link href={`/s/${sandbox}/compare`}>Compare</Link>
      </ViewTitle>
      <p className="hint">What tools of administrators read from the directory API.</p>
      <QueryResult to={counts}>
        {({ total, features, methods }) => (
          <div className="grid">
            <Card title="Users by feature">
              <CountTable label="Table of features" head="Feature" rows={features} total={total} />
            </Card>
            <Card title="Users by method">
              <CountTable label="Table of methods" head="Method" rows={methods} total={total} />
            </Card>
          </div>
        )}
      </QueryResult>
      <RegistrationPages sandbox={sandbox} />
    </>
  );
}

function CountTable({
  label,
  head,
  rows,
  total,
}: {
  readonly label: string;
  readonly head: string;
  readonly rows: readonly (readonly [string, number])[];
  readonly total: number;
}) {
  return (
    <ScrollBox label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" className="number">
              Users
            </th>
            <th scope="col" className="number">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, users]) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td className="number">{users.toLocaleString('en')}</td>
              <td className="number">{total === 0 ? '–' : `${((users / total) * 100).toFixed(1)}%`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function RegistrationPages({ sandbox }: { readonly sandbox: string }) {
  const [skip, setSkip] = useState(0);
  const page = useQuery({
    queryKey: [...sandboxKey(sandbox), 'registrations', skip],
    queryFn: () => readRegistrations(sandbox, skip),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult to={page}>
      {({ users, total }) => (
        <Card title="Users">
          <p className="hint" role="status">
            {formatCount(total, 'user')}
          </p>
          {users.length === 0 ? (
            <Empty>No users yet. Add one in the view Users.</Empty>
          ) : (
            <RegistrationTable users={users} sandbox={sandbox} />
          )}
          <div className="buttons" role="group" aria-label="Pages">
            <button type="button" disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - pageUsers))}>
              Previous
            </button>
            <button type="button" disabled={skip + pageUsers >= total} onClick={() => setSkip(skip + pageUsers)}>
              Next
            </button>
          </div>
        </Card>
      )}
    </QueryResult>
  );
}

function RegistrationTable({
  users,
  sandbox,
}: {
  readonly users: RegistrationPage['users'];
  readonly sandbox: string;
}) {
  return (
    <ScrollBox label="Registrations of users">
      <table>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Registered methods</th>
            <th scope="col">MFA registered</th>
            <th scope="col">MFA capable</th>
            <th scope="col">Passwordless capable</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <th scope="row">
                <Link href={`/s/${sandbox}/users?search=${encodeURIComponent(user.userPrincipalName)}`}>
                  {user.userPrincipalName}
                </Link>
              </th>
              <td>{user.methodsRegistered.join(', ') || 'none'}</td>
              <td>{formatFlag(user.isMfaRegistered)}</td>
              <td>{formatFlag(user.isMfaCapable)}</td>
              <td>{formatFlag(user.isPasswordlessCapable)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function formatFlag(value: boolean): string {
  return value ? 'yes' : 'no';
}
