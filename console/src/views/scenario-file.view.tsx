import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { api } from '../control/control-client.ts';
import { useControlQuery } from '../control/questions.ts';
import { type DryRun, type Run, startRun, useSuite } from '../control/suite.ts';
import { Card, Empty } from '../parts/card.tsx';
import { formatCount } from '../parts/labels.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';
import { ResultDetail } from '../suite/result-detail.tsx';
import { RunCounts } from '../suite/run-counts.tsx';

/** The editor is loaded when a file is opened. */
const ScenarioEditor = lazy(() =>
  import('../editor/scenario-editor.tsx').then((module) => ({ default: module.ScenarioEditor })),
);

/** Initial text of a new file. */
const beginning = `name: A prompted user skips once
covers: [R5]
given:
  tenant: app-enabled
  users: { ada: sms-user }
steps:
  - signIn: { user: ada }
    expect: { page: prompt, outcome: skippable }
  - skip: {}
    expect: { snoozes: 1, state: snoozed }
`;

/** Opened text with its location and its original content. */
interface Opened {
  readonly path: string;
  readonly text: string;
  /** Digest of the stored file, or `null` if the file is new. */
  readonly digest: string | null;
  /** Events of a recorded sign-in that no step can reproduce, with their counts. */
  readonly omitted: Readonly<Record<string, number>>;
}

/**
 * Renders the editor for one scenario file with completions, a test run without saving, and saving where allowed.
 */
