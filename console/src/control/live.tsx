import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Entry } from './answers.ts';
import { api } from './control-client.ts';
import { followStream } from './follow-stream.ts';
import { refresh } from './questions.ts';

/** Maximum number of live entries that the console keeps. */
const keptMax = 200;

/**
 * Time in milliseconds during which incoming entries are collected before a render, so a burst of entries causes
 * one render.
 */
const gatherMs = 50;

/** Minimum delay between the responses and the next refetch of the queries, in milliseconds. */
const restMs = 100;

/** Entries that a sandbox appended to its journal since the console opened it. */
export interface EventFeed {
  /** Live entries, newest first. */
  readonly entries: readonly Entry[];
  readonly connected: boolean;
}

const Live = createContext<EventFeed>({ entries: [], connected: false });

/** Returns the live entries of the current sandbox. */
export function useEventFeed(): EventFeed {
  return useContext(Live);
}

/**
 * Subscribes to the event stream of a sandbox and refetches the queries of its child views after each batch of
 * events.
 */
export function LiveSandbox({ sandbox, children }: { readonly sandbox: string; readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [happenings, setHappenings] = useState<EventFeed>({ entries: [], connected: false });

  useEffect(() => {
    setHappenings({ entries: [], connected: false });
    const gathered: Entry[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    let resting: ReturnType<typeof setTimeout> | null = null;
    let isRefreshing = false;
    let isStale = false;
    // Only one round of requests runs at a time. Restarting them before the responses arrive would keep all of them
    // from completing during a burst of events.
    const refreshQueries = (): void => {
      isStale = isRefreshing;
      if (isRefreshing) return;
      isRefreshing = true;
      refresh(queries, sandbox)
        .catch(() => undefined)
        .finally(() => {
          resting = setTimeout(() => {
            isRefreshing = false;
            if (isStale) refreshQueries();
          }, restMs);
        });
    };
    const publish = (): void => {
      timer = null;
      const newest = gathered.splice(0).reverse();
      setHappenings(({ entries }) => ({ entries: [...newest, ...entries].slice(0, keptMax), connected: true }));
      refreshQueries();
    };
    const stop = new AbortController();
    const { signal } = stop;
    const setConnected = (connected: boolean): void => setHappenings(({ entries }) => ({ entries, connected }));
    let after: number | undefined;
    followStream(() => api.streamEvents({ sandbox, query: { after }, signal }), {
      signal,
      onOpen: () => setConnected(true),
      onItem: (entry) => {
        after = entry.seq;
        gathered.push(entry);
        timer ??= setTimeout(publish, gatherMs);
      },
      onLost: () => setConnected(false),
    }).catch(() => setConnected(false));
    return () => {
      stop.abort();
      for (const waiting of [timer, resting]) if (waiting !== null) clearTimeout(waiting);
    };
  }, [queries, sandbox]);

  return <Live value={happenings}>{children}</Live>;
}
