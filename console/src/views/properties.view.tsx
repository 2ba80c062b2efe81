import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import {
  type AnalysisRequest,
  isOpen,
  type PropertiesResult,
  type PropertyResult,
  useAnalysis,
  useStartAnalysis,
} from '../control/analyses.ts';
import { AnalysisProgress } from '../parts/analysis-progress.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { CounterexampleCard } from '../parts/counterexample.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

type PropertiesRequest = Extract<AnalysisRequest, { kind: 'properties' }>;
type CheckedMachine = NonNullable<PropertiesRequest['machine']>;

const machines = [
  ['lifecycle', 'Lifecycle of a user, with policy changes'],
  ['tenant', 'Campaign, user and lifecycle combined'],
  ['sign-in', 'Sign-in'],
  ['nudge', 'Nudge lifecycle'],
  ['campaign', 'Campaign'],
  ['passkey-eligibility', 'Passkey eligibility'],
  ['document', 'Document'],
] as const satisfies readonly (readonly [CheckedMachine, string])[];

const verdictLabels = { proven: 'Proven', violated: 'Violated', vacuous: 'Vacuous' } as const;

const verdictClasses = { proven: 'passed', violated: 'failed', vacuous: undefined } as const;

/** Renders temporal properties with their verdicts, and their counterexamples on the statechart. */
export function PropertiesView({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const [machine, setMachine] = useState<CheckedMachine>('lifecycle');
  const [text, setText] = useState('');
  const keep = (name: string, value: string | null): void =>
    setAddress(
      (before) => {
        if (value === null) before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const start = useStartAnalysis(sandbox, (analysis) => keep('analysis', analysis));
  const id = address.get('analysis');
  const followed = useAnalysis(sandbox, id);
  const result = followed.result?.kind === 'properties' ? followed.result : null;
  const busy = start.isPending || (id !== null && followed.error === null && isOpen(followed.analysis));
  const chosen = result?.properties.find((one) => one.id === address.get('property')) ?? null;
  return (
    <>
      <ViewTitle title="Properties">
        <Link href={`/s/${sandbox}/model`}>Model</Link>
      </ViewTitle>
      <Card title="Check properties">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keep('property', null);
            start.mutate({ kind: 'properties', machine, ...(text.trim() === '' ? {} : { text }) });
          }}
        >
          <SelectField
            label="Machine"
            value={machine}
            options={machines}
            onChange={(value) => setMachine(value as CheckedMachine)}
          />
          <PropertiesField text={text} onChange={setText} />
          <div className="buttons">
            <button type="submit" className="primary" disabled={busy}>
              Check properties
            </button>
          </div>
          <AnalysisProgress sandbox={sandbox} followed={followed} start={start} />
        </form>
      </Card>
      {result !== null && (
        <PropertyTable result={result} chosen={chosen} onChoose={(property) => keep('property', property)} />
      )}
      {chosen?.counterexample != null && (
        <CounterexampleCard
          key={chosen.id}
          title={chosen.title}
          machine={result?.machine ?? machine}
          counterexample={chosen.counterexample}
        />
      )}
      {result !== null && <Violations sandbox={sandbox} result={result} />}
      {result === null && !busy && (
        <Empty>
          A property states what always, never or eventually happens. The server checks it on every path of the machine,
          and on the recorded sign-ins of this sandbox. Results are lost when the server stops.
        </Empty>
      )}
    </>
  );
}

function PropertiesField({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  return (
    <div className="field">
      <label htmlFor="properties-text">Properties file (YAML)</label>
      <textarea
        id="properties-text"
        rows={6}
        spellCheck={false}
        value={text}
        placeholder="Leave empty to check the properties of the specification."
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

function PropertyTable({
  result: { properties },
  chosen,
  onChoose,
}: {
  readonly result: PropertiesResult;
  readonly chosen: PropertyResult | null;
  readonly onChoose: (id: string) => void;
}) {
  const [first] = properties;
  const proven = properties.filter(({ verdict }) => verdict === 'proven').length;
  return (
    <Card title="Results">
      <p role="status">
        {proven} of {properties.length} properties are proven
        {first === undefined ? '' : ` on all ${first.states.toLocaleString('en')} states`}.
      </p>
      <ScrollBox label="Table of properties">
        <table>
          <thead>
            <tr>
              <th scope="col">Property</th>
              <th scope="col">Verdict</th>
              <th scope="col">Rules</th>
              <th scope="col" className="number">
                Visited
              </th>
            </tr>
          </thead>
          <tbody>
            {properties.map(({ id, title, verdict, covers, visited, counterexample }) => (
              <tr key={id} data-chosen={chosen?.id === id}>
                <th scope="row">
                  {title}
                  {counterexample !== null && (
                    <>
                      {' '}
                      <button type="button" className="link" onClick={() => onChoose(id)}>
                        Show counterexample
                      </button>
                    </>
                  )}
                </th>
                <td>
                  <span className={verdictClasses[verdict]}>{verdictLabels[verdict]}</span>
                </td>
                <td>{covers.length === 0 ? '–' : covers.join(', ')}</td>
                <td className="number">{visited.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Card>
  );
}

function Violations({
  sandbox,
  result: { violations },
}: {
  readonly sandbox: string;
  readonly result: PropertiesResult;
}) {
  if (violations === null) return null;
  return (
    <Card title="Recorded sign-ins">
      {violations.length === 0 ? (
        <p>No user of this sandbox has violated a property.</p>
      ) : (
        <ul>
          {violations.map(({ property, title, userId, at, event }) => (
            <li key={`${property} ${userId}`}>
              <Link href={`/s/${sandbox}/users/${encodeURIComponent(userId)}`}>{userId}</Link>, {at}
              {event === null ? '' : `, ${event}`}: {title}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
