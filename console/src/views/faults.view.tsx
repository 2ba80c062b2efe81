import { useState } from 'react';
import type { Faults } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction, useControlQuery } from '../control/questions.ts';
import { useRequestSchema } from '../control/request-schema.ts';
import { type FormSchema, type FormValue, getConstant, labelKey } from '../form/form-schema.ts';
import { findCompleteForm } from '../form/request-schema.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { formatCode, formatCount } from '../parts/labels.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

type Fault = Faults['faults'][number];

/** Renders the configured faults with their number of occurrences, and a form to add one. */
export function FaultsView({ sandbox }: { readonly sandbox: string }) {
  const faults = useControlQuery('getFaults', { sandbox });
  const schema = useRequestSchema('putFaults');
  return (
    <>
      <ViewTitle title="Faults" />
      <QueryResult to={faults}>
        {(known) => (
          <>
            <Card title="Active faults">
              <FaultList sandbox={sandbox} {...known} />
            </Card>
            <QueryResult to={schema}>
              {({ properties }) => (
                <Card title="Add fault">
                  <FaultForm
                    key={JSON.stringify(known.faults)}
                    sandbox={sandbox}
                    faults={known.faults}
                    kinds={findCompleteForm(properties?.['faults']?.items ?? {}).oneOf ?? []}
                  />
                </Card>
              )}
            </QueryResult>
          </>
        )}
      </QueryResult>
    </>
  );
}

function FaultList({ sandbox, faults, occurrences }: Faults & { readonly sandbox: string }) {
  const action = useControlAction(sandbox);
  if (faults.length === 0) {
    return <Empty>No faults. A fault defines what fails, for whom or where, and how often.</Empty>;
  }
  return (
    <>
      <ScrollBox label="List of faults">
        <table>
          <thead>
            <tr>
              <th scope="col">What fails</th>
              <th scope="col">Where</th>
              <th scope="col">How often</th>
              <th scope="col" className="number">
                Occurrences
              </th>
              <th scope="col">Action</th>
            </tr>
          </thead>
          <tbody>
            {faults.map((fault, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: faults have no id, and their order does not change.
              <tr key={index}>
                <th scope="row">{formatCode(fault.kind)}</th>
                <td>{describeScope(fault)}</td>
                <td>{describeFrequency(fault)}</td>
                <td className="number">{(occurrences[index] ?? 0).toLocaleString('en')}</td>
                <td>
                  <button
                    type="button"
                    disabled={action.isPending}
                    aria-label={`Remove fault ${index + 1}: ${formatCode(fault.kind)}`}
                    onClick={() =>
                      action.mutate(() => api.putFaults({ sandbox, body: { faults: faults.toSpliced(index, 1) } }))
                    }
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <Failure of={action.error} />
      <div className="buttons">
        <button
          type="button"
          disabled={action.isPending}
          onClick={() => action.mutate(() => api.clearFaults({ sandbox }))}
        >
          Clear all faults
        </button>
      </div>
      <p className="hint">Adding or removing a fault counts the occurrences of all faults from 0 again.</p>
    </>
  );
}

/** Keys that say how often a fault applies. All others say where and how. */
const frequencyKeys: readonly string[] = ['kind', 'times', 'after', 'probability'];

function describeScope(fault: Fault): string {
  const parts = Object.entries(fault).filter(([key]) => !frequencyKeys.includes(key));
  return parts.length === 0 ? 'Everywhere' : parts.map(([key, value]) => describeSetting(key, value)).join('; ');
}

function describeSetting(key: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${labelKey(key)}: ${String(value)}`;
  return Object.entries(value)
    .map(([part, inner]) => `${labelKey(key)}, ${labelKey(part).toLowerCase()}: ${String(inner)}`)
    .join('; ');
}

function describeFrequency(fault: Fault): string {
  const { times, after = 0 } = fault;
  const probability = 'probability' in fault ? fault.probability : 1;
  const limit = times === undefined ? 'Always' : formatCount(times, 'time');
  const begin = after === 0 ? '' : `, after ${formatCount(after, 'occurrence')}`;
  return `${limit}${begin}${probability === 1 ? '' : `, with probability ${probability}`}`;
}

function FaultForm({
  sandbox,
  faults,
  kinds,
}: {
  readonly sandbox: string;
  readonly faults: Faults['faults'];
  readonly kinds: readonly FormSchema[];
}) {
  const names = kinds.map((one) => getConstant(one, 'kind'));
  const [value, setValue] = useState<FormValue>({ kind: names[0] ?? '' });
  const action = useControlAction(sandbox);
  const { data } = useControlQuery('listUsers', { sandbox, query: { limit: suggestedUsers } });
  const schema = kinds[names.indexOf(String(value['kind']))] ?? {};
  return (
    <SchemaForm
      label="Add fault"
      schema={schema}
      value={value}
      error={action.error}
      prefix={`faults.${faults.length}`}
      suggestions={{ user: data?.users.map(({ id }) => id) ?? [] }}
      before={
        <div className="form-field">
          <SelectField
            label="What fails"
            value={String(value['kind'])}
            options={names.map((name) => [name, formatCode(name)] as const)}
            onChange={(kind) => {
              action.reset();
              setValue(keepCommon(kind, value, kinds[names.indexOf(kind)] ?? {}));
            }}
          />
          <p className="hint">{schema.description}</p>
        </div>
      }
      onChange={setValue}
      onSubmit={() => {
        // The server validates the fault.
        const added = [...faults, value as unknown as Fault];
        if (!action.isPending) action.mutate(() => api.putFaults({ sandbox, body: { faults: added } }));
      }}
    >
      <button type="submit" className="primary" disabled={action.isPending}>
        Add fault
      </button>
    </SchemaForm>
  );
}

/** Maximum number of users suggested for a fault. */
const suggestedUsers = 50;

/** Returns the settings that the new kind of fault has too. */
function keepCommon(kind: string, value: FormValue, { properties = {} }: FormSchema): FormValue {
  const kept = Object.entries(value).filter(([key]) => key !== 'kind' && key in properties);
  return { kind, ...Object.fromEntries(kept) };
}
