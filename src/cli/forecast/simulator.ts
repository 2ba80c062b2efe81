import type { CompiledForecast } from '../../forecast/compile-forecast.ts';
import {
  type ForecastCounts,
  ForecastPool,
  type ForecastRequest,
  threadsDefault,
} from '../../forecast/forecast-pool.ts';
import { runByQueue } from '../../forecast/queue-forecast.ts';
import type { CommandContext } from '../context.ts';
import { print } from '../print.ts';
import type { ForecastArguments } from './forecast-options.ts';

/** Simulator of users that runs in threads of this process or in workers of a queue. */
export interface Simulator {
  run(compiled: CompiledForecast, order: ForecastRequest): Promise<ForecastCounts>;
  close(): Promise<void>;
}

/** Opens the requested simulator. Its threads start immediately, while the tables are still being created. */
export function openSimulator(
  { queue, workers }: Pick<ForecastArguments, 'queue' | 'workers'>,
  { stderr, onStop }: Pick<CommandContext, 'stderr' | 'onStop'>,
): Simulator {
  if (queue === null) return new ForecastPool(workers ?? threadsDefault());
  const onNotice = (message: string): void => {
    print(stderr, message, (visible) => [visible]);
  };
  return {
    run: (compiled, order) => runByQueue(compiled, { ...order, address: queue, onNotice, onStop }),
    close: async () => undefined,
  };
}
