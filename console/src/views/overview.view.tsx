import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Campaign, Population } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useEventFeed } from '../control/live.tsx';
import { useControlQuery } from '../control/questions.ts';
import { useSnoozeEnd } from '../control/snooze-end.ts';
import { Card, Empty } from '../parts/card.tsx';
import { ClockControls } from '../parts/clock-controls.tsx';
import { EntryList } from '../parts/entry-list.tsx';
import { FirstStepsCard } from '../parts/first-steps-card.tsx';
import { formatCount, methodLabels, stateLabels } from '../parts/labels.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { RulesetFacts } from '../parts/ruleset-card.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Number of recent entries on the overview. */
const entriesShown = 12;

/** Renders a summary of a sandbox: its clock, campaign, nudge states, warnings and recent entries. */
export function OverviewView({ sandbox }: { readonly sandbox: string }) {
  const info = useControlQuery('getSandbox', { sandbox });
  const campaign = useControlQuery('getCampaign', { sandbox });
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
  const population = useControlQuery('getUserSummary', { sandbox });
  useSnoozeEnd(sandbox, population.data?.nextPromptAt ?? null);
  const { entries, connected } = useLatest(sandbox, info.data?.entries ?? null);
  // An error of the sandbox affects every part of the view, so it is shown only once.
  if (info.data === undefined && info.isError) {
    return (
      <QueryResult to={info} title="Overview">
        {() => null}
      </QueryResult>
    );
  }
  return (
    <>
      <ViewTitle title="Overview" />
      {info.data !== undefined && <FirstStepsCard sandbox={sandbox} entries={info.data.entries} />}
      <div className="grid">
        <Card title="Clock">
          <QueryResult to={info}>
            {({ clock }) => (
              <ClockControls sandbox={sandbox} clock={clock} nextPromptAt={population.data?.nextPromptAt ?? null} />
            )}
          </QueryResult>
        </Card>
        <Card title="Campaign" aside={<Link href={`/s/${sandbox}/campaign`}>Settings</Link>}>
          {inForce.data?.base === 'own' ? (
            <RulesetFacts ruleset={inForce.data} />
          ) : (
            <QueryResult to={campaign}>{(data) => <CampaignSummary summary={data} />}</QueryResult>
          )}
        </Card>
        <Card title="Users" aside={<Link href={`/s/${sandbox}/users`}>All users</Link>}>
          <QueryResult to={population}>{(data) => <States population={data} sandbox={sandbox} />}</QueryResult>
        </Card>
      </div>
      <Card
        title="Recent activity"
        aside={<span className={connected ? 'live on' : 'live'}>{connected ? 'Live' : 'Not connected'}</span>}
      >
        <QueryResult to={info}>
          {() =>
            entries.length === 0 ? (
              <Empty>
                No activity yet. <a href={`/s/${sandbox}/sign-in`}>Sign in as a test user</a>, or advance the clock.
              </Empty>
            ) : (
              <>
                <EntryList entries={entries.slice(0, entriesShown)} sandbox={sandbox} />
                <p className="hint">
                  Newest first; the <Link href={`/s/${sandbox}/journal`}>journal</Link> contains all entries.
                </p>
              </>
            )
          }
        </QueryResult>
      </Card>
    </>
  );
}

/**
 * Returns the latest entries, newest first: those in the journal when the view was opened, and those received
 * since.
 */
function useLatest(sandbox: string, known: number | null): ReturnType<typeof useEventFeed> {
  const { entries, connected } = useEventFeed();
  const [opened, setOpened] = useState(known);
  if (opened === null && known !== null) setOpened(known);
  const before = useQuery({
    queryKey: ['before', sandbox, opened],
    queryFn: () => {
      const after = Math.max(0, (opened ?? 0) - entriesShown);
      return api.listJournal({ sandbox, query: { limit: entriesShown, after } });
    },
    enabled: opened !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const oldest = entries.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  const older = (before.data?.entries ?? []).filter(({ seq }) => seq < oldest).toReversed();
  return { entries: [...entries, ...older], connected };
}

const effectiveLabels = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  providerManaged: 'Provider managed',
} as const;

function CampaignSummary({ summary: { campaign, warnings, requiredAtNextSignIn } }: { readonly summary: Campaign }) {
  const { state, method, snoozeDays, limited } = campaign;
  return (
    <>
      <dl className="facts">
        <dt>State</dt>
        <dd>{effectiveLabels[state]}</dd>
        <dt>Method</dt>
        <dd>{method === null ? 'no method targeted' : methodLabels[method]}</dd>
        <dt>Snooze</dt>
        <dd>{snoozeDays === 0 ? 'prompted at every MFA' : formatCount(snoozeDays, 'day')}</dd>
        <dt>Limited</dt>
        <dd>{limited ? 'required after three snoozes' : 'no'}</dd>
        <dt>No snoozes left</dt>
        <dd>
          {formatCount(requiredAtNextSignIn.users, 'user')}
          {requiredAtNextSignIn.stillSnoozing > 0 && `, and ${requiredAtNextSignIn.stillSnoozing} still snoozing`}
        </dd>
      </dl>
      {warnings.length > 0 && (
        <ul className="warnings">
          {warnings.map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function States({
  population: { users, states },
  sandbox,
}: {
  readonly population: Population;
  readonly sandbox: string;
}) {
  if (users === 0) {
    return (
      <Empty>
        The sandbox has no users. <Link href={`/s/${sandbox}/add-user`}>Add a user</Link>.
      </Empty>
    );
  }
  return (
    <ul className="states">
      {Object.entries(stateLabels).map(([state, words]) => {
        const count = states[state as keyof typeof states];
        return (
          <li key={state} data-state={state}>
            <Link href={`/s/${sandbox}/users?state=${state}`}>{words}</Link>
            <span className="bar" aria-hidden="true">
              <span style={{ inlineSize: `${(100 * count) / users}%` }} />
            </span>
            <span className="number">{count.toLocaleString('en')}</span>
          </li>
        );
      })}
    </ul>
  );
}
