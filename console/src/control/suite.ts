import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ControlReply, ControlRequest } from '../../../src/client/control-client.ts';
import { api } from './control-client.ts';
import { followStream } from './follow-stream.ts';
import { useServer } from './questions.ts';

export type Suite = ControlReply<'getSuite'>;
export type SuiteFile = Suite['files'][number];
export type DryRun = ControlReply<'dryRun'>;
export type RunOrder = ControlRequest<'startRun'>['body'];
export type Run = ControlReply<'getRun'>;
export type RunRow = ControlReply<'listRunResults'>['results'][number];
export type ScenarioResult = ControlReply<'getRunResult'>['result'];
export type Coverage = ControlReply<'getRunCoverage'>;

/** Loads the scenario files of the server, if it has any. The browser would log an error for a rejected request. */
export function useSuite() {
  const { data: server } = useServer();
  return useQuery({
    queryKey: ['suite'],
    queryFn: () => api.getSuite(),
    enabled: server?.scenarios === true,
  });
}

/** Polling interval for the list of runs while one is running or a view follows the latest, in milliseconds. */
const runsEveryMs = 1_000;

/**
 * Loads the runs on the server, newest first, if the server has scenarios. `follows` also notices runs that others
 * start, such as `nudgelab run --ui` after a change.
 */
export function useRuns({ follows = false }: { readonly follows?: boolean } = {}) {
  const { data: server } = useServer();
  return useQuery({
    queryKey: ['runs'],
    enabled: server?.scenarios === true,
    queryFn: () => api.listRuns(),
    refetchOnMount: 'always',
    refetchIntervalInBackground: follows,
    refetchInterval: ({ state }) => {
      if (follows) return runsEveryMs;
      return state.data?.runs.some(({ state: of }) => !isRunFinished(of)) === true ? runsEveryMs : false;
    },
  });
}

/** Starts a run of the selected scenarios and returns the queued run. */
export function startRun(order: RunOrder): Promise<Run> {
  return api.startRun({ body: order });
}

/** Returns true if a run has ended. */
export function isRunFinished(state: Run['state']): boolean {
  return state !== 'queued' && state !== 'running';
}

/** Run in progress: its status and the results so far. */
export interface WatchedRun {
  readonly run: Run | undefined;
  readonly rows: readonly RunRow[];
  readonly error: Error | null;
}

/** Follows a run to its end. Results that depend on the whole run are loaded once it has ended. */
export function useRun(id: string): WatchedRun {
  const queries = useQueryClient();
  const [watched, setWatched] = useState<WatchedRun>({ run: undefined, rows: [], error: null });
  useEffect(() => {
    setWatched({ run: undefined, rows: [], error: null });
    const stream = new AbortController();
    const { signal } = stream;
    let gone = false;
    const fail = (error: unknown): void => {
      if (!gone && error instanceof Error) setWatched((before) => ({ ...before, error }));
    };
    const watch = async (): Promise<void> => {
      let after = 0;
      let finished: Run | undefined;
      await followStream(() => api.streamRun({ run: id, query: { after }, signal }), {
        signal,
        onItem: ({ run, results }) => {
          after = results.at(-1)?.place ?? after;
          if (isRunFinished(run.state)) {
            finished = run;
            stream.abort();
          } else setWatched(({ rows }) => ({ run, rows: [...rows, ...results], error: null }));
        },
        onLost: fail,
      });
      if (finished === undefined) return;
      const rows = await allRows(id);
      if (!gone) setWatched({ run: finished, rows, error: null });
      await queries.invalidateQueries({ queryKey: ['runs'] });
    };
    watch().catch(fail);
    return () => {
      gone = true;
      stream.abort();
    };
  }, [id, queries]);
  return watched;
}

/** Number of results on one page. */
const pageRows = 1_000;

async function allRows(run: string): Promise<readonly RunRow[]> {
  const rows: RunRow[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const query = { limit: pageRows, after };
    const { results, next }: ControlReply<'listRunResults'> = await api.listRunResults({ run, query });
    rows.push(...results);
    after = next;
  }
  return rows;
}
