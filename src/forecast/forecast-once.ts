import { type ForecastInput, forecastSchema } from '../contract/forecast.schema.ts';
import type { ForecastReport } from '../contract/forecast-report.ts';
import { parseOr } from '../contract/parse.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { forecastSeedsMax, forecastUsersMax } from '../core/limits.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { compileDescription, forecastReport } from './forecast.ts';
import { ForecastPool, threadsDefault } from './forecast-pool.ts';
import { runByQueue } from './queue-forecast.ts';

/** Options of a forecast. */
export interface ForecastOptions {
  /** Number of users, which overrides the description. */
  readonly users?: number;
  /**
   * Number of simulations for percentile bands, starting with the random seed of the description. The default is 1.
   */
  readonly seeds?: number;
  /** Number of threads. The default is one per core. */
  readonly threads?: number;
  /** URL of a Redis server. Its workers (`nudgelab worker`) replace the threads of this process. */
  readonly queue?: string;
  /**
   * Time limit in milliseconds of real time, after which no new work starts. The report contains the number of
   * simulated users.
   */
  readonly budgetMs?: number;
  /** Callback for the completed share, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Callback for operational notices, such as a missing worker. */
  readonly onNotice?: (message: string) => void;
}

/**
 * Forecasts the campaign of a described tenant. The result is the same as the output of `nudgelab forecast --json`.
 * The same description, users and random seeds give the same report with any number of threads, on any machine.
 * @param description - description as data
 * @param options - options of the forecast
 * @returns the report
 * @throws `forecast-invalid` with all problems, `forecast-too-large`, `usage-invalid` for an option outside of its
 *   range, and any error of the queue
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
