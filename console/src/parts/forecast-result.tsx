import { useMemo } from 'react';
import type { BandSeries, ForecastDay, PolicyVariant } from '../../../src/contract/forecast-report.ts';
import type { Forecast } from '../control/analyses.ts';
import { Card } from './card.tsx';
import { CsvButton, PlainTable, type TableData } from './data-table.tsx';
import { DayChart, type DaySeries, type SeriesLook } from './day-chart.tsx';
import { formatCode } from './labels.ts';
import { PolicyMap } from './policy-map.tsx';
import { ScrollBox } from './scroll-box.tsx';

/**
 * Renders the result of a forecast: a summary, daily values, and a comparison with other policies. All counts are those
 * of the first random seed, so they add up to the simulated users; ranges cover the other seeds.
 */
export function ForecastResult({
  report,
  onTake,
}: {
  readonly report: Forecast;
  readonly onTake: (policy: PolicyVariant) => void;
}) {
  return (
    <>
      {report.warnings.length > 0 && (
        <ul className="warnings">
          {report.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <div className="grid">
        <Card title="Summary">
          <Summary report={report} />
        </Card>
        <Card title="Never prompted, by reason">
          <NeverPrompted report={report} />
        </Card>
      </div>
      <Card title="Day by day">
        <Charts report={report} />
      </Card>
      {report.sweep !== null && (
        <Card title="Other policies">
          <PolicyMap sweep={report.sweep} onTake={onTake} />
        </Card>
      )}
      {report.sensitivity !== null && (
        <Card title="Sensitivity">
          <Sensitivity of={report.sensitivity} />
        </Card>
      )}
    </>
  );
}

function Summary({ report: { figures, spread, simulatedUsers, days, seeds } }: { readonly report: Forecast }) {
  const ranged = (name: 'registeredShare' | 'requiredShare' | 'promptedShare'): string => {
    const range = spread?.[name];
    return range === undefined
      ? percent(figures[name])
      : `${percent(figures[name])} (${percent(range.low)} to ${percent(range.high)})`;
  };
  const day = (number: number | null): string => (number === null ? 'no user registers' : `day ${number}`);
  return (
    <dl className="facts">
      <dt>Registered at a prompt</dt>
      <dd>
        <strong>{ranged('registeredShare')}</strong>
      </dd>
      <dt>Prompted at least once</dt>
      <dd>{ranged('promptedShare')}</dd>
      <dt>Registration required</dt>
      <dd>{ranged('requiredShare')}</dd>
      <dt>Prompts per user</dt>
      <dd>{figures.promptsPerUser.toFixed(2)}</dd>
      <dt>Prompts per registration</dt>
      <dd>{figures.promptsPerRegistration?.toFixed(1) ?? '–'}</dd>
      <dt>Half registered by</dt>
      <dd>{day(figures.registeredP50Day)}</dd>
      <dt>90% registered by</dt>
      <dd>{day(figures.registeredP90Day)}</dd>
      <dt>Simulated</dt>
      <dd>
        {simulatedUsers.toLocaleString('en')} users, {days} days,{' '}
        {seeds.length === 1
          ? `random seed ${seeds[0]}`
          : `random seed ${seeds[0]}; in parentheses P5–P95 over ${seeds.length} random seeds`}
      </dd>
    </dl>
  );
}

function NeverPrompted({ report: { daily, figures } }: { readonly report: Forecast }) {
  const reasons = Object.entries(daily.at(-1)?.neverPromptedByReason ?? {}).toSorted(([, a], [, b]) => b - a);
  if (reasons.length === 0) return <p className="empty">All users were prompted.</p>;
  const title = 'Users at the end, by their latest sign-in';
  const data = {
    head: ['Reason', 'Users', 'Share'],
    rows: reasons.map(([reason, users]) => [formatCode(reason), users, percent(users / figures.users)]),
  };
  return <SavedTable label="Table of reasons" title={title} data={data} file="forecast-never-prompted" />;
}

const aDay: readonly (readonly [BandSeries | 'required' | 'registered', string, SeriesLook])[] = [
  ['prompts', 'Prompted', 'first'],
  ['snoozed', 'Snoozed', 'second'],
  ['required', 'Required', 'third'],
  ['registered', 'Registered', 'fourth'],
];
const soFar: readonly (readonly [BandSeries, string, SeriesLook])[] = [
  ['registeredUsers', 'Registered', 'fourth'],
  ['requiredUsers', 'Required at least once', 'third'],
  ['neverPromptedByReason', 'Never prompted', 'first'],
];

function Charts({ report }: { readonly report: Forecast }) {
  const { dates, daily, total } = useMemo(() => {
    const createSeries = (lines: typeof aDay): readonly DaySeries[] =>
      lines.map(([name, words, look]) => {
        const band = name in (report.bands ?? {}) ? report.bands?.[name as BandSeries] : undefined;
        return { name: words, look, values: report.daily.map((day) => dayValue(day, name)), band };
      });
    return { dates: report.daily.map(({ date }) => date), daily: createSeries(aDay), total: createSeries(soFar) };
  }, [report]);
  const banded =
    report.bands === null
      ? ''
      : ` Lines show random seed ${report.seeds[0]}; bands show P5–P95 over ${report.seeds.length} random seeds.`;
  return (
    <>
      <DayChart
        title="Prompts and actions per day"
        says={`Prompts, snoozes, required prompts and registrations per day.${banded}`}
        dates={dates}
        series={daily}
        file="forecast-days"
      />
      <DayChart
        title="Users (cumulative)"
        says={`Users registered, required to register, and never prompted by the end of each day.${banded}`}
        dates={dates}
        series={total}
        file="forecast-users"
      />
    </>
  );
}

function dayValue(day: ForecastDay, name: (typeof aDay)[number][0]): number {
  if (name !== 'neverPromptedByReason') return day[name];
  return Object.values(day.neverPromptedByReason).reduce((sum, users) => sum + users, 0);
}

function Sensitivity({ of }: { readonly of: NonNullable<Forecast['sensitivity']> }) {
  const { factors, inputs } = of;
  const title = 'Effect of each input, largest first';
  const data = {
    head: [
      'Input',
      `Register, × ${factors.low}`,
      `Register, × ${factors.high}`,
      `Prompts per user, × ${factors.low}`,
      `Prompts per user, × ${factors.high}`,
    ],
    rows: inputs.map(({ name, low, high }) => [
      formatCode(name),
      percent(low.registeredShare),
      percent(high.registeredShare),
      low.promptsPerUser.toFixed(2),
      high.promptsPerUser.toFixed(2),
    ]),
  };
  return <SavedTable label="Table of inputs" title={title} data={data} file="forecast-sensitivity" />;
}

/** Renders a standalone table with a CSV download. */
function SavedTable({
  label,
  ...of
}: {
  readonly label: string;
  readonly title: string;
  readonly data: TableData;
  readonly file: string;
}) {
  return (
    <>
      <ScrollBox label={label}>
        <PlainTable title={of.title} data={of.data} />
      </ScrollBox>
      <CsvButton {...of} />
    </>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
