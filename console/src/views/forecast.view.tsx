import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Forecast, isOpen, useAnalysis, useDescription, useStartAnalysis } from '../control/analyses.ts';
import {
  changedInputs,
  type Description,
  type ForecastInputs,
  forecastOrder,
  toForecastInputs,
} from '../control/forecast-order.ts';
import { useControlQuery } from '../control/questions.ts';
import { AnalysisProgress } from '../parts/analysis-progress.tsx';
import { Card, Empty } from '../parts/card.tsx';
import { DescriptionField } from '../parts/description-field.tsx';
import { ForecastInputsForm } from '../parts/forecast-inputs.tsx';
import { ForecastResult } from '../parts/forecast-result.tsx';
import { OwnForecast } from '../parts/own-forecast.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Renders a forecast of a campaign for the tenant of the sandbox or for an uploaded description. */
export function ForecastView({ sandbox }: { readonly sandbox: string }) {
  const own = useDescription(sandbox);
  const inForce = useControlQuery('getSandboxRuleset', { sandbox });
  const [given, setGiven] = useState<Description | null>(null);
  return (
    <>
      <ViewTitle title="Forecast">
        <Link href={`/s/${sandbox}/registrations`}>Registration report</Link>
      </ViewTitle>
      <QueryResult to={own}>
        {({ description, notes }) =>
          inForce.data?.base === 'own' ? (
            <OwnForecast sandbox={sandbox} ruleset={inForce.data} drafted={description as never} notes={notes} />
          ) : (
            <Forecasting sandbox={sandbox} own={description} notes={notes} given={given} onGive={setGiven} />
          )
        }
      </QueryResult>
    </>
  );
}

function Forecasting({
  sandbox,
  own,
  notes,
  given,
  onGive,
}: {
  readonly sandbox: string;
  readonly own: Description;
  readonly notes: readonly string[];
  readonly given: Description | null;
  readonly onGive: (description: Description | null) => void;
}) {
  const [address, setAddress] = useSearchParams();
  const description = given ?? own;
  const moved = changedInputs(address);
  const inputs = { ...toForecastInputs(description), ...moved };
  const keep = (change: Partial<Record<keyof ForecastInputs | 'analysis', string | number | boolean>>): void =>
    setAddress(
      (before) => {
        for (const [name, value] of Object.entries(change)) before.set(name, String(value));
        return before;
      },
      { replace: true },
    );
  const start = useStartAnalysis(sandbox, (analysis) => keep({ analysis }));
  const id = address.get('analysis');
  const followed = useAnalysis(sandbox, id);
  const result = followed.result?.kind === 'forecast' ? (followed.result.report as unknown as Forecast) : null;
  const busy = start.isPending || (id !== null && followed.error === null && isOpen(followed.analysis));
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(forecastOrder(description, moved));
        }}
      >
        <div className="grid wide">
          <Card title="Policy and users">
            <ForecastInputsForm inputs={inputs} behavior={given === null} onMove={keep} />
            <div className="buttons">
              <button type="submit" className="primary" disabled={busy}>
                Forecast
              </button>
              <button
                type="button"
                disabled={Object.keys(moved).length === 0}
                onClick={() => setAddress(id === null ? {} : { analysis: id }, { replace: true })}
              >
                Reset inputs
              </button>
            </div>
            <AnalysisProgress sandbox={sandbox} followed={followed} start={start} />
          </Card>
          <Card title="Simulated users">
            <DescriptionField
              own={own}
              users={inputs.users}
              notes={notes}
              given={given}
              onGive={onGive}
              order={() => forecastOrder(description, moved)}
            />
          </Card>
        </div>
      </form>
      {result === null ? (
        !busy && (
          <Empty>
            Set the policy and choose Forecast: all users are simulated day by day with the rules of the simulator.
            Forecasts are lost when the server stops.
          </Empty>
        )
      ) : (
        <ForecastResult
          report={result}
          onTake={({ method, limited, snoozeDays }) => keep({ state: 'enabled', method, limited, snoozeDays })}
        />
      )}
    </>
  );
}
