import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { below, deferErrors, deferRoutes } from '../../src/server/deferred-routes.ts';

/** Starts a server with a handler below `/Api`, a text for all other paths, and a status for errors. */
async function serve(handler: RequestHandler, onError?: ErrorRequestHandler) {
  const app = express().use(handler, (_request, response) => void response.send('passed'));
  if (onError !== undefined) app.use(onError);
  app.use(((error: Error, _request, response, _next) => {
    response.status(500).send(error.message);
  }) as ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

const answer: RequestHandler = (_request, response) => void response.send('answered');

describe('deferred routes', () => {
  it('are loaded once, by requests to their paths in any case and to no other path', async () => {
    let loads = 0;
    const get = await serve(
      deferRoutes(below('/Api'), async () => {
        loads += 1;
        return answer;
      }),
    );
    expect(await Promise.all(['/', '/apis', '/s/api'].map(get))).toEqual(['passed', 'passed', 'passed']);
    expect(loads).toBe(0);
    expect(await Promise.all(['/api', '/API/', '/api/below'].map(get))).toEqual(['answered', 'answered', 'answered']);
    expect(await get('/api')).toBe('answered');
    expect(loads).toBe(1);
  });

  it('are found in whole addresses, which proxies send, and before a query', () => {
    const isBelow = below('/Api', '/v1.0');
    const test = (url: string, path = url) => isBelow({ url, path } as Request);
    expect(['/api?x', '/v1.0/x?y'].every((url) => test(url))).toBe(true);
    expect(test('http://localhost/api', '/api')).toBe(true);
    expect(['/v1x0', '/x?/api', '/api.'].some((url) => test(url))).toBe(false);
  });

  it('fail the request that cannot load them, and the next request loads them', async () => {
    let loads = 0;
    const get = await serve(
      deferRoutes(below('/api'), async () => {
        loads += 1;
        if (loads === 1) throw new Error('not loaded');
        return answer;
      }),
    );
    expect([await get('/api'), await get('/api')]).toEqual(['not loaded', 'answered']);
  });

  it('pass a rejected handler on as an error, which a deferred error handler receives', async () => {
    const get = await serve(
      deferRoutes(below('/api'), async () => async () => {
        throw new Error('rejected');
      }),
      deferErrors(async () => (error: Error, _request, response, _next) => {
        response.send(`handled: ${error.message}`);
      }),
    );
    expect([await get('/api'), await get('/api')]).toEqual(['handled: rejected', 'handled: rejected']);
  });
});
