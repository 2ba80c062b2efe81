import { Link } from 'wouter';
import type { User } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction, useControlQuery } from '../control/questions.ts';
import { useSnoozeEnd } from '../control/snooze-end.ts';
import { Card, Empty } from '../parts/card.tsx';
import { ExplainCard } from '../parts/explain-card.tsx';
import { formatInstant, stateLabels } from '../parts/labels.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { SignInTable } from '../parts/sign-in-table.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders one user: methods, nudge status, the explanation of the next verdict, and past sign-ins. */
export function UserView({ sandbox, userId }: { readonly sandbox: string; readonly userId: string }) {
  const user = useControlQuery('getUser', { sandbox, user: userId });
  useSnoozeEnd(sandbox, user.data?.nudgeStatus.nextPromptAt ?? null);
  const signIns = useControlQuery('listSignIns', { sandbox, query: { user: userId } });
  return (
    <QueryResult to={user} title={`User ${userId}`}>
      {(data) => (
        <>
          <ViewTitle title={data.displayName}>
            <Link href={`/s/${sandbox}/users`}>All users</Link>
          </ViewTitle>
          <div className="grid">
            <Card
              title="User"
              aside={<Link href={`/s/${sandbox}/users/${encodeURIComponent(userId)}/edit`}>Edit</Link>}
            >
              <UserFacts user={data} />
            </Card>
            <Card title="Snoozes">
              <Snoozes user={data} sandbox={sandbox} />
            </Card>
          </div>
          <ExplainCard sandbox={sandbox} user={data} />
          <Card title="Sign-ins">
            <QueryResult to={signIns}>
              {({ signIns: rows }) =>
                rows.length === 0 ? (
                  <Empty>{data.displayName} has not signed in yet.</Empty>
                ) : (
                  <SignInTable rows={rows} sandbox={sandbox} />
                )
              }
            </QueryResult>
          </Card>
        </>
      )}
    </QueryResult>
  );
}

function UserFacts({ user }: { readonly user: User }) {
  const { userPrincipalName, type, methods, passkeys, groups, password, code } = user;
  return (
    <dl className="facts">
      <dt>Username</dt>
      <dd>{userPrincipalName}</dd>
      <dt>Type</dt>
      <dd>{type}</dd>
      <dt>Methods</dt>
      <dd>{methods.join(', ') || 'none'}</dd>
      <dt>Passkeys</dt>
      <dd>{passkeys.map((one) => `${one.type} on ${one.deviceId}`).join(', ') || 'none'}</dd>
      <dt>Groups</dt>
      <dd>{groups.join(', ') || 'none'}</dd>
      <dt>Test password</dt>
      <dd>
        <code>{password}</code>, code <code>{code}</code>
      </dd>
    </dl>
  );
}

function Snoozes({ user, sandbox }: { readonly user: User; readonly sandbox: string }) {
  const action = useControlAction(sandbox);
  const { state, snoozes, snoozesLeft, snoozedAt, nextPromptAt, openPrompts } = user.nudgeStatus;
  return (
    <>
      <dl className="facts">
        <dt>State</dt>
        <dd className="state" data-state={state}>
          {stateLabels[state]}
        </dd>
        <dt>Snoozes</dt>
        <dd>{snoozesLeft === null ? `${snoozes}, unlimited` : `${snoozes}, ${snoozesLeft} left`}</dd>
        <dt>Snoozed at</dt>
        <dd>{formatInstant(snoozedAt)}</dd>
        <dt>Next prompt from</dt>
        <dd>{formatInstant(nextPromptAt)}</dd>
        <dt>Open prompts</dt>
        <dd>{openPrompts.length}</dd>
      </dl>
      <div className="buttons">
        <button
          type="button"
          disabled={action.isPending || snoozes === 0}
          onClick={() =>
            action.mutate(() => api.putSnooze({ sandbox, user: user.id, body: { count: 0, snoozedAtMs: null } }))
          }
        >
          Reset snooze count
        </button>
      </div>
      <Failure of={action.error} />
    </>
  );
}
