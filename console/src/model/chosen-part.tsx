import { Link } from 'wouter';
import type { ChartTaken, Machine } from '../control/models.ts';
import { useControlQuery } from '../control/questions.ts';
import { useSuite } from '../control/suite.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount } from '../parts/labels.ts';
import type { Chosen } from './statechart.tsx';

/** Maximum number of scenarios listed in each group. */
const scenariosShown = 12;

/**
 * Renders the details of a state or transition: its effect, its rules, its sources, and the scenarios that cover
 * it.
 */
export function ChosenPart({
  sandbox,
  machine,
  chosen,
  taken,
}: {
  readonly sandbox: string;
  readonly machine: Machine;
  readonly chosen: Chosen;
  readonly taken: ChartTaken | null;
}) {
  const state = chosen.kind === 'state' ? machine.states.find(({ id }) => id === chosen.id) : undefined;
  const move = chosen.kind === 'transition' ? machine.transitions.find(({ id }) => id === chosen.id) : undefined;
  const part = state ?? move;
  if (part === undefined) return null;
  const counts = chosen.kind === 'state' ? taken?.states : taken?.transitions;
  const took = counts?.find(({ id }) => id === chosen.id);
  const title = move === undefined ? `State ${chosen.id}` : `${move.from} → ${move.to}`;
  return (
    <Card title={title}>
      <dl className="facts">
        {state !== undefined && (
          <>
            <dt>Page</dt>
            <dd>{state.page ?? 'none'}</dd>
          </>
        )}
        {move !== undefined && (
          <>
            <dt>Event</dt>
            <dd>
              <code>{move.event}</code>
            </dd>
            <dt>Guard</dt>
            <dd>{move.guard === null ? 'none: taken if no earlier guard applies' : <code>{move.guard}</code>}</dd>
            <dt>Actions</dt>
            <dd>{move.actions.length === 0 ? 'nothing' : <code>{move.actions.join(', ')}</code>}</dd>
          </>
        )}
        <dt>Defined in</dt>
        <dd>
          <code>{machine.source}</code>
        </dd>
      </dl>
      <h3>Rules</h3>
      <RuleList sandbox={sandbox} ids={part.rules} />
      <h3>Scenarios</h3>
      {took !== undefined && (
        <>
          <p className="hint">
            {took.times === 0
              ? 'No scenario in the last run took this transition.'
              : `Taken ${formatCount(took.times, 'time')} by ${formatCount(took.scenarioCount, 'scenario')} in the last run.`}
          </p>
          <ScenarioLinks sandbox={sandbox} ids={took.scenarios} of={took.scenarioCount} />
        </>
      )}
      <NamedBy sandbox={sandbox} rules={part.rules} />
    </Card>
  );
}

function RuleList({ sandbox, ids }: { readonly sandbox: string; readonly ids: readonly string[] }) {
  const { data: rules } = useControlQuery('listRules', { sandbox });
  const { data: assumptions } = useControlQuery('listAssumptions', { sandbox });
  if (ids.length === 0) return <Empty>No rule refers to this part; it only connects other parts.</Empty>;
  return (
    <ul className="rules">
      {ids.map((id) => {
        const rule = rules?.rules.find((one) => one.id === id);
        const assumption = assumptions?.assumptions.find((one) => one.id === id);
        return (
          <li key={id}>
            <strong>{id}</strong> {rule?.summary ?? assumption?.question ?? ''}
            <small>
              {rule !== undefined && ` Source: ${rule.source.join(', ')}. Observed as ${rule.observable}.`}
              {assumption !== undefined && (
                <>
                  {' '}
                  {assumption.answer} <Link href={`/s/${sandbox}/assumptions`}>Assumptions</Link>
                </>
              )}
            </small>
          </li>
        );
      })}
    </ul>
  );
}

function ScenarioLinks({
  sandbox,
  ids,
  of,
}: {
  readonly sandbox: string;
  readonly ids: readonly string[];
  readonly of: number;
}) {
  const { data: suite } = useSuite();
  const shown = ids.slice(0, scenariosShown);
  return (
    <ul className="scenario-links">
      {shown.map((id) => {
        const file = suite?.files.find((one) => id === one.shown || id.startsWith(`${one.shown}#`));
        return (
          <li key={id}>
            {file === undefined ? (
              <code>{id}</code>
            ) : (
              <Link href={`/s/${sandbox}/scenarios/file?path=${encodeURIComponent(file.path)}`}>{id}</Link>
            )}
          </li>
        );
      })}
      {of > shown.length && <li className="hint">and {of - shown.length} more</li>}
    </ul>
  );
}

/** Renders the scenario files that declare coverage of one of the rules. */
function NamedBy({ sandbox, rules }: { readonly sandbox: string; readonly rules: readonly string[] }) {
  const { data: suite } = useSuite();
  const files = suite?.files.filter(({ covers }) => covers.some((id) => rules.includes(id))) ?? [];
  if (files.length === 0) return null;
  return (
    <details>
      <summary>{formatCount(files.length, 'scenario file')} that cover one of these rules</summary>
      <ScenarioLinks sandbox={sandbox} ids={files.map(({ shown }) => shown)} of={files.length} />
    </details>
  );
}
