import { Link } from 'wouter';
import type { SignInDetail } from '../control/answers.ts';
import { journeyAddress, toPart } from '../control/filmstrip.ts';
import { useControlQuery } from '../control/questions.ts';
import { Filmstrip } from '../journey/filmstrip.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { VerdictPath } from '../parts/evaluation-trace.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders one sign-in step by step, with its events and the evaluation trace. */
export function JourneyView({ sandbox, signInId }: { readonly sandbox: string; readonly signInId: string }) {
  const detail = useControlQuery('getSignIn', { sandbox, signIn: signInId });
  return (
    <QueryResult to={detail} title={`Sign-in ${signInId}`}>
      {(data) => <Journey sandbox={sandbox} detail={data} />}
    </QueryResult>
  );
}

function Journey({ sandbox, detail }: { readonly sandbox: string; readonly detail: SignInDetail }) {
  const { signIn, verdict, headline, sentences, attempt } = detail;
  const user = encodeURIComponent(signIn.userId);
  const id = encodeURIComponent(signIn.id);
  return (
    <>
      <ViewTitle title={`Sign-in ${signIn.id}`}>
        <Link href={`/s/${sandbox}/users/${user}`}>{signIn.userId}</Link>
        <Link href={`/s/${sandbox}/model/signIn?user=${user}`}>Show in model</Link>
        <Link href={`/s/${sandbox}/journeys/compare?one=${id}`}>Compare with another</Link>
        <Link href={`/s/${sandbox}/scenarios/file?from=${id}`}>Save as a scenario</Link>
        <a href={journeyAddress(sandbox, toPart(detail))} download>
          Export
        </a>
      </ViewTitle>
      <Card title="Steps">
        <Filmstrip sandbox={sandbox} detail={detail} />
      </Card>
      <Card title="Verdict">
        {verdict === null ? (
          <Empty>Not evaluated yet: the second factor is not completed.</Empty>
        ) : (
          <VerdictPath verdict={verdict} headline={headline ?? undefined} sentences={sentences} />
        )}
      </Card>
      <Card title="Attempt facts">
        {attempt === null ? <Empty>No facts yet.</Empty> : <CodeBlock text={JSON.stringify(attempt, null, 2)} />}
      </Card>
    </>
  );
}
