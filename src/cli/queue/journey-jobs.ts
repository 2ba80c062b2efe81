import type { SentRuleset } from '../../scenario/rulesets/sent-ruleset.ts';
import type { DrivenJourney, ReplayedJourney } from '../replay/replayed-journey.ts';

/** Name of the job type that replays journeys. */
export const replayKindName = 'replay';

/** Payload of a replay job: the journeys and how to replay them. Journeys are compressed and encoded in base64. */
export interface ReplayPayload {
  readonly journeys: readonly { readonly file: string; readonly bytes: string }[];
  /** Names of the drivers that rerun the journeys. If the list is empty, the journal is replayed without a driver. */
  readonly drivers: readonly string[];
  /** URL of a running server; `null` if each worker starts its own. */
  readonly url: string | null;
  /** Rulesets of files that the journeys can name. */
  readonly rulesets: readonly SentRuleset[];
}

/** Result of a replay job in compressed form, with one item per journey in the same order. */
export type ReplayResult = readonly (ReplayedJourney | DrivenJourney)[];

/**
 * Target size of the journeys of one job in bytes, and maximum size of a journey in a job. Larger journeys are
 * replayed by the sender.
 */
export const jobBytesWanted = 1_048_576;
export const journeyBytesMax = 67_108_864;

/** Maximum number of journeys per job. The limit is lower with drivers because each journey takes longer. */
export const jobJourneysMax = { folded: 32, driven: 4 } as const;

/** Maximum number of concurrent jobs. It is low because jobs contain whole files. */
export const replayOutstanding = 24;
