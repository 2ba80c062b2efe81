import { useQuery } from '@tanstack/react-query';
import type { ControlRequest } from '../../../src/client/control-client.ts';
import type { JourneyEvent, JourneyLine } from '../../../src/contract/journey.schema.ts';
import type { Entry, SignInDetail } from './answers.ts';
import { api } from './control-client.ts';
import { sandboxKey } from './questions.ts';

/** One picture of a sign-in: the input, and what it led to. */
export interface Frame {
  readonly entry: Entry;
  readonly outcome: JourneyEvent['outcome'];
}

type Part = NonNullable<ControlRequest<'exportJourney'>['query']>;

/** The address of a part of the journal as a journey. */
export function journeyAddress(sandbox: string, part: Part = {}): string {
  return api.urlOf('exportJourney', { sandbox, query: part });
}

/** The part of the journal that a sign-in is: its user, from its first input to its last. */
export function toPart({ signIn, events }: SignInDetail): Part {
  return { user: signIn.userId, from: events[0]?.seq ?? 0, to: events.at(-1)?.seq ?? 0 };
}

/** The pictures of a sign-in in order. What each input led to is read from the journey that the sandbox exports. */
export function useFilm(sandbox: string, detail: SignInDetail) {
  const part = toPart(detail);
  return useQuery({
    queryKey: [...sandboxKey(sandbox), 'film', detail.signIn.id, part],
    queryFn: async (): Promise<readonly Frame[]> =>
      framesOf(detail.events, await api.exportJourney({ sandbox, query: part })),
    placeholderData: (before) => before,
  });
}

function framesOf(events: readonly Entry[], journey: string): readonly Frame[] {
  const lines = journey.split('\n').filter((line) => line !== '');
  const seen = new Map<number, JourneyEvent['outcome']>();
  for (const line of lines) {
    const said = JSON.parse(line) as JourneyLine;
    if (said.kind === 'event') seen.set(said.place, said.outcome);
  }
  return events.map((entry) => ({ entry, outcome: seen.get(entry.seq) ?? {} }));
}
