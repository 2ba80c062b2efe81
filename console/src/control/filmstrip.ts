import { useQuery } from '@tanstack/react-query';
import type { ControlRequest } from '../../../src/client/control-client.ts';
import type { Entry, JourneyLine, SignInDetail } from './answers.ts';
import { api } from './control-client.ts';
import { sandboxKey } from './questions.ts';

/** Frame of a filmstrip: a journal entry and its effect. */
export interface Frame {
  readonly entry: Entry;
  readonly outcome: Outcome;
}

type Outcome = Extract<JourneyLine, { kind: 'event' }>['outcome'];

type Part = NonNullable<ControlRequest<'exportJourney'>['query']>;

/** Returns the URL that exports part of the journal as a journey file. */
export function journeyAddress(sandbox: string, part: Part = {}): string {
  return api.getUrl('exportJourney', { sandbox, query: part });
}

/** Returns the journal range of a sign-in: its user and its first and last sequence numbers. */
export function toPart({ signIn, events }: SignInDetail): Part {
  return { user: signIn.userId, from: events[0]?.seq ?? 0, to: events.at(-1)?.seq ?? 0 };
}

/** Loads the frames of a sign-in in order. The effect of each entry is read from the exported journey file. */
export function useFilmstrip(sandbox: string, detail: SignInDetail) {
  const part = toPart(detail);
  return useQuery({
    queryKey: [...sandboxKey(sandbox), 'film', detail.signIn.id, part],
    queryFn: async (): Promise<readonly Frame[]> =>
      createFrames(detail.events, await api.exportJourney({ sandbox, query: part })),
    placeholderData: (before) => before,
  });
}

async function createFrames(events: readonly Entry[], journey: AsyncIterable<JourneyLine>): Promise<readonly Frame[]> {
  const seen = new Map<number, Outcome>();
  for await (const line of journey) if (line.kind === 'event') seen.set(line.place, line.outcome);
  return events.map((entry) => ({ entry, outcome: seen.get(entry.seq) ?? {} }));
}
