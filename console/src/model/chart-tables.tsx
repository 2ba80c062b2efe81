import type { ChartTaken, Machine } from '../control/models.ts';
import { Card } from '../parts/card.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import type { Chosen } from './statechart.tsx';

interface ChartTableProps {
  readonly machine: Machine;
  readonly here: string | null;
  readonly taken: ChartTaken | null;
  readonly chosen: Chosen | null;
  readonly onChoose: (chosen: Chosen) => void;
}

/** Renders the states and transitions of a machine as tables, the accessible equivalent of the chart. */
export function ChartTables(props: ChartTableProps) {
  return (
    <>
      <Card title="States">
        <StateTable {...props} />
      </Card>
      <Card title="Transitions">
        <TransitionTable {...props} />
      </Card>
    </>
  );
}

function StateTable({ machine, here, taken, chosen, onChoose }: ChartTableProps) {
  const isMeasured = taken !== null && taken.measured !== 'nothing';
  return (
    <ScrollBox label="Table of states">
      <table>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Now</th>
            <th scope="col">Page</th>
            <th scope="col">Rules</th>
            {isMeasured && (
              <th scope="col" className="number">
                Entered
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {machine.states.map(({ id, page, rules, isInitial, isFinal }) => (
            <tr key={id} data-chosen={chosen?.kind === 'state' && chosen.id === id}>
              <th scope="row">
                <button type="button" className="link" onClick={() => onChoose({ kind: 'state', id })}>
                  {id}
                </button>{' '}
                {(isInitial || isFinal) && <small>{isInitial ? 'begins here' : 'ends here'}</small>}
              </th>
              <td>{id === here && <strong>now</strong>}</td>
              <td>{page}</td>
              <td>{rules.join(', ')}</td>
              {isMeasured && <td className="number nowrap">{timesLabels(taken.states, id)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function TransitionTable({ machine, taken, chosen, onChoose }: ChartTableProps) {
  const isMeasured = taken?.measured === 'transitions';
  return (
    <ScrollBox label="Table of transitions" tall>
      <table>
        <thead>
          <tr>
            <th scope="col" className="number">
              No.
            </th>
            <th scope="col">Event</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Guard</th>
            <th scope="col">Rules</th>
            {isMeasured && (
              <th scope="col" className="number">
                Taken
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {machine.transitions.map(({ id, event, from, to, guard, rules }) => (
            <tr key={id} data-chosen={chosen?.kind === 'transition' && chosen.id === id}>
              <td className="number">{id}</td>
              <th scope="row">
                <button type="button" className="link" onClick={() => onChoose({ kind: 'transition', id })}>
                  {event}
                </button>
              </th>
              <td>{from}</td>
              <td>{from === to ? 'stays' : to}</td>
              <td>{guard !== null && <code>{guard}</code>}</td>
              <td>{rules.join(', ')}</td>
              {isMeasured && <td className="number nowrap">{timesLabels(taken.transitions, id)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function timesLabels(taken: ChartTaken['states'], wanted: string): string {
  const times = taken.find(({ id }) => id === wanted)?.times ?? 0;
  return times === 0 ? '✗ never' : `✓ ${times.toLocaleString('en')}`;
}
