import { useState } from 'react';
import { isOpen, type OwnForecastRequest, useAnalysis, useStartAnalysis } from '../control/analyses.ts';
import type { RulesetInForce } from '../control/answers.ts';
import { AnalysisProgress } from './analysis-progress.tsx';
import { Card, Empty } from './card.tsx';
import { CodeBlock } from './code-block.tsx';
import { ForecastResult } from './forecast-result.tsx';
import { formatCount, formatSetting } from './labels.ts';
import { SliderField } from './slider-field.tsx';

type Description = OwnForecastRequest['description'];

const daysDefault = 90;
const daysMax = 365;
const seedsDefault = 5;
const seedsMax = 20;

/** Renders the forecast of an own campaign: its settings, the users of the sandbox, and the days. */
export function OwnForecast({
  sandbox,
  ruleset,
  drafted,
  notes,
}: {
  readonly sandbox: string;
  readonly ruleset: RulesetInForce;
  readonly drafted: Description;
  readonly notes: readonly string[];
}) {
  const [days, setDays] = useState(drafted.days ?? daysDefault);
  const [seeds, setSeeds] = useState(seedsDefault);
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const [id, setId] = useState<string | null>(null);
  const start = useStartAnalysis(sandbox, setId);
  const followed = useAnalysis(sandbox, id);
  const description = {
    ...drafted,
    days,
    tenant: { ...drafted.tenant, settings: writeSettings(drafted, ruleset, changed) },
  };
  const result = followed.result?.kind === 'forecast' ? followed.result.report : null;
  const busy = start.isPending || (id !== null && followed.error === null && isOpen(followed.analysis));
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate({ kind: 'ownForecast', description, seeds });
        }}
      >
        <div className="grid wide">
          <Card title="Settings and days">
            <p className="hint">
              {ruleset.title}: the rules of <code>{ruleset.ruleset}</code> are those in force on each day.
            </p>
            <div className="inputs">
              {ruleset.settings.map(({ name, type, value }) => (
                <SettingField
                  key={name}
                  name={name}
                  value={changed[name] ?? formatSetting(type, value)}
                  onChange={(text) => setChanged({ ...changed, [name]: text })}
                />
              ))}
              <SliderField
                label="Forecast days"
                value={days}
                min={7}
                max={daysMax}
                words={formatCount(days, 'day')}
                onChange={setDays}
              />
              <SliderField
                label="Random seeds for percentile bands"
                value={seeds}
                min={1}
                max={seedsMax}
                words={seeds === 1 ? 'no bands' : String(seeds)}
                onChange={setSeeds}
              />
            </div>
            <div className="buttons">
              <button type="submit" className="primary" disabled={busy}>
                Forecast
              </button>
            </div>
            <AnalysisProgress sandbox={sandbox} followed={followed} start={start} />
          </Card>
          <Card title="Simulated users">
            <ul className="plain">
              {notes.map((note) => (
                <li key={note} className="hint">
                  {note}
                </li>
              ))}
            </ul>
            <details>
              <summary>Description as JSON, for nudgelab forecast</summary>
              <CodeBlock text={JSON.stringify(description, null, 2)} />
            </details>
          </Card>
        </div>
      </form>
      {result === null ? (
        !busy && (
          <Empty>
            Choose Forecast: all users are simulated day by day with the rules of the ruleset. Forecasts are lost when
            the server stops.
          </Empty>
        )
      ) : (
        <ForecastResult report={result as never} onTake={() => undefined} />
      )}
    </>
  );
}

function SettingField({
  name,
  value,
  onChange,
}: {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label className="field">
      <span>{name}</span>
      <input value={value} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

/** Writes the changed settings in the form of a ruleset file. The server reports a value that does not fit. */
function writeSettings(
  { tenant }: Description,
  { settings }: RulesetInForce,
  changed: Readonly<Record<string, string>>,
): NonNullable<NonNullable<Description['tenant']>['settings']> {
  const written = settings.flatMap(({ name, type }) => {
    const text = changed[name];
    return text === undefined ? [] : [[name, toWritten(type, text.trim())] as const];
  });
  return { ...tenant?.settings, ...Object.fromEntries(written) };
}

function toWritten(type: string, text: string): string | number | boolean | string[] {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'set') return text === 'none' || text === '' ? [] : text.split(',').map((one) => one.trim());
  return text;
}
