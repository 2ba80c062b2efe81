import type { Assumptions } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction, useControlQuery } from '../control/questions.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

type Assumption = Assumptions['assumptions'][number];

/**
 * Renders the open questions of the specification, the assumption that settles each one, and the switches to change
 * it.
 */
export function AssumptionsView({ sandbox }: { readonly sandbox: string }) {
  const assumptions = useControlQuery('listAssumptions', { sandbox });
  const action = useControlAction(sandbox);
  return (
    <>
      <ViewTitle title="Assumptions" />
      <Failure of={action.error} />
      <QueryResult to={assumptions}>
        {({ assumptions }) => (
          <ul className="assumptions">
            {assumptions.map((one) => (
              <li key={one.id} className="card">
                <h2>
                  {one.id} <span>{one.question}</span>
                </h2>
                <p>{one.answer}</p>
                <p className="hint">{one.observable}</p>
                <Switch
                  of={one}
                  disabled={action.isPending}
                  onSet={(value) => action.mutate(() => api.putAssumptions({ sandbox, body: { [one.id]: value } }))}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </>
  );
}

function Switch({
  of: { id, switch: its },
  disabled,
  onSet,
}: {
  readonly of: Assumption;
  readonly disabled: boolean;
  readonly onSet: (value: boolean | number) => void;
}) {
  if (its === null) return null;
  const { name, value, allowed } = its;
  if (!('minimum' in allowed)) {
    return (
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={value === true}
          checked={value === true}
          disabled={allowed.length < 2}
          onChange={({ target }) => onSet(target.checked)}
        />
        <code>{name}</code>
      </label>
    );
  }
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(Number(new FormData(event.currentTarget).get(id)));
      }}
    >
      <label className="field">
        <code>{name}</code>
        <input
          key={String(value)}
          name={id}
          type="number"
          step="any"
          min={allowed.minimum}
          max={allowed.maximum}
          defaultValue={typeof value === 'number' ? value : undefined}
          placeholder="not set"
        />
      </label>
      <button type="submit" disabled={disabled}>
        Set
      </button>
    </form>
  );
}
