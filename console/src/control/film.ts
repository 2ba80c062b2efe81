import { useQuery } from '@tanstack/react-query';
import type { JourneyInput, JourneyLine } from '../../../src/contract/journey.schema.ts';
import type { Entry, SignInDetail } from './answers.ts';
import { sandboxKey } from './questions.ts';

/** One picture of a sign-in: the input, and what it led to. */
export interface Frame {
  readonly entry: Entry;
  readonly saw: JourneyInput['saw'];
}

/** Where a part of the journal is handed over as a journey. */
export function journeyAddress(sandbox: string, part: Readonly<Record<string, string>> = {}): string {
  return `/_control/v1/sandboxes/${encodeURIComponent(sandbox)}/journey?${new URLSearchParams(part)}`;
}

/** The part of the journal that a sign-in is: its user, from its first input to its last. */
export function partOf({ signIn, events }: SignInDetail): Readonly<Record<string, string>> {
  return { user: signIn.userId, from: String(events[0]?.seq ?? 0), to: String(events.at(-1)?.seq ?? 0) };
}

/** The pictures of a sign-in in order. What each input led to is read from the journey that the sandbox exports. */
export function useFilm(sandbox: string, detail: SignInDetail) {
  const address = journeyAddress(sandbox, partOf(detail));
  return useQuery({
    queryKey: [...sandboxKey(sandbox), 'film', detail.signIn.id, address],
    queryFn: async (): Promise<readonly Frame[]> => framesOf(detail.events, await (await fetch(address)).text()),
    placeholderData: (before) => before,
  });
}

function framesOf(events: readonly Entry[], journey: string): readonly Frame[] {
  const lines = journey.split('\n').filter((line) => line !== '');
  const seen = new Map<number, JourneyInput['saw']>();
  for (const line of lines) {
    const said = JSON.parse(line) as JourneyLine;
    if (said.kind === 'input') seen.set(said.place, said.saw);
  }
  return events.map((entry) => ({ entry, saw: seen.get(entry.seq) ?? {} }));
}
