import type { CompiledForecast } from '../../forecast/compile-forecast.ts';
import {
  type ForecastCounts,
  ForecastPool,
  type ForecastRequest,
  threadsDefault,
} from '../../forecast/forecast-pool.ts';
import { runByQueue } from '../../forecast/queue-forecast.ts';
import type { CommandContext } from '../context.ts';
import { createQueuePlace } from '../queue/queue-place.ts';
import type { ForecastArguments } from './forecast-options.ts';

/** Simulator of users that runs in threads of this process or in workers of a queue. */
export interface Simulator {
  run(compiled: CompiledForecast, order: ForecastRequest): Promise<ForecastCounts>;
  close(): Promise<void>;
}

/** Opens the requested simulator. Its threads start immediately, while the tables are still being created. */
export function openSimulator(
  { queue, workers }: Pick<ForecastArguments, 'queue' | 'workers'>,
  context: CommandContext,
): Simulator {
  if (queue === null) return new ForecastPool(workers ?? threadsDefault());
  const place = createQueuePlace(queue, context);
  return {
    run: (compiled, order) => runByQueue(compiled, { ...order, ...place }),
    close: async () => undefined,
  };
}
