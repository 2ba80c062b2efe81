import { lazy, Suspense, useId, useState } from 'react';
import {
  createChart,
  type LearnedResult,
  type LearnedTransition,
  type ResultFile,
  type RulesetFit,
  readResultFile,
} from '../control/result-file.ts';
import { Card, Empty } from '../parts/card.tsx';
import { CounterexampleCard } from '../parts/counterexample.tsx';
import { PlainTable } from '../parts/data-table.tsx';
import { formatCount } from '../parts/labels.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** The chart library is loaded when the first chart is shown. */
const Statechart = lazy(() => import('../model/statechart.tsx').then((module) => ({ default: module.Statechart })));

interface Opened {
  readonly name: string;
  readonly result: ResultFile | null;
  readonly failure: string | null;
}

/** Renders a result file of `nudgelab conform`, `learn` or `properties`. The file does not leave the browser. */
export function ResultsView() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const id = useId();
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      setOpened({ name: file.name, result: readResultFile(await file.text()), failure: null });
    } catch (cause) {
      setOpened({ name: file.name, result: null, failure: cause instanceof Error ? cause.message : String(cause) });
    }
  };
  return (
    <>
      <ViewTitle title="Results" />
      <Card title="Open a result file">
        <div className="field">
          <label htmlFor={id}>Output of conform, learn or properties with --json</label>
          <input
            id={id}
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => void open(target.files?.[0])}
          />
        </div>
        {opened?.failure != null && (
          <p className="failure" role="alert">
            {opened.name}: {opened.failure}
          </p>
        )}
      </Card>
      {opened === null && (
        <Empty>
          Save the output of a command, such as nudgelab conform log.jsonl --json &gt; result.json, and open it here.
          The file stays in this browser.
        </Empty>
      )}
      {opened?.result?.kind === 'conform' &&
        opened.result.rulesets.map((fit) => <Conformance key={fit.ruleset} fit={fit} />)}
      {opened?.result?.kind === 'learn' && <Learned result={opened.result.result} />}
      {opened?.result?.kind === 'properties' &&
        opened.result.machines.flatMap(({ machine, properties }) =>
          properties.map(({ id: property, title, verdict, counterexample }) =>
            counterexample === null ? (
              <Card key={property} title={title}>
                <p>{verdict === 'proven' ? 'Proven' : 'Vacuous'} on every path of the machine.</p>
              </Card>
            ) : (
              <CounterexampleCard key={property} title={title} machine={machine} counterexample={counterexample} />
            ),
          ),
        )}
    </>
  );
}

function Conformance({
  fit: { ruleset, users, fittingUsers, share, misfits, clusters, examples },
}: {
  readonly fit: RulesetFit;
}) {
  return (
    <Card title={`Ruleset ${ruleset}`}>
      <p role="status">
        {fittingUsers.toLocaleString('en')} of {users.toLocaleString('en')} users fit ({Math.floor(share * 1000) / 10}{' '}
        %); {formatCount(misfits, 'impossible event')}.
      </p>
      {clusters.length > 0 && (
        <ScrollBox label={`Patterns of impossible events, ruleset ${ruleset}`}>
          <PlainTable
            title="Patterns"
            data={{
              head: ['Pattern', 'Rule', 'Events', 'Users'],
              rows: clusters.map(({ pattern, rule, events, users: hit }) => [pattern, rule, events, hit]),
            }}
          />
        </ScrollBox>
      )}
      {examples.length > 0 && (
        <ScrollBox label={`First impossible events, ruleset ${ruleset}`}>
          <PlainTable
            title="First impossible events"
            data={{
              head: ['User', 'Line', 'Time', 'Rule', 'Explanation', 'State before', 'Allowed'],
              rows: examples.map(({ user, line, at, rule, sentence, possible, allowed }) => [
                user,
                line,
                at,
                rule,
                sentence,
                possible.join('; or '),
                allowed.join(', '),
              ]),
            }}
          />
        </ScrollBox>
      )}
    </Card>
  );
}

function Learned({
  result: { system, states, isIsomorphic, differences, machine, specification },
}: {
  readonly result: LearnedResult;
}) {
  const verdict =
    isIsomorphic === null
      ? ''
      : isIsomorphic
        ? ', isomorphic to the specification'
        : `, ${formatCount(differences.length, 'difference')} from the specification`;
  return (
    <>
      <Card title={`Learned from ${system}`}>
        <p role="status">
          {formatCount(states, 'state')}
          {verdict}.
        </p>
        {differences.length > 0 && (
          <ScrollBox label="Differences from the specification">
            <PlainTable
              title="Differences"
              data={{
                head: ['Steps', 'Specification', 'System'],
                rows: differences.map(({ inputs, expected, actual }) => [
                  inputs.join(' → '),
                  formatOutput(expected),
                  formatOutput(actual),
                ]),
              }}
            />
          </ScrollBox>
        )}
      </Card>
      <MachineChart title="Learned machine" transitions={machine} />
      {specification !== null && <MachineChart title="Specification" transitions={specification} />}
    </>
  );
}

/** Formats an output, which is JSON, as names and values. */
function formatOutput(output: string): string {
  const value: unknown = JSON.parse(output);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name} ${String(one)}`)
    .join(', ');
}

function MachineChart({
  title,
  transitions,
}: {
  readonly title: string;
  readonly transitions: readonly LearnedTransition[] | null;
}) {
  if (transitions === null) return <Empty>The machine has too many transitions for a chart.</Empty>;
  const [machine, taken] = createChart(title, transitions);
  return (
    <Card title={title}>
      <p className="hint">
        Transitions that differ are marked; those that stay in their state are left out unless they differ.
      </p>
      <Suspense
        fallback={
          <p className="waiting" role="status">
            Loading chart…
          </p>
        }
      >
        <Statechart
          machine={machine}
          here={null}
          before={null}
          taken={taken}
          chosen={null}
          onChoose={() => undefined}
        />
      </Suspense>
      <ScrollBox label={`Transitions, ${title}`}>
        <PlainTable
          title="Transitions"
          data={{
            head: ['From', 'Step', 'Shows', 'To', 'Differs'],
            rows: transitions.map(({ from, input, output, to, differs }) => [
              from,
              input,
              output,
              to,
              differs ? 'yes' : null,
            ]),
          }}
        />
      </ScrollBox>
    </Card>
  );
}
