import type { TelemetryReading } from '../../core/telemetry.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { Traffic } from './traffic.ts';

/** Sources of the metrics. */
export interface Measured {
  readonly traffic: Traffic;
  readonly sandboxes: Sandboxes;
}

/** Current figure of a server, with its names for both kinds of export. */
export interface ServerReading extends TelemetryReading {
  /** Name in Prometheus format. `name` follows the semantic conventions of OpenTelemetry. */
  readonly prometheusName: string;
}

/** Lists the current figures of a server. They are read on demand. */
export function listReadings({ traffic, sandboxes }: Measured): readonly ServerReading[] {
  return [
    {
      name: 'nudgelab.http.requests.rejected',
      prometheusName: 'nudgelab_http_requests_refused_total',
      kind: 'counter',
      unit: '{request}',
      description: 'Requests rejected because too many were in progress.',
      read: () => traffic.now().refused,
    },
    {
      name: 'nudgelab.http.requests.active',
      prometheusName: 'nudgelab_http_requests_in_flight',
      kind: 'up-down-counter',
      unit: '{request}',
      description: 'Requests in progress.',
      read: () => traffic.now().requests,
    },
    {
      name: 'nudgelab.http.connections',
      prometheusName: 'nudgelab_http_connections',
      kind: 'up-down-counter',
      unit: '{connection}',
      description: 'Open connections.',
      read: () => traffic.now().connections,
    },
    {
      name: 'nudgelab.event_streams',
      prometheusName: 'nudgelab_event_streams',
      kind: 'up-down-counter',
      unit: '{stream}',
      description: 'Open event streams.',
      read: () => traffic.now().streams,
    },
    {
      name: 'nudgelab.sandboxes',
      prometheusName: 'nudgelab_sandboxes',
      kind: 'up-down-counter',
      unit: '{sandbox}',
      description: 'Sandboxes on the server.',
      read: () => sandboxes.list().length,
    },
    {
      name: 'nudgelab.journal.entries',
      prometheusName: 'nudgelab_journal_entries',
      kind: 'up-down-counter',
      unit: '{entry}',
      description: 'Entries in all journals.',
      read: () =>
        sandboxes.list().reduce((total, sandbox) => total + (sandbox.recorder.answers ? sandbox.entryCount : 0), 0),
    },
  ];
}
