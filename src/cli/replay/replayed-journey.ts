import type { ReplayReport } from '../../contract/replay.ts';
import type { ScenarioResult } from '../../contract/result.schema.ts';
import { type ErrorCode, NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { shellLine } from '../../core/shell-line.ts';
import { scenarioOfJourney } from '../../replay/journey-scenario.ts';
import { openJourney } from '../../replay/read-journey.ts';
import { replayJourney } from '../../replay/replay-journey.ts';
import type { ReplayObserver } from '../../sandbox/observed-journal.ts';
import type { Driver } from '../../scenario/driver.ts';
import { runScenario } from '../../scenario/run-scenario.ts';

/** Journey that could not be replayed, with the reason. */
export interface RefusedJourney {
  readonly file: string;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly problems: readonly ValidationProblem[];
  };
}

/** Result of a replayed journey, or the reason why it could not be replayed. */
export type ReplayedJourney =
  | (ReplayReport & {
      readonly file: string;
      /** Violations of watched properties, as sentences; absent if none were watched. */
      readonly violations?: readonly string[];
    })
  | RefusedJourney;

/** Result of a journey that drivers reran, or the reason why it could not be rerun. */
export type DrivenJourney =
  | {
      readonly file: string;
      readonly same: boolean;
      /** Number of events that no driver can repeat, by type. */
      readonly notRepeatable: Readonly<Record<string, number>>;
      readonly results: readonly ScenarioResult[];
    }
  | RefusedJourney;

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Replays a journey from its file name and bytes. An invalid file is returned as a result instead of an error. A observer
 * receives the lifecycle steps of all users.
 */
export function replayFromFile(file: string, bytes: Bytes, observer?: ReplayObserver): Promise<ReplayedJourney> {
  return orRefused(file, async () => ({ file, ...(await replayJourney(await openJourney(bytes), observer)) }));
}

/**
 * Reruns a journey on drivers from its file name and bytes. An invalid file is returned as a result instead of an
 * error.
 */
export function rerunJourney(file: string, bytes: Bytes, drivers: readonly Driver[]): Promise<DrivenJourney> {
  return orRefused(file, async () => {
    const { scenario, notRepeatable } = await scenarioOfJourney(await openJourney(bytes), file);
    const results: ScenarioResult[] = [];
    for (const driver of drivers) {
      const result = await runScenario(scenario, driver, null);
      results.push({ ...result, command: shellLine('nudgelab', ['replay', file, '--driver', driver.name]) });
    }
    return { file, same: results.every(({ status }) => status === 'passed'), notRepeatable, results };
  });
}

/** Converts a rejected journey to its error. */
export function toError({ file, error }: RefusedJourney): NudgeLabError {
  const { code, message, problems } = error;
  const isLocated = problems.length > 0 || message.includes(file);
  return new NudgeLabError(code, { message: isLocated ? message : `${file}: ${message}`, problems });
}

async function orRefused<T>(file: string, work: () => Promise<T>): Promise<T | RefusedJourney> {
  try {
    return await work();
  } catch (error) {
    const known = error instanceof NudgeLabError ? error : unreadable(error);
    if (known === null) throw error;
    const { code, message, problems } = known;
    return { file, error: { code, message, problems } };
  }
}

/** Converts a file system error to an error that the caller can correct; `null` for any other error. */
function unreadable(error: unknown): NudgeLabError | null {
  const concernsFile = error instanceof Error && 'syscall' in error;
  return concernsFile ? new NudgeLabError('file-unreadable', { message: error.message, cause: error }) : null;
}
