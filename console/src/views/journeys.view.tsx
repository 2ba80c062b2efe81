import { Link } from 'wouter';
import type { SignIns } from '../control/answers.ts';
import { journeyAddress } from '../control/film.ts';
import { useAnswer } from '../control/questions.ts';
import { Answered } from '../parts/answered.tsx';
import { Empty } from '../parts/card.tsx';
import { SignInTable } from '../parts/sign-in-table.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** The sign-ins that the sandbox holds, the newest first. */
export function JourneysView({ sandbox }: { readonly sandbox: string }) {
  const signIns = useAnswer<SignIns>(sandbox, '/sign-ins');
  return (
    <>
      <ViewTitle title="Journeys">
        <Link href={`/s/${sandbox}/journeys/compare`}>Compare two</Link>
        <a href={journeyAddress(sandbox)} download>
          Export all
        </a>
      </ViewTitle>
      <Answered to={signIns}>
        {({ signIns: rows }) =>
          rows.length === 0 ? (
            <Empty>
              Nobody has signed in yet. <a href={`/s/${sandbox}/sign-in`}>Sign in as a test user</a>.
            </Empty>
          ) : (
            <SignInTable rows={rows} sandbox={sandbox} />
          )
        }
      </Answered>
    </>
  );
}
