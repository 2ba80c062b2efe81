import { useState } from 'react';
import { Link } from 'wouter';
import type { Entry, Rules, SignInDetail } from '../control/answers.ts';
import { useAnswer } from '../control/questions.ts';
import { Answered } from '../parts/answered.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { VerdictPath } from '../parts/verdict-path.tsx';
import { instantWords } from '../parts/words.ts';
import { ViewTitle } from '../shell/view-title.tsx';

/** One sign-in, step by step: what was put in, and what the rules said of it. */
export function JourneyView({ sandbox, signInId }: { readonly sandbox: string; readonly signInId: string }) {
  const detail = useAnswer<SignInDetail>(sandbox, `/sign-ins/${encodeURIComponent(signInId)}`);
  const rules = useAnswer<Rules>(sandbox, '/rules');
  return (
    <Answered to={detail}>
      {({ signIn, verdict, events, attempt }) => (
        <>
          <ViewTitle title={`Sign-in ${signIn.id}`}>
            <Link href={`/s/${sandbox}/users/${encodeURIComponent(signIn.userId)}`}>{signIn.userId}</Link>
          </ViewTitle>
          <Card title="Steps">
            <Steps events={events} />
          </Card>
          <Card title="Verdict">
            {verdict === null ? (
              <Empty>The rules have not judged: the second factor is still to come.</Empty>
            ) : (
              <VerdictPath verdict={verdict} rules={rules.data} />
            )}
          </Card>
          <Card title="What was known of the attempt">
            {attempt === null ? <Empty>Nothing yet.</Empty> : <CodeBlock text={JSON.stringify(attempt, null, 2)} />}
          </Card>
        </>
      )}
    </Answered>
  );
}

function Steps({ events }: { readonly events: readonly Entry[] }) {
  const [at, setAt] = useState(0);
  const step = events[at];
  return (
    <>
      <ol className="film" aria-label="Steps of the sign-in">
        {events.map(({ seq, at: instant, input }, index) => (
          <li key={seq}>
            <button type="button" aria-pressed={index === at} onClick={() => setAt(index)}>
              <code>{input.type}</code>
              <small>{instantWords(instant)}</small>
            </button>
          </li>
        ))}
      </ol>
      <div className="buttons" role="group" aria-label="Step">
        <button type="button" disabled={at === 0} onClick={() => setAt(at - 1)}>
          Back
        </button>
        <button type="button" disabled={at >= events.length - 1} onClick={() => setAt(at + 1)}>
          On
        </button>
        <span className="hint">
          {at + 1} of {events.length}
        </span>
      </div>
      {step !== undefined && (
        <figure>
          <figcaption className="hint">Input of the step</figcaption>
          <CodeBlock text={JSON.stringify(step.input, null, 2)} />
        </figure>
      )}
    </>
  );
}
