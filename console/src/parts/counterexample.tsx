import { lazy, Suspense, useState } from 'react';
import type { PropertyResult } from '../control/analyses.ts';
import { type Machine, useMachines } from '../control/models.ts';
import { Card } from './card.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** The chart library is loaded when the first chart is shown. */
const Statechart = lazy(() => import('../model/statechart.tsx').then((module) => ({ default: module.Statechart })));

type Counterexample = NonNullable<PropertyResult['counterexample']>;

/** Machines of the chart that shows a path, by the machine of the property. */
const chartMachines: Readonly<Record<string, string>> = { lifecycle: 'nudge', tenant: 'nudge' };

/** Renders a counterexample step by step, with the state after each step on the statechart. */
export function CounterexampleCard({
  title,
  machine,
  counterexample,
}: {
  readonly title: string;
  readonly machine: string;
  readonly counterexample: Counterexample;
}) {
  const { steps, cycleFrom } = counterexample;
  const [at, setAt] = useState(steps.length);
  const charts = useMachines();
  const chart = charts.data?.machines.find(({ id }) => id === (chartMachines[machine] ?? machine)) ?? null;
  const move = (to: number): void => setAt(Math.min(Math.max(to, 0), steps.length));
  return (
    <Card title="Counterexample">
      <p>
        {title} — {steps.length === 1 ? '1 step' : `${steps.length} steps`}
        {cycleFrom === null ? '' : `; the steps after step ${cycleFrom} repeat forever`}.
      </p>
      <div className="buttons" role="group" aria-label="Step of the counterexample">
        <button type="button" disabled={at === 0} onClick={() => move(at - 1)}>
          Previous step
        </button>
        <button type="button" disabled={at === steps.length} onClick={() => move(at + 1)}>
          Next step
        </button>
        <span role="status">{at === 0 ? 'Start' : `After step ${at}: ${steps[at - 1]?.action}`}</span>
      </div>
      {chart !== null && <PathChart chart={chart} states={listStates(counterexample)} at={at} />}
      <StepTable counterexample={counterexample} at={at} onChoose={move} />
    </Card>
  );
}

/** Returns the state at the start and after each step; `null` where the property does not name it. */
function listStates({ start, steps }: Counterexample): readonly (string | null)[] {
  return [start, ...steps.map(({ facts }) => facts)].map(({ state }) => (typeof state === 'string' ? state : null));
}

function PathChart({
  chart,
  states,
  at,
}: {
  readonly chart: Machine;
  readonly states: readonly (string | null)[];
  readonly at: number;
}) {
  const here = states[at] ?? null;
  if (!chart.states.some(({ id }) => id === here)) return null;
  return (
    <Suspense
      fallback={
        <p className="waiting" role="status">
          Loading chart…
        </p>
      }
    >
      <Statechart
        machine={chart}
        here={here}
        before={states[at - 1] ?? null}
        taken={null}
        chosen={null}
        onChoose={() => undefined}
      />
    </Suspense>
  );
}

function StepTable({
  counterexample: { start, steps, cycleFrom },
  at,
  onChoose,
}: {
  readonly counterexample: Counterexample;
  readonly at: number;
  readonly onChoose: (step: number) => void;
}) {
  const names = Object.keys(start);
  const rows = [{ action: 'Start', events: [] as readonly string[], facts: start }, ...steps];
  return (
    <ScrollBox label="Steps of the counterexample">
      <table>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Events</th>
            {names.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ action, events, facts }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are never moved.
            <tr key={index} data-chosen={index === at}>
              <th scope="row">
                <button type="button" className="link" onClick={() => onChoose(index)}>
                  {index === 0 ? action : `${index}. ${action}`}
                </button>
                {cycleFrom !== null && index > cycleFrom && ' ↻'}
              </th>
              <td>{events.length === 0 ? '–' : events.join(', ')}</td>
              {names.map((name) => (
                <td key={name}>{String(facts[name] ?? '–')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
