import { readFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import { spreadByQueue } from '../../queue/job-dispatch.ts';
import { programText } from '../../queue/program-text.ts';
import { unpackJson } from '../../queue/queue-job.ts';
import type { SentRuleset } from '../../scenario/rulesets/sent-ruleset.ts';
import type { JourneyFile } from '../replay/journey-files.ts';
import {
  jobBytesWanted,
  jobJourneysMax,
  journeyBytesMax,
  type ReplayPayload,
  type ReplayResult,
  replayKindName,
  replayOutstanding,
} from './journey-jobs.ts';
import type { QueuePlace } from './queue-place.ts';

type Replayed = ReplayResult[number];

/** Settings for the replay of journeys by workers. */
export interface JourneysOrder extends QueuePlace {
  /** Names of the drivers. If the list is empty, the journal is replayed without a driver. */
  readonly drivers: readonly string[];
  readonly url: string | null;
  /** Rulesets of files that the journeys can name. */
  readonly rulesets: readonly SentRuleset[];
  /** Replays a journey in this process if its file is missing, is standard input, or is too large for a job. */
  readonly here: (journey: JourneyFile) => Promise<Replayed>;
  /** Callback for each result, with the index in the list. It is called once per journey, in any order. */
  readonly take: (place: number, replayed: Replayed) => Promise<void>;
}

/** Journey with its index in the list. */
interface Placed {
  readonly place: number;
  readonly journey: JourneyFile;
}

/** Replays journeys with the workers of a queue. Throws any error of `spreadByQueue`. */
export async function replayByQueue(
  journeys: readonly JourneyFile[],
  { drivers, url, rulesets, here, take, ...where }: JourneysOrder,
): Promise<void> {
  const placed = journeys.map((journey, place): Placed => ({ place, journey }));
  const jobs = createJobs(placed.filter(travels), drivers.length === 0 ? jobJourneysMax.folded : jobJourneysMax.driven);
  const spread = spreadByQueue({
    ...where,
    kind: replayKindName,
    program: programText(),
    jobs: jobs.length,
    outstanding: replayOutstanding,
    createPayload: async (number): Promise<ReplayPayload> => {
      const sent = (jobs[number] ?? []).map(async ({ journey: { file, path } }) => ({
        file,
        bytes: deflateRawSync(await readFile(path), { level: 1 }).toString('base64'),
      }));
      return { journeys: await Promise.all(sent), drivers, url, rulesets };
    },
    take: async (number, result) => {
      const replayed = unpackJson(String(result)) as ReplayResult;
      for (const [index, { place }] of (jobs[number] ?? []).entries()) await take(place, replayed[index] as Replayed);
    },
    formatFailure: (number) => `${describeJob(jobs[number] ?? [])} could not be replayed`,
  });
  const local = replayHere(
    placed.filter((one) => !travels(one)),
    here,
    take,
  );
  // A failure is thrown below, once the jobs have ended.
  local.catch(() => undefined);
  await spread;
  await local;
}

async function replayHere(
  placed: readonly Placed[],
  here: JourneysOrder['here'],
  take: JourneysOrder['take'],
): Promise<void> {
  for (const { place, journey } of placed) await take(place, await here(journey));
}

function travels({ journey: { path, bytes } }: Placed): boolean {
  return path !== '' && bytes !== null && bytes <= journeyBytesMax;
}

/** Splits journeys into jobs by size and number. */
function createJobs(placed: readonly Placed[], journeysMax: number): readonly (readonly Placed[])[] {
  const jobs: Placed[][] = [];
  let bytesSoFar = 0;
  for (const one of placed) {
    const bytes = one.journey.bytes ?? 0;
    const last = jobs.at(-1);
    if (last === undefined || last.length >= journeysMax || bytesSoFar + bytes > jobBytesWanted) {
      jobs.push([one]);
      bytesSoFar = bytes;
    } else {
      last.push(one);
      bytesSoFar += bytes;
    }
  }
  return jobs;
}

function describeJob(job: readonly Placed[]): string {
  const [first, last] = [job[0]?.journey.file, job.at(-1)?.journey.file];
  return first === last ? `The journey ${first}` : `The journeys from ${first} to ${last}`;
}
