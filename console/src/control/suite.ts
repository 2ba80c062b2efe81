import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer } from '../../../src/contract/control-answers.schema.ts';
import type { ControlOperation } from '../../../src/contract/control-operation.ts';
import type * as suite from '../../../src/contract/suite.schema.ts';
import type { suiteOperations } from '../../../src/contract/suite-operations.ts';
import { ask, isRefusal, type Json } from './control-client.ts';
import { useServer } from './questions.ts';

type ReplyOf<O> = O extends ControlOperation<infer _Body, infer _Query, infer Reply> ? Answer<Reply> : never;

export type Suite = ReplyOf<typeof suiteOperations.getSuite>;
export type SuiteFile = Suite['files'][number];
export type SuiteText = ReplyOf<typeof suiteOperations.getSuiteFile>;
export type DryRun = ReplyOf<typeof suiteOperations.dryRun>;
export type JourneyScenario = ReplyOf<typeof suiteOperations.getJourneyScenario>;
export type Run = ReplyOf<typeof suiteOperations.getRun>;
export type RunRow = ReplyOf<typeof suiteOperations.listRunResults>['results'][number];
export type ScenarioResult = ReplyOf<typeof suiteOperations.getRunResult>['result'];
export type Coverage = ReplyOf<typeof suiteOperations.getRunCoverage>;
type Progress = Answer<typeof suite.runProgress>;

/** The scenario files of the server; asked for only where it has any, since the browser tells every refusal as an error. */
export function useSuite() {
  const { data: server } = useServer();
  return useQuery({
    queryKey: ['suite'],
    queryFn: () => ask<Suite>('GET /suite'),
    enabled: server?.scenarios === true,
  });
}

/** How often the list of runs is asked for while one goes on, in ms. */
const runsEveryMs = 1_000;

/** The runs that the server holds, the newest first; asked for only where it has scenarios. */
export function useRuns() {
  const { data: server } = useServer();
  return useQuery({
    queryKey: ['runs'],
    enabled: server?.scenarios === true,
    queryFn: () => ask<{ readonly runs: readonly Run[] }>('GET /runs'),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.runs.some(({ state: of }) => !isOver(of)) === true ? runsEveryMs : false,
  });
}

/** Asks for a run of what is named. Returns it as it waits. */
export function startRun(asked: Json): Promise<Run> {
  return ask<Run>('POST /runs', asked);
}

/** Whether a run goes on no more. */
export function isOver(state: Run['state']): boolean {
  return state !== 'waiting' && state !== 'running';
}

/** A run as it goes on: how it stands, and the results so far. */
export interface WatchedRun {
  readonly run: Run | undefined;
  readonly rows: readonly RunRow[];
  readonly error: Error | null;
}

/** Watches a run to its end. What the whole run makes of single results is asked for once it is over. */
export function useRun(id: string): WatchedRun {
  const queries = useQueryClient();
  const [watched, setWatched] = useState<WatchedRun>({ run: undefined, rows: [], error: null });
  useEffect(() => {
    setWatched({ run: undefined, rows: [], error: null });
    const path = `/runs/${encodeURIComponent(id)}`;
    const source = new EventSource(`/_control/v1${path}/events`);
    let gone = false;
    const finish = async (run: Run): Promise<void> => {
      const rows = await allRows(path);
      if (!gone) setWatched({ run, rows, error: null });
      await queries.invalidateQueries({ queryKey: ['runs'] });
    };
    const fail = (error: unknown): void => {
      if (!gone && error instanceof Error) setWatched((before) => ({ ...before, error }));
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const { run, results } = JSON.parse(data) as Progress;
      if (isOver(run.state)) {
        source.close();
        finish(run).catch(fail);
        return;
      }
      setWatched(({ rows }) => ({ run, rows: [...rows, ...results], error: null }));
    };
    // The browser tries again by itself, unless the run is not known.
    source.onerror = () => {
      ask<Run>(`GET ${path}`).catch((error: unknown) => {
        if (isRefusal(error)) source.close();
        fail(error);
      });
    };
    return () => {
      gone = true;
      source.close();
    };
  }, [id, queries]);
  return watched;
}

/** Rows of one page of results. */
const pageRows = 1_000;

async function allRows(path: string): Promise<readonly RunRow[]> {
  const rows: RunRow[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: { readonly results: readonly RunRow[]; readonly next: number | null } = await ask(
      `GET ${path}/results?limit=${pageRows}&after=${after}`,
    );
    rows.push(...page.results);
    after = page.next;
  }
  return rows;
}
