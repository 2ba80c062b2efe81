import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runHere } from '../cli/command-context.ts';
import { suiteFolder } from '../cli/suite-folder.ts';
import { officeTenant } from '../forecast/descriptions.ts';
import { freePort, kill, redisIsInstalled, startRedis, startWorker } from '../forecast/redis-server.ts';
import { startCollector } from './collector.ts';

describe('traces across a queue', () => {
  it('the jobs of workers belong to the trace of the command that sent them', async ({ skip }) => {
    if (!redisIsInstalled()) return skip('redis-server is not installed, so this was not run');
    const collector = await startCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
    onTestFinished(() => void vi.unstubAllEnvs());
    const port = await freePort();
    const redis = await startRedis(port);
    const address = `redis://127.0.0.1:${port}`;
    const worker = await startWorker(address);
    onTestFinished(async () => {
      await kill(worker);
      await kill(redis);
    });
    const cwd = suiteFolder({ 'forecast.json': JSON.stringify(officeTenant) });
    const argv = ['forecast', 'forecast.json', '--queue', address, '--json'];
    const ended = await runHere(argv, { cwd, env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    await vi.waitUntil(() => collector.spans.some(({ name }) => name === 'job forecast'), { timeout: 20_000 });
    const sent = collector.spans.find(({ name }) => name === 'jobs forecast');
    const done = collector.spans.filter(({ name }) => name === 'job forecast');
    expect(done.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual([[sent?.traceId, sent?.spanId]]);
  });
});