export function ScenarioFileView({ sandbox }: { readonly sandbox: string }) {
  const [address] = useSearchParams();
  const path = address.get('path');
  const signIn = address.get('from');
  const opened = useQuery({
    queryKey: ['opened', sandbox, path, signIn],
    queryFn: () => open(sandbox, path, signIn),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  return (
    <>
      <ViewTitle title={path ?? (signIn === null ? 'New scenario' : `Sign-in ${signIn} as a scenario`)}>
        <Link href={`/s/${sandbox}/scenarios`}>All scenarios</Link>
      </ViewTitle>
      <QueryResult to={opened}>
        {(data) => (
          <FileEditor
            key={`${path} ${signIn}`}
            sandbox={sandbox}
            opened={data}
            line={Number(address.get('line') ?? 1)}
          />
        )}
      </QueryResult>
    </>
  );
}

async function open(sandbox: string, path: string | null, signIn: string | null): Promise<Opened> {
  if (path !== null) {
    const read = await api.getSuiteFile({ query: { path } });
    return { ...read, omitted: {} };
  }
  if (signIn === null) return { path: 'new.yaml', text: beginning, digest: null, omitted: {} };
  const written = await api.getJourneyScenario({ sandbox, signIn });
  return { ...written, digest: null };
}

interface FileEditorProps {
  readonly sandbox: string;
  readonly opened: Opened;
  readonly line: number;
}

function FileEditor({ sandbox, opened, line }: FileEditorProps) {
  const file = useFile(sandbox, opened);
  const [begun, setBegun] = useState({ line, text: opened.text });
  const { text, problems, dryRun } = file;
  return (
    <>
      <Card title="Text" aside={<span className="hint">{file.isSaved ? 'saved' : 'not saved'}</span>}>
        <LeftOut of={opened.omitted} />
        <Editing sandbox={sandbox} file={file} begun={begun} />
        <FileActions file={file} />
      </Card>
      <Card title="Problems">
        {problems.length === 0 ? (
          <Empty>No problems found.</Empty>
        ) : (
          <ul className="rules" aria-live="polite">
            {problems.map(({ line: at, column, message }) => (
              <li key={`${at} ${column} ${message}`}>
                <button type="button" className="link" onClick={() => setBegun({ line: at, text })}>
                  Line {at}, column {column}
                </button>
                : {message}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {dryRun.data !== undefined && dryRun.data.results.length > 0 && <Tried sandbox={sandbox} tried={dryRun.data} />}
    </>
  );
}

/** Edited file with its text, its problems and the available actions. */
type WrittenFile = ReturnType<typeof useFile>;

function useFile(sandbox: string, opened: Opened) {
  const [path, setPath] = useState(opened.path);
  const [text, setText] = useState(opened.text);
  const [digest, setDigest] = useState(opened.digest);
  const [savedText, setSavedText] = useState(opened.digest === null ? null : opened.text);
  const [problems, setProblems] = useState<DryRun['problems']>([]);
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const dryRun = useMutation({
    mutationFn: () => api.dryRun({ body: { path, text } }),
    onSuccess: ({ problems: found }) => setProblems(found),
  });
  const save = useMutation({
    mutationFn: () => api.putSuiteFile({ body: { path, text, digest } }),
    onSuccess: async (saved) => {
      setDigest(saved.digest);
      setSavedText(text);
      await queries.invalidateQueries({ queryKey: ['suite'], exact: true });
    },
  });
  const run = useMutation({
    mutationFn: () => startRun({ files: [path] }),
    onSuccess: ({ id }: Run) => navigate(`/s/${sandbox}/scenarios/runs/${id}`),
  });
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(text) });
  const check = async (written: string): Promise<DryRun['problems']> => {
    const found = await api.dryRun({ body: { path, text: written, run: false } });
    setProblems(found.problems);
    return found.problems;
  };
  const isNew = digest === null;
  return { path, setPath, text, setText, isNew, isSaved: savedText === text, problems, check, dryRun, save, run, copy };
}

function LeftOut({ of }: { readonly of: Opened['omitted'] }) {
  const omitted = Object.entries(of);
  if (omitted.length === 0) return null;
  return (
    <p className="warnings">
      These events have no scenario step:{' '}
      {omitted.map(([type, times]) => `${type} (${formatCount(times, 'time')})`).join(', ')}.
    </p>
  );
}

function Editing({
  sandbox,
  file: { path, setPath, isNew, setText, check },
  begun,
}: {
  readonly sandbox: string;
  readonly file: WrittenFile;
  readonly begun: { readonly line: number; readonly text: string };
}) {
  const schema = useQuery({ queryKey: ['suite', 'schema'], queryFn: () => api.getSuiteSchema() });
  const coverable = useCoverable(sandbox);
  const pathId = useId();
  return (
    <>
      <div className="field path-field">
        <label htmlFor={pathId}>Path relative to the folder</label>
        <input id={pathId} value={path} readOnly={!isNew} onChange={({ target }) => setPath(target.value)} />
      </div>
      <QueryResult to={schema}>
        {(data) => (
          <Suspense
            fallback={
              <p className="waiting" role="status">
                Loading editor…
              </p>
            }
          >
            <ScenarioEditor {...begun} schema={data} coverable={coverable} onChange={setText} check={check} />
          </Suspense>
        )}
      </QueryResult>
      <p className="hint">
        <kbd>Ctrl Space</kbd> shows completions; <kbd>F8</kbd> goes to the next problem; <kbd>Tab</kbd> leaves the
        editor.
      </p>
    </>
  );
}

function FileActions({ file: { isSaved, dryRun, save, run, copy } }: { readonly file: WrittenFile }) {
  const { data: suite, isFetching } = useSuite();
  return (
    <>
      <div className="buttons">
        <button type="button" className="primary" disabled={dryRun.isPending} onClick={() => dryRun.mutate()}>
          Dry run
        </button>
        <button
          type="button"
          disabled={suite?.editable !== true || isSaved || save.isPending}
          onClick={() => save.mutate()}
        >
          Save
        </button>
        <button type="button" disabled={!isSaved || run.isPending} onClick={() => run.mutate()}>
          Run saved file
        </button>
        <button type="button" onClick={() => copy.mutate()}>
          {copy.isSuccess ? 'Copied' : 'Copy text'}
        </button>
      </div>
      {!isFetching && suite?.editable !== true && (
        <p className="hint">
          Saving is not available: the server was started without a folder, or without{' '}
          <code>--allow-scenario-edits</code>. Copy the text instead.
        </p>
      )}
      <Failure of={save.error ?? dryRun.error ?? run.error ?? copy.error} />
    </>
  );
}

function useCoverable(sandbox: string): readonly string[] {
  const { data: rules } = useControlQuery('listRules', { sandbox });
  const { data: assumptions } = useControlQuery('listAssumptions', { sandbox });
  return [...(rules?.rules ?? []), ...(assumptions?.assumptions ?? [])].map(({ id }) => id);
}

function Tried({ sandbox, tried: { results, scenarios } }: { readonly sandbox: string; readonly tried: DryRun }) {
  const count = (wanted: string): number => results.filter(({ status }) => status === wanted).length;
  const failed = results.find(({ status }) => status === 'failed');
  const shown = failed ?? results[0];
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  return (
    <Card title="Dry run">
      <p role="status">
        <RunCounts run={counts} /> on the model; nothing was saved.
        {scenarios > results.length && ` Only the first ${results.length} of ${scenarios} scenarios were run.`}
      </p>
      {shown !== undefined && <ResultDetail sandbox={sandbox} runId={null} result={shown} />}
    </Card>
  );
}
