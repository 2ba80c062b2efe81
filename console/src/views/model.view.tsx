import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Machine, type MachineStates, useLastCharts, useMachines } from '../control/models.ts';
import { question, useControlQuery } from '../control/questions.ts';
import { useSnoozeEnd } from '../control/snooze-end.ts';
import { ChartTables } from '../model/chart-tables.tsx';
import { ChosenPart } from '../model/chosen-part.tsx';
import type { Chosen } from '../model/statechart.tsx';
import { Card } from '../parts/card.tsx';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { UserField } from '../parts/user-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** The chart library is loaded when the first chart is shown. */
const Statechart = lazy(() => import('../model/statechart.tsx').then((module) => ({ default: module.Statechart })));

/** Renders the state machines of the model as charts, with the current state of a selected user. */
export function ModelView({ sandbox, machineId }: { readonly sandbox: string; readonly machineId: string | null }) {
  const machines = useMachines();
  return (
    <>
      <ViewTitle title="Model" />
      <QueryResult to={machines}>
        {({ machines: all }) => {
          const machine = all.find(({ id }) => id === (machineId ?? all[0]?.id));
          return (
            <>
              <MachineLinks sandbox={sandbox} machines={all} chosen={machine?.id ?? ''} />
              {machine === undefined ? (
                <p className="empty">Unknown state machine: {machineId}.</p>
              ) : (
                <MachinePanel key={machine.id} sandbox={sandbox} machine={machine} />
              )}
            </>
          );
        }}
      </QueryResult>
    </>
  );
}

function MachineLinks({
  sandbox,
  machines,
  chosen,
}: {
  readonly sandbox: string;
  readonly machines: readonly Machine[];
  readonly chosen: string;
}) {
  const [address] = useSearchParams();
  const user = address.get('user');
  const query = user === null ? '' : `?user=${encodeURIComponent(user)}`;
  return (
    <nav className="tabs" aria-label="Machines">
      {machines.map(({ id, title }) => (
        <Link key={id} href={`/s/${sandbox}/model/${id}${query}`} aria-current={id === chosen ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

function MachinePanel({ sandbox, machine }: { readonly sandbox: string; readonly machine: Machine }) {
  const [address, setAddress] = useSearchParams();
  const user = address.get('user') ?? '';
  const standing = useControlQuery('getStates', { sandbox, query: { user: user === '' ? undefined : user } });
  useEndOfSnooze(sandbox, machine.id === 'nudge' ? (standing.data?.user ?? null) : null);
  const [covered, setCovered] = useState(true);
  const charts = useLastCharts();
  const chart = charts.data?.machines.find(({ id }) => id === machine.id) ?? null;
  const taken = covered ? chart : null;
  const here = standing.data?.states.find(({ machine: id }) => id === machine.id) ?? null;
  const trail = useTrail(here?.state ?? null, `${user} ${here?.about}`);
  const chosen = chosenIn(address.get('at'));
  const keep = (name: string, value: string): void =>
    setAddress(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const choose = ({ kind, id }: Chosen): void => keep('at', `${kind} ${id}`);
  return (
    <>
      <Card title={machine.title}>
        <p>{machine.summary}</p>
        <div className="filters">
          <UserField sandbox={sandbox} value={user} onChange={(value) => keep('user', value)} />
          {chart !== null && (
            <label className="switch">
              <input type="checkbox" checked={covered} onChange={({ target }) => setCovered(target.checked)} />
              Color transitions of run {charts.data?.run}
            </label>
          )}
        </div>
        <Failure of={standing.error} />
        <Standing here={here} trail={trail} />
        {chart === null && (
          <p className="hint">
            Nothing is colored, because no test run has finished.{' '}
            <Link href={`/s/${sandbox}/scenarios`}>Run scenarios</Link>.
          </p>
        )}
        {taken !== null && taken.measured !== 'transitions' && (
          <p className="hint">
            {taken.measured === 'states'
              ? 'Test runs record which states users visited, but not the transitions.'
              : 'The last run has no data for this machine.'}
          </p>
        )}
        {machine.transitions.length > namedMax && (
          <p className="hint">
            Only the transitions of the selected or current state are labeled, because this machine has many.
          </p>
        )}
        <Suspense
          fallback={
            <p className="waiting" role="status">
              Loading chart…
            </p>
          }
        >
          <Statechart
            machine={machine}
            here={here?.state ?? null}
            before={trail.at(-2) ?? null}
            taken={taken}
            chosen={chosen}
            onChoose={choose}
          />
        </Suspense>
      </Card>
      {chosen !== null && <ChosenPart sandbox={sandbox} machine={machine} chosen={chosen} taken={taken} />}
      <ChartTables machine={machine} here={here?.state ?? null} taken={taken} chosen={chosen} onChoose={choose} />
    </>
  );
}

/** Renders the current state of a machine and its previous states. */
function Standing({
  here,
  trail,
}: {
  readonly here: MachineStates['states'][number] | null;
  readonly trail: readonly string[];
}) {
  return (
    <p role="status">
      {here === null || here.state === null ? (
        <>No current state: {here?.about ?? 'no data yet'}.</>
      ) : (
        <>
          Now in <strong>{here.state}</strong>: {here.about}.
        </>
      )}{' '}
      {trail.length > 1 && <>Since this page was opened: {trail.join(' → ')}.</>}
    </p>
  );
}

/**
 * Refetches the queries when the snooze of a user ends. The user is `null` for a machine that is not about a user.
 */
function useEndOfSnooze(sandbox: string, user: string | null): void {
  const answer = useQuery({
    ...question('getUser', { sandbox, user: user ?? '' }),
    enabled: user !== null,
  });
  useSnoozeEnd(sandbox, answer.data?.nudgeStatus.nextPromptAt ?? null);
}

/** Parses the selection in the URL, such as `state snoozed` or `transition 12`. */
function chosenIn(at: string | null): Chosen | null {
  const [, kind, id] = /^(state|transition) (.+)$/.exec(at ?? '') ?? [];
  return kind === undefined || id === undefined ? null : { kind: kind as Chosen['kind'], id };
}

/** Number of transitions above which not all arrows show a label. */
const namedMax = 60;

/** Maximum number of states in a trail. */
const trailMax = 8;

/**
 * Returns the states observed since the view was opened, current state last. The trail restarts when `about`
 * changes.
 */
function useTrail(state: string | null, about: string): readonly string[] {
  const [trail, setTrail] = useState<{ readonly about: string; readonly states: readonly string[] }>({
    about,
    states: [],
  });
  useEffect(() => {
    setTrail((before) => {
      const states = before.about === about ? before.states : [];
      if (state === null || states.at(-1) === state) return { about, states };
      return { about, states: [...states, state].slice(-trailMax) };
    });
  }, [state, about]);
  return trail.states;
}
