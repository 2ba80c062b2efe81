import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { journeyAddress } from '../control/filmstrip.ts';
import { question } from '../control/questions.ts';
import { Card, Empty } from '../parts/card.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { SignInTable } from '../parts/sign-in-table.tsx';
import { UserField } from '../parts/user-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Number of sign-ins on one page. */
const pageSignIns = 50;

/** Renders the sign-ins of a sandbox, newest first, for all users or for one. */
export function JourneysView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const user = address.get('user') ?? '';
  return (
    <>
      <ViewTitle title="Journeys">
        <Link href={`/s/${sandbox}/journeys/compare`}>Compare sign-ins</Link>
        <a href={journeyAddress(sandbox)} download>
          Export all
        </a>
      </ViewTitle>
      <div className="filters">
        <UserField
          sandbox={sandbox}
          value={user}
          whenEmpty="Everybody"
          onChange={(one) => setAddress(one === '' ? {} : { user: one }, { replace: true })}
        />
      </div>
      <SignInPages key={user} sandbox={sandbox} user={user} />
    </>
  );
}

function SignInPages({ sandbox, user }: { readonly sandbox: string; readonly user: string }) {
  const [before, setBefore] = useState<readonly string[]>([]);
  const query = { user: user === '' ? undefined : user, before: before.at(-1), limit: pageSignIns + 1 };
  const signIns = useQuery({
    ...question('listSignIns', { sandbox, query }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult to={signIns}>
      {({ signIns: found }) => {
        const rows = found.slice(0, pageSignIns);
        const last = rows.at(-1);
        return (
          <Card title="Sign-ins" aside={<span className="hint">newest first</span>}>
            {rows.length === 0 ? (
              <Empty>
                {user === '' ? 'No one has signed in yet.' : `${user} has not signed in.`}{' '}
                <a href={`/s/${sandbox}/sign-in`}>Sign in as a test user</a>.
              </Empty>
            ) : (
              <SignInTable rows={rows} sandbox={sandbox} />
            )}
            {(before.length > 0 || found.length > pageSignIns) && (
              <div className="buttons" role="group" aria-label="Pages">
                <button type="button" disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>
                  Newer
                </button>
                <button
                  type="button"
                  disabled={found.length <= pageSignIns}
                  onClick={() => last !== undefined && setBefore([...before, last.id])}
                >
                  Older
                </button>
              </div>
            )}
          </Card>
        );
      }}
    </QueryResult>
  );
}
