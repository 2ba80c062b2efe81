import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverAt } from '../../../../src/scenario/drivers/http/control-client.ts';

/** Starts a server that gives every request the same response, and returns its URL. */
async function startOther(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('server of the http driver', () => {
  it.for([
    [200, '', 'the response is not that of a NudgeLab server'],
    [200, '{"status":"up"}', 'the response is not that of a NudgeLab server'],
    [200, 'null', 'the response is not that of a NudgeLab server'],
    [404, `<html>${'x'.repeat(5_000)}</html>`, 'GET /health returned 404: <html>xxx'],
  ] as const)(
    'server-unreachable: another server that returns %d %j is named briefly',
    async ([status, body, reason]) => {
      const url = await startOther(status, body);
      const error: Error = await serverAt(url).then(
        () => new Error('It was accepted.'),
        (cause: Error) => cause,
      );
      expect(error).toMatchObject({ code: 'server-unreachable' });
      expect(error.message).toContain(`No NudgeLab server responds at ${url}/_control/v1/health: `);
      expect(error.message).toContain(reason);
      expect(error.message.length).toBeLessThan(500);
    },
  );

  it('server-unreachable, usage-invalid: credentials in a URL are not shown', async () => {
    const url = (await startOther(200, '')).replace('//', '//lab:secret@');
    for (const refused of [url, `${url}?x=1`]) {
      const message = await serverAt(refused).catch((cause: Error) => cause.message);
      expect(message).toContain('…@127.0.0.1:');
      expect(message).not.toContain('secret');
    }
  });

  it.for([
    'ftp://localhost:4700',
    'ws://localhost:4700',
    'localhost:4700',
    'http://localhost:4700?x=1',
    'http://localhost:4700/s/demo',
    'http://',
  ])('usage-invalid: %s is not the URL of a server', async (url) => {
    await expect(serverAt(url)).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining(`"${url}" is not the URL of a server`),
    });
  });
});
