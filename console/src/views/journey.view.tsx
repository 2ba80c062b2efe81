import { Link } from 'wouter';
import type { SignInDetail } from '../control/answers.ts';
import { journeyAddress, partOf } from '../control/film.ts';
import { useControlQuery } from '../control/questions.ts';
import { Film } from '../journey/film.tsx';
import { Answered } from '../parts/answered.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { VerdictPath } from '../parts/verdict-path.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** One sign-in, step by step: what was put in, and what the rules said of it. */
export function JourneyView({ sandbox, signInId }: { readonly sandbox: string; readonly signInId: string }) {
  const detail = useControlQuery('getSignIn', { sandbox, signIn: signInId });
  return (
    <Answered to={detail} title={`Sign-in ${signInId}`}>
      {(told) => <Journey sandbox={sandbox} detail={told} />}
    </Answered>
  );
}

function Journey({ sandbox, detail }: { readonly sandbox: string; readonly detail: SignInDetail }) {
  const { signIn, verdict, attempt } = detail;
  const user = encodeURIComponent(signIn.userId);
  const id = encodeURIComponent(signIn.id);
  return (
    <>
      <ViewTitle title={`Sign-in ${signIn.id}`}>
        <Link href={`/s/${sandbox}/users/${user}`}>{signIn.userId}</Link>
        <Link href={`/s/${sandbox}/model/signIn?user=${user}`}>On the model</Link>
        <Link href={`/s/${sandbox}/journeys/compare?one=${id}`}>Compare with another</Link>
        <Link href={`/s/${sandbox}/scenarios/file?from=${id}`}>Save as a scenario</Link>
        <a href={journeyAddress(sandbox, partOf(detail))} download>
          Export
        </a>
      </ViewTitle>
      <Card title="Steps">
        <Film sandbox={sandbox} detail={detail} />
      </Card>
      <Card title="Verdict">
        {verdict === null ? (
          <Empty>The rules have not judged: the second factor is still to come.</Empty>
        ) : (
          <VerdictPath verdict={verdict} />
        )}
      </Card>
      <Card title="Attempt facts">
        {attempt === null ? <Empty>Nothing yet.</Empty> : <CodeBlock text={JSON.stringify(attempt, null, 2)} />}
      </Card>
    </>
  );
}
