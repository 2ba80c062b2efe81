import { type ForecastInput, forecastSchema } from '../contract/forecast.schema.ts';
import type { ForecastReport } from '../contract/forecast-report.ts';
import { parseOr } from '../contract/parse.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { forecastSeedsMax, forecastUsersMax } from '../core/limits.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { compileDescription, forecastReport } from './forecast.ts';
import { ForecastPool, threadsDefault } from './forecast-pool.ts';
import { runByQueue } from './queue-forecast.ts';

/** How a forecast is made. */
export interface ForecastOptions {
  /** Users, in place of those of the description. */
  readonly users?: number;
  /** Simulates so often, by the seed of the description and those after it, for bands; 1 where it is left out. */
  readonly seeds?: number;
  /** Threads; one for each core where it is left out. */
  readonly threads?: number;
  /** Address of a Redis whose workers (`nudgelab worker`) simulate in place of threads of this process. */
  readonly queue?: string;
  /** Real time after which nothing more is begun, in ms; the report says how many users it is about. */
  readonly budgetMs?: number;
  /** Told now and then how much is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Told what anyone who runs it should know, such as that no worker takes jobs. */
  readonly onNotice?: (message: string) => void;
}

/**
 * Forecasts the campaign of a described tenant: what `nudgelab forecast --json` prints, for programs. The same description, users and seeds
 * give the same report with any number of threads, on any machine. Takes the description as data. Throws `forecast-invalid` naming every
 * fault, `forecast-too-large`, `usage-invalid` for an option out of its range, and what the queue throws.
 */
export async function forecast(description: ForecastInput, options: ForecastOptions = {}): Promise<ForecastReport> {
  refuseOutOfRange(options);
  const given =
    isPlainObject(description) && options.users !== undefined ? { ...description, users: options.users } : description;
  const compiled = compileDescription(parseOr('forecast-invalid', forecastSchema, given, 'description'));
  const { seed, users } = compiled.description;
  const seeds = Array.from({ length: options.seeds ?? 1 }, (_, place) => (seed + place) % 2 ** 32);
  const order = { users, seeds, budgetMs: options.budgetMs ?? null, onProgress: options.onProgress };
  if (options.queue !== undefined) {
    const { queue: address, onNotice = () => undefined } = options;
    return forecastReport(compiled, await runByQueue(compiled, { ...order, address, onNotice }), users);
  }
  const pool = new ForecastPool(options.threads ?? threadsDefault());
  try {
    return forecastReport(compiled, await pool.run(compiled, order), users);
  } finally {
    await pool.close();
  }
}

const threadsMax = 256;
const budgetMsMax = 864_000_000;

function refuseOutOfRange({ users, seeds, threads, budgetMs }: ForecastOptions): void {
  const ranges = { users: forecastUsersMax, seeds: forecastSeedsMax, threads: threadsMax, budgetMs: budgetMsMax };
  const given = { users, seeds, threads, budgetMs };
  const problems = Object.entries(ranges).flatMap(([place, max]): readonly ValidationProblem[] => {
    const value = given[place as keyof typeof ranges];
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= max)) return [];
    return [{ location: place, message: `${value} is not a whole number from 1 to ${max}` }];
  });
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}
