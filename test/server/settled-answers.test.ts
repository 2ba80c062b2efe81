import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { type IdentityServer, type Question, startIdentityServer } from './identity-server.ts';

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer();
});

afterAll(() => server.close());

/** Asks for something while the store has not saved everything. Returns the status, which must wait for the store. */
async function askWhilePending(path: string, question: Question = {}): Promise<number> {
  const [waiting, safe] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  vi.spyOn(server.sandbox, 'settled').mockImplementationOnce(() => {
    waiting.resolve();
    return safe.promise;
  });
  let answered = false;
  const answer = server.ask(path, question).then(({ status }) => {
    answered = true;
    return status;
  });
  await waiting.promise;
  await server.ask(path, question);
  expect(answered).toBe(false);
  safe.resolve();
  return answer;
}

test.for([
  ['D1', '/api/v1/document/'],
  ['D1', '/api/v1/document/999999/'],
  ['L1', '/api/v2/?action=usage'],
] as const)('%s: the response of %s is sent only after the store contains what it shows', async ([, path]) => {
  expect(await askWhilePending(path)).toBeGreaterThanOrEqual(200);
});

const policy = '/v1.0/policies/authenticationMethodsPolicy';
const otherVersion = { 'if-match': '"0"', 'content-type': 'application/json' };

test.for([
  ['the policy', policy],
  ['a method configuration', `${policy}/authenticationMethodConfigurations/fido2`],
] as const)('412: the current version of %s is sent only after the store contains it', async ([, path]) => {
  const { access_token: token } = await server.sandbox.tokens.issue({
    permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
    roles: ['Authentication Policy Administrator'],
  });
  const headers = { ...otherVersion, authorization: `Bearer ${token}` };
  expect(await askWhilePending(path, { method: 'PATCH', headers, body: '{}' })).toBe(412);
});

test('404: that a user is missing is sent only after the store contains it', async () => {
  expect(await askWhilePending(`/_control/v1/sandboxes/${server.sandbox.id}/users/unknown`)).toBe(404);
});

test('store-failed: an error that may show lost data becomes the error of the store', async () => {
  vi.spyOn(server.sandbox, 'settled').mockImplementationOnce(() => Promise.reject(new NudgeLabError('store-failed')));
  const path = `/_control/v1/sandboxes/${server.sandbox.id}/users/unknown`;
  expect((await server.ask(path)).text).toContain('"code":"store-failed"');
});
