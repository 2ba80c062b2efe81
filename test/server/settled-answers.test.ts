import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type IdentityServer, startIdentityServer } from './identity-server.ts';

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer();
});

afterAll(() => server.close());

test.for([
  ['D1', '/api/v1/document/'],
  ['L1', '/api/v2/?action=usage'],
] as const)('%s: the response of %s is sent only after the store contains what it shows', async ([, path]) => {
  const [waiting, safe] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  vi.spyOn(server.sandbox, 'settled').mockImplementationOnce(() => {
    waiting.resolve();
    return safe.promise;
  });
  let answered = false;
  const answer = server.ask(path).then(() => {
    answered = true;
  });
  await waiting.promise;
  await server.ask(path);
  expect(answered).toBe(false);
  safe.resolve();
  await answer;
  expect(answered).toBe(true);
});
