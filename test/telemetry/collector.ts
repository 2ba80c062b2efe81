import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { decodePoints, decodeSpans, type ReceivedPoint, type ReceivedSpan } from './otlp-messages.ts';

/** Collector that receives the requests of exporters, as a real one does: OTLP over HTTP with binary bodies. */
export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly points: ReceivedPoint[];
  /** Path and headers of each request. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

/** Starts a collector for one test. `silent` makes one that accepts connections and never responds. */
export async function startCollector({ silent = false } = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    if (silent) return;
    if (path === '/v1/traces') spans.push(...decodeSpans(body));
    if (path === '/v1/metrics') points.push(...decodePoints(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, points, requests };
}
