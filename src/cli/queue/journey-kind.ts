import { inflateRawSync } from 'node:zlib';
import { afterPendingInput } from '../../core/clock.ts';
import { type JobKind, packJson } from '../../queue/queue-job.ts';
import type { Driver } from '../../scenario/driver.ts';
import type { SentRulesets } from '../../scenario/rulesets/sent-rulesets.ts';
import { replayFromFile, rerunJourney } from '../replay/replayed-journey.ts';
import type { DriverPool } from './driver-pool.ts';
import { journeyBytesMax, type ReplayPayload, replayKindName } from './journey-jobs.ts';

/**
 * Number of bytes to replay before the worker yields to other tasks, such as keeping its job alive in the queue.
 */
const stretchBytes = 65_536;

/** Creates the job type that replays journeys with the worker's pool of drivers. */
export function replayKind(kept: DriverPool, received: SentRulesets): JobKind {
  return {
    name: replayKindName,
    counts: (payload) => ({ journeys: (payload as ReplayPayload).journeys.length }),
    work: async (payload) => {
      const { journeys, drivers: names, url, rulesets } = payload as ReplayPayload;
      for (const ruleset of rulesets) received.receive(ruleset);
      const drivers: Driver[] = [];
      for (const name of names) drivers.push(await kept.driver(name, url));
      const replayed: unknown[] = [];
      for (const { file, bytes } of journeys) {
        const chunks = stretches(inflateRawSync(Buffer.from(bytes, 'base64'), { maxOutputLength: journeyBytesMax }));
        replayed.push(
          drivers.length === 0 ? await replayFromFile(file, chunks) : await rerunJourney(file, chunks, drivers),
        );
      }
      return packJson(replayed);
    },
  };
}

async function* stretches(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += stretchBytes) {
    yield bytes.subarray(from, from + stretchBytes);
    await new Promise<void>((resolve) => afterPendingInput(resolve));
  }
}
