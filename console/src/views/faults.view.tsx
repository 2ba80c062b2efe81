import { useState } from 'react';
import type { Faults } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction, useControlQuery } from '../control/questions.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount } from '../parts/labels.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders the configured faults with their number of occurrences, and an editor to replace them. */
export function FaultsView({ sandbox }: { readonly sandbox: string }) {
  const planned = useControlQuery('getFaults', { sandbox });
  return (
    <>
      <ViewTitle title="Faults" />
      <QueryResult to={planned}>
        {(faults) => <FaultEditor key={JSON.stringify(faults.faults)} sandbox={sandbox} planned={faults} />}
      </QueryResult>
    </>
  );
}

function FaultEditor({
  sandbox,
  planned: { faults, occurrences },
}: {
  readonly sandbox: string;
  readonly planned: Faults;
}) {
  const action = useControlAction(sandbox);
  const [text, setText] = useState(JSON.stringify(faults, null, 2));
  const [broken, setBroken] = useState<string | null>(null);
  const set = (): void => {
    try {
      const wanted = JSON.parse(text) as Faults['faults'];
      setBroken(null);
      action.mutate(() => api.putFaults({ sandbox, body: { faults: wanted } }));
    } catch (error) {
      setBroken(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <Card title="Set now">
        {faults.length === 0 ? (
          <Empty>No faults. A fault defines what fails, for which users, and how often.</Empty>
        ) : (
          <ol className="faults">
            {faults.map((fault, index) => (
              <li key={JSON.stringify(fault)}>
                <code>{JSON.stringify(fault)}</code>{' '}
                <span className="hint">{formatCount(occurrences[index] ?? 0, 'occasion')}</span>
              </li>
            ))}
          </ol>
        )}
      </Card>
      <Card title="Others instead">
        <label className="field">
          Faults as a JSON list
          <textarea rows={10} spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} />
        </label>
        {broken !== null && (
          <p className="failure" role="alert">
            This is not valid JSON: {broken}
          </p>
        )}
        <Failure of={action.error} />
        <div className="buttons">
          <button type="button" className="primary" disabled={action.isPending} onClick={set}>
            Apply faults
          </button>
          <button
            type="button"
            disabled={action.isPending || faults.length === 0}
            onClick={() => action.mutate(() => api.clearFaults({ sandbox }))}
          >
            Clear all faults
          </button>
        </div>
      </Card>
    </>
  );
}
