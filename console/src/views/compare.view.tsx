import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ServerInfo, Tenant } from '../control/answers.ts';
import { comparisonOrder, otherPolicy } from '../control/comparison-order.ts';
import { ask } from '../control/control-client.ts';
import { useAnswer } from '../control/questions.ts';
import { isOpen, useStartStudy, useStudy } from '../control/studies.ts';
import { Answered } from '../parts/answered.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { ComparisonResultCards } from '../parts/comparison-result.tsx';
import { OtherPolicyKnobs } from '../parts/other-policy-knobs.tsx';
import { StudyProgress } from '../parts/study-progress.tsx';
import { UserTimeLine } from '../parts/user-time-line.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** What another policy would have changed in the history of the sandbox, for whom and why. */
export function CompareView({ sandbox }: { readonly sandbox: string }) {
  const tenant = useAnswer<Tenant>(sandbox, '/tenant');
  return (
    <>
      <ViewTitle title="Compare" />
      <Answered to={tenant}>{(told) => <Comparing sandbox={sandbox} tenant={told} />}</Answered>
    </>
  );
}

function Comparing({ sandbox, tenant }: { readonly sandbox: string; readonly tenant: Tenant }) {
  const [address, setAddress] = useSearchParams();
  const server = useQuery({ queryKey: ['server'], queryFn: () => ask<ServerInfo>('GET /server') });
  const [fault, setFault] = useState<string | null>(null);
  const other = otherPolicy(address);
  const keep = (change: Readonly<Record<string, string | null>>): void =>
    setAddress(
      (before) => {
        for (const [name, value] of Object.entries(change)) {
          if (value === null || value === '') before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true },
    );
  const user = address.get('user');
  const start = useStartStudy(sandbox, (study) => keep({ study }));
  const follow = useStartStudy(sandbox, (userStudy) => keep({ userStudy }));
  const id = address.get('study');
  const followed = useStudy(sandbox, id);
  const ofUser = useStudy(sandbox, address.get('userStudy'));
  const result = followed.result?.kind === 'comparison' ? followed.result : null;
  const busy = start.isPending || (id !== null && followed.error === null && isOpen(followed.study));
  const begin = (one: string | null): void => {
    try {
      const order = comparisonOrder(other, tenant, one);
      setFault(order === null ? 'Nothing is other than it was: turn a knob first.' : null);
      if (order !== null) (one === null ? start : follow).mutate(order);
    } catch (cause) {
      setFault(`This is no JSON of a policy: ${cause instanceof Error ? cause.message : String(cause)}.`);
    }
  };
  return (
    <>
      <Card title="The other policy">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keep({ user: null, userStudy: null });
            begin(null);
          }}
        >
          <OtherPolicyKnobs other={other} rulesets={server.data?.rulesets ?? []} onMove={keep} />
          {fault !== null && (
            <p className="failure" role="alert">
              {fault}
            </p>
          )}
          <div className="buttons">
            <button type="submit" className="primary" disabled={busy}>
              Compare
            </button>
          </div>
          <StudyProgress sandbox={sandbox} followed={followed} start={start} />
        </form>
      </Card>
      {user !== null && (
        <Card
          title={`${user}, sign-in by sign-in`}
          aside={
            <button type="button" onClick={() => keep({ user: null, userStudy: null })}>
              Close
            </button>
          }
        >
          <StudyProgress sandbox={sandbox} followed={ofUser} start={follow} />
          {ofUser.result?.kind === 'comparison' && (
            <UserTimeLine sandbox={sandbox} user={user} attempts={ofUser.result.timeLine ?? []} />
          )}
        </Card>
      )}
      {result === null ? (
        !busy && (
          <Empty>
            Every sign-in of this sandbox is judged anew under the other policy. Answers that were given apply where the
            same prompt appears; for new prompts one is assumed.
          </Empty>
        )
      ) : (
        <ComparisonResultCards
          result={result}
          onUser={(one) => {
            keep({ user: one, userStudy: null });
            begin(one);
          }}
        />
      )}
    </>
  );
}
