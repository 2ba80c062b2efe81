import { useState } from 'react';
import type { PolicyVariant } from '../../../src/contract/forecast-report.ts';
import { DataTable } from './data-table.tsx';
import { methodLabels } from './labels.ts';
import { ScrollBox } from './scroll-box.tsx';
import { SelectField } from './select-field.tsx';

/** Measures that can color a sweep. */
const measures = {
  registeredShare: { words: 'Users who register', percent: true },
  promptsPerUser: { words: 'Prompts per user', percent: false },
  requiredShare: { words: 'Users required to register', percent: true },
} as const;
type Measure = keyof typeof measures;

/** Color intensity of the highest value in percent. The limit keeps the text readable. */
const heatMax = 45;

/**
 * Renders a sweep as a heat map with days as rows and method and limit as columns. Selecting a cell applies its
 * policy.
 */
export function PolicyMap({
  sweep,
  onTake,
}: {
  readonly sweep: readonly PolicyVariant[];
  readonly onTake: (policy: PolicyVariant) => void;
}) {
  const [measure, setMeasure] = useState<Measure>('registeredShare');
  const days = [...new Set(sweep.map(({ snoozeDays }) => snoozeDays))].toSorted((a, b) => a - b);
  const columns = [...new Map(sweep.map((one) => [getColumn(one), one])).values()];
  const values = sweep.map(({ figures }) => figures[measure]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (
    <figure className="chart">
      <figcaption>
        <h3>Policy trade-offs</h3>
        <p className="hint">
          All policies use the same users and random draws. ★ marks Pareto-optimal policies: no other policy has both
          more registrations and fewer prompts. Select a cell to apply its policy above.
        </p>
      </figcaption>
      <div className="filters">
        <SelectField
          label="Color by"
          value={measure}
          options={Object.entries(measures).map(([name, { words }]) => [name, words] as const)}
          onChange={(name) => setMeasure(name as Measure)}
        />
      </div>
      <ScrollBox label="Policy map">
        <table className="heat">
          <caption className="aside">{measures[measure].words}</caption>
          <thead>
            <tr>
              <th scope="col">Snooze days</th>
              {columns.map((one) => (
                <th scope="col" key={getColumn(one)}>
                  {columnLabels(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day}>
                <th scope="row">{day === 0 ? '0: every sign-in' : day}</th>
                {columns.map((column) => {
                  const one = sweep.find((it) => it.snoozeDays === day && getColumn(it) === getColumn(column));
                  if (one === undefined) return <td key={getColumn(column)} />;
                  const value = one.figures[measure];
                  const heat = high === low ? 0 : ((value - low) / (high - low)) * heatMax;
                  return (
                    <td key={getColumn(column)} style={{ ['--heat' as string]: `${heat.toFixed(1)}%` }}>
                      <button type="button" onClick={() => onTake(one)}>
                        <span className="unseen">{`Apply ${columnLabels(one)}, ${one.snoozeDays} days: `}</span>
                        <strong>
                          {valueLabels(value, measure)}
                          {one.paretoOptimal && ' ★'}
                        </strong>
                        <small>{one.figures.promptsPerUser.toFixed(2)} prompts per user</small>
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <DataTable
        title="Policy trade-offs"
        file="policies"
        data={{
          head: [
            'Method',
            'Snooze limit',
            'Snooze days',
            'Registered share',
            'Prompts per user',
            'Required share',
            'Pareto-optimal',
          ],
          rows: sweep.map(({ method, limited, snoozeDays, figures, paretoOptimal }) => [
            methodLabels[method],
            limited ? '3' : 'unlimited',
            snoozeDays,
            rounded(figures.registeredShare),
            rounded(figures.promptsPerUser),
            rounded(figures.requiredShare),
            paretoOptimal ? 'yes' : 'no',
          ]),
        }}
      />
    </figure>
  );
}

function getColumn({ method, limited }: PolicyVariant): string {
  return `${method} ${limited}`;
}

function columnLabels({ method, limited }: PolicyVariant): string {
  return `${methodLabels[method]}, ${limited ? 'snooze limit 3' : 'unlimited snoozes'}`;
}

function valueLabels(value: number, measure: Measure): string {
  return measures[measure].percent ? `${(value * 100).toFixed(1)} %` : value.toFixed(2);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
