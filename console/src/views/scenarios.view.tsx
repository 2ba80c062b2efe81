import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useServer } from '../control/questions.ts';
import { type Run, type RunOrder, type Suite, type SuiteFile, startRun, useRuns, useSuite } from '../control/suite.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount } from '../parts/labels.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { ViewTitle } from '../shell/view-title.tsx';
import { RunCounts, runLabels } from '../suite/run-counts.tsx';

/** Renders the scenarios on the server, with actions to find, run, open and create them. */
export function ScenariosView({ sandbox }: { readonly sandbox: string }) {
  return (
    <QueryResult to={useServer()} title="Scenarios">
      {({ scenarios }) => (scenarios ? <GivenScenarios sandbox={sandbox} /> : <NoScenarios />)}
    </QueryResult>
  );
}

function NoScenarios() {
  return (
    <>
      <ViewTitle title="Scenarios" />
      <Empty>
        No scenarios are loaded. Start the server with <code>nudgelab serve --scenarios FOLDER</code>, or create a first
        suite with <code>nudgelab init</code>.
      </Empty>
    </>
  );
}

function GivenScenarios({ sandbox }: { readonly sandbox: string }) {
  const suite = useSuite();
  return (
    <>
      <ViewTitle title="Scenarios">
        <Link href={`/s/${sandbox}/scenarios/file`}>New scenario</Link>
      </ViewTitle>
      <QueryResult to={suite}>{(data) => <SuitePanel sandbox={sandbox} suite={data} />}</QueryResult>
      <Runs sandbox={sandbox} />
    </>
  );
}

