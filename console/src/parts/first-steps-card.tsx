import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import type { User } from '../control/answers.ts';
import { beginFirstSteps, finishStep, showFirstSteps, useFirstSteps } from '../control/first-steps.ts';
import { type StepId, stepIds } from '../control/first-steps-state.ts';
import { question } from '../control/questions.ts';
import { Card } from './card.tsx';

/** Id of the card, which receives the focus when it is opened from the help. */
export const firstStepsId = 'first-steps';

/** Id of the buttons of the clock. */
export const clockButtonsId = 'clock-buttons';

/** Maximum number of sign-ins that are checked for a prompt. */
const checkedSignIns = 50;

/** Renders the steps of a first visit, each with whether it is done. The browser remembers them. */
export function FirstStepsCard({ sandbox, entries }: { readonly sandbox: string; readonly entries: number }) {
  const { isDismissed, done } = useFirstSteps();
  return isDismissed ? null : <OpenCard sandbox={sandbox} entries={entries} done={done} />;
}

function OpenCard({
  sandbox,
  entries,
  done,
}: {
  readonly sandbox: string;
  readonly entries: number;
  readonly done: readonly StepId[];
}) {
  useStepsDone(sandbox, entries);
  const { data: users } = useQuery(question('listUsers', { sandbox, query: { limit: 1 } }));
  const [listed] = users?.users ?? [];
  const { data: user } = useQuery({
    ...question('getUser', { sandbox, user: listed?.id ?? '' }),
    enabled: listed !== undefined,
  });
  const steps = describeSteps(sandbox, user);
  return (
    <div id={firstStepsId} tabIndex={-1}>
      <Card
        title="First steps"
        aside={
          <span role="status">
            {done.length} of {stepIds.length} done
          </span>
        }
      >
        <ol className="first-steps">
          {stepIds.map((step) => (
            <li key={step} data-done={done.includes(step)}>
              <h3>
                {steps[step].title} <span className="hint">{done.includes(step) ? '✓ Done' : 'To do'}</span>
              </h3>
              <p>{steps[step].text}</p>
            </li>
          ))}
        </ol>
        <div className="buttons">
          <button
            type="button"
            onClick={() => {
              showFirstSteps(false);
              document.getElementById('view')?.focus();
            }}
          >
            {done.length === stepIds.length ? 'Close first steps' : 'Dismiss first steps'}
          </button>
          <span className="hint">To show them again, choose First steps in the navigation.</span>
        </div>
      </Card>
    </div>
  );
}

interface Step {
  readonly title: string;
  readonly text: ReactNode;
}

function describeSteps(sandbox: string, user: User | undefined): Readonly<Record<StepId, Step>> {
  const signIn = `/s/${sandbox}/sign-in`;
  return {
    'sign-in': {
      title: 'Sign in as a user',
      text:
        user === undefined ? (
          <>
            The sandbox has no users. <Link href={`/s/${sandbox}/add-user`}>Add a user</Link> first.
          </>
        ) : (
          <>
            <a
              href={`${signIn}?user=${encodeURIComponent(user.userPrincipalName)}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              Open the sign-in page in a new tab
            </a>{' '}
            as {user.displayName}. The password is <code>{user.password}</code>, the code <code>{user.code}</code>.
          </>
        ),
    },
    prompt: {
      title: 'See the prompt',
      text: 'After the second factor, a page asks the user to set up a stronger method. Skip it: a snooze begins.',
    },
    clock: {
      title: 'Move the clock',
      text: (
        <>
          The clock below is that of the sandbox. With +1 day the snooze ends, and the next sign-in prompts again.{' '}
          <button
            type="button"
            className="link"
            onClick={() => document.getElementById(clockButtonsId)?.querySelector('button')?.focus()}
          >
            Go to the clock
          </button>
        </>
      ),
    },
    explain: {
      title: 'Ask why',
      text:
        user === undefined ? (
          'The page of a user explains, rule by rule, whether the next sign-in would prompt.'
        ) : (
          <>
            <Link href={`/s/${sandbox}/users/${encodeURIComponent(user.id)}`}>Open {user.displayName}</Link>:
            &ldquo;Explain verdict&rdquo; says, rule by rule, why the next sign-in would prompt or not.
          </>
        ),
    },
  };
}

/** Marks steps as done by the events of the sandbox since the steps were first shown. */
function useStepsDone(sandbox: string, entries: number): void {
  const { beginnings, done } = useFirstSteps();
  useEffect(() => beginFirstSteps(sandbox, entries), [sandbox, entries]);
  const after = beginnings[sandbox] ?? entries;
  const find = (type: string, limit: number) => question('listJournal', { sandbox, query: { after, type, limit } });
  const started = useQuery({ ...find('signIn.started', checkedSignIns), enabled: !done.includes('prompt') });
  const moved = useQuery({ ...find('clock.set', 1), enabled: !done.includes('clock') });
  const signIns = useQuery({
    ...question('listSignIns', { sandbox, query: { limit: checkedSignIns } }),
    enabled: !done.includes('prompt'),
  });
  const begun = new Set(started.data?.entries.map(({ event }) => event['signInId']));
  const isPrompted = signIns.data?.signIns.some(({ id, outcome }) => begun.has(id) && isPrompt(outcome)) === true;
  const isSignedIn = begun.size > 0;
  const isMoved = (moved.data?.entries.length ?? 0) > 0;
  useEffect(() => {
    if (isSignedIn) finishStep('sign-in');
    if (isPrompted) finishStep('prompt');
    if (isMoved) finishStep('clock');
  }, [isSignedIn, isPrompted, isMoved]);
}

function isPrompt(outcome: string | null): boolean {
  return outcome === 'skippable' || outcome === 'required';
}
