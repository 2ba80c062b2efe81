import type { ReplayReport } from '../../contract/replay.ts';
import type { ScenarioResult } from '../../contract/result.ts';
import { type ErrorCode, NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { shellLine } from '../../core/shell-line.ts';
import { scenarioOfJourney } from '../../replay/journey-scenario.ts';
import { openJourney } from '../../replay/read-journey.ts';
import { replayJourney } from '../../replay/replay-journey.ts';
import type { Driver } from '../../scenario/driver.ts';
import { runScenario } from '../../scenario/run-scenario.ts';

/** Why a journey could not be replayed. */
export interface RefusedJourney {
  readonly file: string;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly problems: readonly ValidationProblem[];
  };
}

/** A journey that was folded again, or why it could not be. */
export type ReplayedJourney = (ReplayReport & { readonly file: string }) | RefusedJourney;

/** A journey that was done again by drivers, or why it could not be. */
export type DrivenJourney =
  | {
      readonly file: string;
      readonly same: boolean;
      /** Inputs that no driver can repeat, by type. */
      readonly notRepeatable: Readonly<Record<string, number>>;
      readonly results: readonly ScenarioResult[];
    }
  | RefusedJourney;

type Bytes = AsyncIterable<Uint8Array>;

/** Folds a journey again. Takes the name of its file and its bytes. A file that cannot be replayed is a result, not an error. */
export function replayFromFile(file: string, bytes: Bytes): Promise<ReplayedJourney> {
  return orRefused(file, async () => ({ file, ...(await replayJourney(await openJourney(bytes))) }));
}

/** Does a journey again on drivers. Takes the name of its file and its bytes. A file that cannot be done is a result, not an error. */
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

/** The error that a refusal stands for. */
export function toError({ error }: RefusedJourney): NudgeLabError {
  const { code, message, problems } = error;
  return new NudgeLabError(code, { message, problems });
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

/** A file that cannot be read is the caller's to mend. */
function unreadable(error: unknown): NudgeLabError | null {
  const concernsFile = error instanceof Error && 'syscall' in error;
  return concernsFile ? new NudgeLabError('file-unreadable', { message: error.message, cause: error }) : null;
}
