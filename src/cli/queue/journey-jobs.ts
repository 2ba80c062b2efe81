import type { DrivenJourney, ReplayedJourney } from '../replay/replayed-journey.ts';

/** The kind of the jobs that journeys are replayed by. */
export const replayKindName = 'replay';

/** Journeys to be replayed, and how. Their bytes travel, deflated, in base64. */
export interface ReplayPayload {
  readonly journeys: readonly { readonly file: string; readonly bytes: string }[];
  /** Drivers that do them again; none folds them. */
  readonly drivers: readonly string[];
  /** A running server; `null` for one of the worker's own. */
  readonly url: string | null;
}

/** What a worker sends back, packed: one for each journey, in their order. */
export type ReplayResult = readonly (ReplayedJourney | DrivenJourney)[];

/** Bytes of the journeys of one job, and of the largest that travels: a larger one is replayed where it lies. */
export const jobBytesWanted = 1_048_576;
export const journeyBytesMax = 67_108_864;

/** Journeys of one job: with drivers each takes longer. */
export const jobJourneysMax = { folded: 32, driven: 4 } as const;

/** Jobs in progress at once: they carry whole files. */
export const replayOutstanding = 24;
