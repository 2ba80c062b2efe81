import { expect, onTestFinished, test } from 'vitest';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { ForecastPool } from '../../src/forecast/forecast-pool.ts';
import { runByQueue } from '../../src/forecast/queue-forecast.ts';
import { compiled, officeTenant } from '../forecast/descriptions.ts';
import { freePort, kill, redisIsInstalled, startRedis, startWorker } from '../forecast/redis-server.ts';

test('a worker of a Redis queue computes the same forecast as this process', async ({ skip }) => {
  if (!redisIsInstalled()) return skip('redis-server is not installed, so this was not run');
  const users = 2_000;
  const forecast = compiled({ ...officeTenant, users });
  const port = await freePort();
  const redis = await startRedis(port);
  onTestFinished(() => kill(redis));
  const address = `redis://127.0.0.1:${port}`;
  const worker = await startWorker(address);
  onTestFinished(() => kill(worker));
  const order = { address, users, seeds: [1], onNotice: () => undefined };
  const byQueue = forecastReport(forecast, await runByQueue(forecast, order), users);
  const pool = new ForecastPool(1);
  onTestFinished(() => pool.close());
  const local = forecastReport(forecast, await pool.run(forecast, { users, seeds: [1] }), users);
  expect(byQueue).toEqual(local);
});
