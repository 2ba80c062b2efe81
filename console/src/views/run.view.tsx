import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { api } from '../control/control-client.ts';
import { isRunFinished, type Run, type RunRow, startRun, useRun, useRuns, useSuite } from '../control/suite.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount, formatInstant } from '../parts/labels.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { ViewTitle } from '../shell/view-title.tsx';
import { CoverageMatrix } from '../suite/coverage-matrix.tsx';
import { ResultDetail } from '../suite/result-detail.tsx';
import { RunCounts, runLabels, statusLabels } from '../suite/run-counts.tsx';

/** Renders one run with its progress, its results, the reasons for failures, and the rules that it covered. */
export function RunView({
  sandbox,
  runId,
  place,
}: {
  readonly sandbox: string;
  readonly runId: string;
  readonly place: number | null;
}) {
  const href = `/s/${sandbox}/scenarios/runs/${runId}`;
  const places: Places = {
    find: () => place,
    hrefFor: (row) => `${href}/${row.place}`,
    closeHref: href,
  };
  return <RunDetail sandbox={sandbox} runId={runId} title={`Run ${runId}`} places={places} />;
}

/**
 * Follows the latest run: when a change starts another one, it takes the place of the previous one. It shows the chosen
 * scenario, or the first failure, or the only scenario.
 */
export function LatestRunView({ sandbox }: { readonly sandbox: string }) {
  const runs = useRuns({ follows: true });
  const scenario = new URLSearchParams(useSearch()).get('scenario');
  const href = `/s/${sandbox}/scenarios/runs/latest`;
  const places: Places = {
    find: (rows) => {
      const chosen = rows.find(({ id }) => id === scenario) ?? rows.find(({ status }) => status === 'failed');
      return (chosen ?? (rows.length === 1 ? rows[0] : undefined))?.place ?? null;
    },
    hrefFor: ({ id }) => `${href}?scenario=${encodeURIComponent(id)}`,
    closeHref: scenario === null ? null : href,
  };
  return (
    <QueryResult to={runs} title="Latest run">
      {({ runs: [latest] }) =>
        latest === undefined ? (
          <>
            <ViewTitle title="Latest run">
              <Link href={`/s/${sandbox}/scenarios`}>All scenarios</Link>
            </ViewTitle>
            <Empty>No test runs since the server started.</Empty>
          </>
        ) : (
          <RunDetail sandbox={sandbox} runId={latest.id} title="Latest run" places={places} />
        )
      }
    </QueryResult>
  );
}

/** How a view of a run selects one of its results and links to them. */
interface Places {
  /** Returns the place of the selected result, or `null` if none is. */
  readonly find: (rows: readonly RunRow[]) => number | null;
  readonly hrefFor: (row: RunRow) => string;
  /** URL without a selected result, or `null` if the result cannot be closed. */
  readonly closeHref: string | null;
}

function RunDetail({
  sandbox,
  runId,
  title,
  places,
}: {
  readonly sandbox: string;
  readonly runId: string;
  readonly title: string;
  readonly places: Places;
}) {
  const { run, rows, error } = useRun(runId);
  const place = places.find(rows);
  return (
    <>
      <ViewTitle title={title}>
        <Link href={`/s/${sandbox}/scenarios`}>All scenarios</Link>
      </ViewTitle>
      <Failure of={error} />
      {run === undefined ? (
        error === null && (
          <p className="waiting" role="status">
            Loading…
          </p>
        )
      ) : (
        <>
          <Progress sandbox={sandbox} run={run} />
          {place !== null && <Result sandbox={sandbox} runId={runId} place={place} closeHref={places.closeHref} />}
          <Results run={run} rows={rows} chosen={place} hrefFor={places.hrefFor} />
          {run.state === 'finished' && <Covered sandbox={sandbox} runId={runId} />}
        </>
      )}
    </>
  );
}

