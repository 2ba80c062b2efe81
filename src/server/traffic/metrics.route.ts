import { type RequestHandler, Router } from 'express';
import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { ControlAccess } from '../access/control-access.ts';
import { requireKey } from '../access/require-key.ts';
import { durationBoundsSeconds } from './request-counters.ts';
import { listReadings, type Measured } from './server-readings.ts';
import type { Traffic } from './traffic.ts';

/** Path of the server metrics. */
export const metricsPath = '/_metrics';

interface MetricsParts {
  readonly sandboxes: Sandboxes;
  /** Access control that requires the control key, if there is one. */
  readonly access: ControlAccess | null;
}

/**
 * Creates the route for the server metrics in Prometheus format. Labels contain only route patterns, methods, and
 * statuses, never ids or names, so the number of series is limited by the number of routes. The metrics library is
 * loaded on the first request.
 */
export function metricsRoute(traffic: Traffic, { sandboxes, access }: MetricsParts): Router {
  let registry: Promise<Registry> | null = null;
  const show: RequestHandler = async (_request, response) => {
    registry ??= createRegistry({ traffic, sandboxes });
    const written = await registry;
    response.set({ 'Content-Type': written.contentType, 'Cache-Control': 'no-store' }).end(await written.metrics());
  };
  const router = Router();
  router.use(requireKey(access));
  router.get('/', show);
  return router;
}

async function createRegistry(measured: Measured): Promise<Registry> {
  const { collectDefaultMetrics, Registry: MetricRegistry } = await import('prom-client');
  const registry = new MetricRegistry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  for (const metric of listMetrics(measured)) registry.registerMetric(metric as unknown as Metric);
  return registry;
}

/** Default gauges whose names Prometheus reserves for counters. Other metrics contain the same values by type. */
const misnamed = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** Metric whose value is read on demand, so it is not counted twice. */
interface ReadMetric {
  readonly name: string;
  get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>>;
}

type Values = readonly MetricValueWithName<string>[];

function listMetrics(measured: Measured): readonly ReadMetric[] {
  const { traffic } = measured;
  return [
    metric(
      'nudgelab_http_requests_total',
      'counter',
      'Completed HTTP requests; status 0 means that the connection was interrupted.',
      (name) =>
        traffic.tally.answers().map(({ route, method, status, count }) => ({
          metricName: name,
          labels: { route, method, status },
          value: count,
        })),
    ),
    metric('nudgelab_http_request_duration_seconds', 'histogram', 'Time until the end of the response.', (name) =>
      durationValues(name, traffic),
    ),
    ...listReadings(measured).map(({ prometheusName, kind, description, read }) =>
      metric(prometheusName, kind === 'counter' ? kind : 'gauge', description, () => [plain(prometheusName, read())]),
    ),
  ];
}

function metric(name: string, type: string, help: string, read: (name: string) => Values): ReadMetric {
  const get = async () => ({ name, help, type, aggregator: 'sum', values: [...read(name)] });
  return { name, get: get as unknown as ReadMetric['get'] };
}

function plain(metricName: string, value: number): MetricValueWithName<string> {
  return { metricName, labels: {}, value };
}

/** Returns the histogram values. Each bucket also includes the counts of all lower buckets. */
function durationValues(name: string, traffic: Traffic): Values {
  return traffic.tally.durations().flatMap(({ route, counts, sumSeconds }) => {
    let total = 0;
    const classes = counts.map((count, at) => {
      total += count;
      const le = durationBoundsSeconds[at] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { route, le }, value: total };
    });
    const sum = { metricName: `${name}_sum`, labels: { route }, value: sumSeconds };
    return [...classes, sum, { metricName: `${name}_count`, labels: { route }, value: total }];
  });
}
