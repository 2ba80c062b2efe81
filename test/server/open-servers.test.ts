import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { openServers, serveRequests } from '../../src/server/open-servers.ts';

it('requests that arrive while a server is being prepared are answered once it is ready', async () => {
  const { servers, baseUrl } = await openServers({
    tls: undefined,
    host: '127.0.0.1',
    port: 0,
    boundPorts: [],
    prepare: () => undefined,
  });
  const [listening] = servers;
  if (listening === undefined) throw new Error('No server is listening.');
  onTestFinished(() => void listening.server.close());
  const arrived = once(listening.server, 'request');
  const early = fetch(`${baseUrl}/early`);
  const late = fetch(`${baseUrl}/late`, { signal: AbortSignal.timeout(10_000) });
  await arrived;
  serveRequests(listening, (request, response) => void response.end(request.url));
  expect(await Promise.all([early, late].map(async (answer) => (await answer).text()))).toEqual(['/early', '/late']);
});