function Progress({ sandbox, run }: { readonly sandbox: string; readonly run: Run }) {
  const [, navigate] = useLocation();
  const cancel = useMutation({ mutationFn: () => api.cancelRun({ run: run.id }) });
  const again = useMutation({
    mutationFn: () => startRun(run.request),
    onSuccess: ({ id }: Run) => navigate(`/s/${sandbox}/scenarios/runs/${id}`),
  });
  const over = isRunFinished(run.state);
  return (
    <Card title="Progress" aside={<span className={over ? 'live' : 'live on'}>{runLabels[run.state]}</span>}>
      <progress aria-label="Completed scenarios" max={run.total ?? 1} value={run.total === null ? 0 : run.done} />
      <p role="status">
        {run.total === null
          ? 'Loading scenarios…'
          : `${run.done.toLocaleString('en')} of ${formatCount(run.total, 'scenario')} on ${run.request.driver}:`}{' '}
        {run.total !== null && <RunCounts run={run} />}
      </p>
      {run.startedAt !== null && (
        <p className="hint">
          Started at {formatInstant(run.startedAt)}
          {run.finishedAt !== null && `, finished at ${formatInstant(run.finishedAt)}`}.
        </p>
      )}
      {run.error !== null && (
        <div className="failure" role="alert">
          <strong>The scenarios could not be run.</strong> {run.error.message}
          {run.error.problems.length > 0 && (
            <ul>
              {run.error.problems.map(({ location: place, message }) => (
                <li key={`${place} ${message}`}>
                  <code>{place}</code>: {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <div className="buttons">
        <button type="button" disabled={over || cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel run
        </button>
        <button type="button" disabled={!over || again.isPending} onClick={() => again.mutate()}>
          Run again
        </button>
      </div>
      <Failure of={cancel.error ?? again.error} />
    </Card>
  );
}

/** Number of rows shown initially and added by each click on "Show more". */
const rowsShown = 100;

const statuses = [
  ['', 'All'],
  ['failed', 'Failed'],
  ['passed', 'Passed'],
  ['skipped', 'Skipped'],
] as const;

function Results({
  run,
  rows,
  chosen,
  hrefFor,
}: {
  readonly run: Run;
  readonly rows: readonly RunRow[];
  readonly chosen: number | null;
  readonly hrefFor: Places['hrefFor'];
}) {
  const [status, setStatus] = useState('');
  const [rowCount, setRowCount] = useState(rowsShown);
  const wanted = rows.filter((row) => status === '' || row.status === status);
  // Failures are the most relevant results, so they come first.
  const sorted = wanted.toSorted((one, other) => Number(other.status === 'failed') - Number(one.status === 'failed'));
  return (
    <Card title="Results">
      <div className="filters">
        <SelectField label="Show" value={status} options={statuses} onChange={setStatus} />
      </div>
      {sorted.length === 0 ? (
        <Empty>{isRunFinished(run.state) ? 'This result does not exist.' : 'No results yet.'}</Empty>
      ) : (
        <ScrollBox label="Table of results" tall>
          <table>
            <TableHead columns={['Result', 'Scenario', 'Took']} numbers={['Took']} />
            <tbody>
              {sorted.slice(0, rowCount).map((row) => (
                <tr key={row.place} data-chosen={row.place === chosen}>
                  <td className={`nowrap ${row.status}`}>{statusLabels[row.status]}</td>
                  <td>
                    <Link href={hrefFor(row)}>{row.name}</Link>
                    <br />
                    <code className="breaks">{row.id}</code>
                  </td>
                  <td className="number nowrap">{row.durationMs.toFixed(1)} ms</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {sorted.length > rowCount && (
        <div className="buttons">
          <button type="button" onClick={() => setRowCount(rowCount + rowsShown)}>
            Show more of {formatCount(sorted.length, 'result')}
          </button>
        </div>
      )}
    </Card>
  );
}

function Result({
  sandbox,
  runId,
  place,
  closeHref,
}: {
  readonly sandbox: string;
  readonly runId: string;
  readonly place: number;
  readonly closeHref: string | null;
}) {
  const resultQuery = useQuery({
    queryKey: ['runs', runId, 'results', place],
    queryFn: () => api.getRunResult({ run: runId, place }),
  });
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (resultQuery.data !== undefined) top.current?.scrollIntoView({ block: 'nearest' });
  }, [resultQuery.data]);
  return (
    <div ref={top}>
      <Card title="Scenario" aside={closeHref !== null && <Link href={closeHref}>Close</Link>}>
        <QueryResult to={resultQuery}>
          {({ result }) => <ResultDetail sandbox={sandbox} runId={runId} result={result} />}
        </QueryResult>
      </Card>
    </div>
  );
}

function Covered({ sandbox, runId }: { readonly sandbox: string; readonly runId: string }) {
  const coverageQuery = useQuery({
    queryKey: ['runs', runId, 'coverage'],
    queryFn: () => api.getRunCoverage({ run: runId }),
  });
  const { data: suite } = useSuite();
  return (
    <Card title="Rule coverage" aside={<Link href={`/s/${sandbox}/model`}>Show in model</Link>}>
      <QueryResult to={coverageQuery}>
        {(coverage) => <CoverageMatrix coverage={coverage} files={suite?.files ?? []} />}
      </QueryResult>
    </Card>
  );
}