function SuitePanel({ sandbox, suite }: { readonly sandbox: string; readonly suite: Suite }) {
  const [typed, setTyped] = useState('');
  const [driver, setDriver] = useState('model');
  const start = useStart(sandbox);
  const queries = useQueryClient();
  const inputId = useId();
  const files = useFiltered(suite.files, typed);
  const scenarios = files.reduce((sum, { scenarios: of }) => sum + of, 0);
  const broken = suite.files.filter(({ problems }) => problems.length > 0);
  const run = (order: RunOrder): void => start.mutate({ driver, ...order });
  const all = typed.trim() === '';
  return (
    <Card
      title={`Files in ${suite.folder}`}
      aside={<span className="hint">{suite.editable ? 'Editable' : 'Read-only'}</span>}
    >
      <div className="filters">
        <div className="field">
          <label htmlFor={inputId}>Find by name, path, tag or rule</label>
          <input id={inputId} type="search" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </div>
        <SelectField
          label="Driver"
          value={driver}
          options={suite.drivers.map((name) => [name, name] as const)}
          onChange={setDriver}
        />
        <button
          type="button"
          className="primary"
          disabled={start.isPending || files.length === 0}
          onClick={() => run(all ? {} : { files: files.map(({ path }) => path) })}
        >
          Run {all ? 'all' : 'these'} {formatCount(scenarios, 'scenario')}
        </button>
        <button type="button" onClick={() => void queries.invalidateQueries({ queryKey: ['suite'] })}>
          Reload files
        </button>
      </div>
      <Failure of={start.error} />
      {broken.length > 0 && (
        <div className="failure" role="alert">
          <strong>{formatCount(broken.length, 'file')} cannot be read. Runs that include them are rejected.</strong>
          <ul>
            {broken.map(({ path, problems }) => (
              <li key={path}>
                <Link href={fileHref(sandbox, path)}>{path}</Link>, line {problems[0]?.line}: {problems[0]?.message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {files.length === 0 ? (
        <Empty>{suite.files.length === 0 ? 'The folder contains no scenarios.' : 'No scenarios match.'}</Empty>
      ) : (
        <Groups sandbox={sandbox} files={files} isOpen={!all} onRun={run} />
      )}
    </Card>
  );
}

/** Returns the URL of a file in the editor. */
function fileHref(sandbox: string, path: string): string {
  return `/s/${sandbox}/scenarios/file?path=${encodeURIComponent(path)}`;
}

function useFiltered(files: readonly SuiteFile[], typed: string): readonly SuiteFile[] {
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  if (wanted === '') return files;
  return files.filter(
    ({ path, name, covers, tags }) =>
      path.toLowerCase().includes(wanted) ||
      (name ?? '').toLowerCase().includes(wanted) ||
      [...covers, ...tags].some((word) => word.toLowerCase() === wanted),
  );
}

function useStart(sandbox: string) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: startRun,
    onSuccess: async (run: Run) => {
      await queries.invalidateQueries({ queryKey: ['runs'] });
      navigate(`/s/${sandbox}/scenarios/runs/${run.id}`);
    },
  });
}

function Groups({
  sandbox,
  files,
  isOpen,
  onRun,
}: {
  readonly sandbox: string;
  readonly files: readonly SuiteFile[];
  readonly isOpen: boolean;
  readonly onRun: (order: RunOrder) => void;
}) {
  const groups = [...Map.groupBy(files, ({ path }) => path.split('/').slice(0, -1).join('/'))];
  return (
    <div className="suite-groups">
      {groups.map(([folder, of]) => (
        <Group
          key={`${folder} ${isOpen}`}
          sandbox={sandbox}
          folder={folder}
          files={of}
          startsOpen={isOpen || groups.length === 1}
          onRun={onRun}
        />
      ))}
    </div>
  );
}

function Group({
  sandbox,
  folder,
  files,
  startsOpen,
  onRun,
}: {
  readonly sandbox: string;
  readonly folder: string;
  readonly files: readonly SuiteFile[];
  readonly startsOpen: boolean;
  readonly onRun: (order: RunOrder) => void;
}) {
  const [open, setOpen] = useState(startsOpen);
  const scenarios = files.reduce((sum, file) => sum + file.scenarios, 0);
  const name = folder === '' ? 'top-level folder' : folder;
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {name}{' '}
        <span className="hint">
          {formatCount(files.length, 'file')}, {formatCount(scenarios, 'scenario')}
        </span>
      </summary>
      {open && (
        <>
          <div className="buttons">
            <button type="button" onClick={() => onRun({ files: files.map(({ path }) => path) })}>
              Run {name}
            </button>
          </div>
          <ScrollBox label={`Files of ${name}`}>
            <table>
              <TableHead columns={['File', 'Name', 'Scenarios', 'Covers', 'Run']} numbers={['Scenarios']} />
              <tbody>
                {files.map(({ path, name: called, scenarios: count, covers }) => (
                  <tr key={path}>
                    <td>
                      <Link href={fileHref(sandbox, path)}>{path.slice(path.lastIndexOf('/') + 1)}</Link>
                    </td>
                    <td>{called ?? <span className="failed">cannot be read</span>}</td>
                    <td className="number">{count}</td>
                    <td>{covers.join(', ')}</td>
                    <td>
                      <button type="button" aria-label={`Run ${path}`} onClick={() => onRun({ files: [path] })}>
                        Run
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </>
      )}
    </details>
  );
}

function Runs({ sandbox }: { readonly sandbox: string }) {
  const runs = useRuns();
  return (
    <Card title="Runs" aside={<span className="hint">lost when the server stops</span>}>
      <QueryResult to={runs}>
        {({ runs: storedRuns }) =>
          storedRuns.length === 0 ? (
            <Empty>No test runs since the server started.</Empty>
          ) : (
            <ScrollBox label="Table of runs">
              <table>
                <TableHead columns={['Run', 'State', 'Of', 'Results']} />
                <tbody>
                  {storedRuns.map((run) => (
                    <tr key={run.id}>
                      <td>
                        <Link href={`/s/${sandbox}/scenarios/runs/${run.id}`}>{run.id}</Link>
                      </td>
                      <td>{runLabels[run.state]}</td>
                      <td>
                        {formatRunRequest(run)} on {run.request.driver}
                      </td>
                      <td>
                        <RunCounts run={run} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          )
        }
      </QueryResult>
    </Card>
  );
}

function formatRunRequest({ request: { files, filter, tags, covers, scenarios } }: Run): string {
  if (scenarios !== undefined) return formatCount(scenarios.length, 'scenario');
  if (files !== undefined) return files.length === 1 ? (files[0] ?? '') : formatCount(files.length, 'file');
  const parts = [filter === undefined ? [] : [filter], tags ?? [], covers ?? []].flat();
  return parts.length === 0 ? 'all' : parts.join(', ');
}
