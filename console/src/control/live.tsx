import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Entry } from './answers.ts';
import { api } from './control-client.ts';
import { refresh } from './questions.ts';

/** Entries that the console keeps of what happened since it was opened. */
const keptMax = 200;

/** How long what happens is gathered before it is shown, in ms: many entries a second are one drawing. */
const gatherMs = 50;

/** How long after the responses the queries of the views are sent again at the earliest, in ms. */
const restMs = 100;

/** What happened in a sandbox since the console looked at it. */
export interface EventFeed {
  /** The newest first. */
  readonly entries: readonly Entry[];
  readonly connected: boolean;
}

const Live = createContext<EventFeed>({ entries: [], connected: false });

/** What happened in the sandbox that is looked at. */
export function useEventFeed(): EventFeed {
  return useContext(Live);
}

/** Listens to a sandbox, and sends the queries of the views below again when something happened. */
export function LiveSandbox({ sandbox, children }: { readonly sandbox: string; readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [happenings, setHappenings] = useState<EventFeed>({ entries: [], connected: false });

  useEffect(() => {
    setHappenings({ entries: [], connected: false });
    const gathered: Entry[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    let resting: ReturnType<typeof setTimeout> | null = null;
    let asking = false;
    let askAgain = false;
    // One round of requests at a time: sent again before the responses came, none would ever arrive while much happens.
    const askAnew = (): void => {
      askAgain = asking;
      if (asking) return;
      asking = true;
      refresh(queries, sandbox)
        .catch(() => undefined)
        .finally(() => {
          resting = setTimeout(() => {
            asking = false;
            if (askAgain) askAnew();
          }, restMs);
        });
    };
    const tell = (): void => {
      timer = null;
      const newest = gathered.splice(0).reverse();
      setHappenings(({ entries }) => ({ entries: [...newest, ...entries].slice(0, keptMax), connected: true }));
      askAnew();
    };
    const source = new EventSource(api.urlOf('streamEvents', { sandbox, query: { named: 'false' } }));
    source.onopen = () => setHappenings(({ entries }) => ({ entries, connected: true }));
    source.onerror = () => setHappenings(({ entries }) => ({ entries, connected: false }));
    source.onmessage = ({ data }: MessageEvent<string>) => {
      gathered.push(JSON.parse(data) as Entry);
      timer ??= setTimeout(tell, gatherMs);
    };
    return () => {
      source.close();
      for (const waiting of [timer, resting]) if (waiting !== null) clearTimeout(waiting);
    };
  }, [queries, sandbox]);

  return <Live value={happenings}>{children}</Live>;
}
