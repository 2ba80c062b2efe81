import { expect, it } from 'vitest';
import { userAttemptsMax } from '../../../src/core/limits.ts';
import { oidcServer } from './oidc-server.ts';

const clients = ['job', 'other'].map((id) => ({
  id,
  kind: 'service' as const,
  secret: 'right-secret',
  appRoles: ['Policy.Read.All' as const],
}));

type SecretCheck = (
  path: string,
  client: string,
  secret: string,
) => Promise<{ status: number; wait: string | null; error: string }>;

async function served(): Promise<{
  ask: SecretCheck;
  inBody: SecretCheck;
  sandbox: Awaited<ReturnType<typeof oidcServer>>['sandbox'];
}> {
  const { issuer, sandbox } = await oidcServer({ clients });
  const send = async (path: string, body: URLSearchParams, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${issuer}/oauth2/${path}`, { method: 'POST', body, headers });
    const { error = '' } = (await response.json().catch(() => ({}))) as { error?: string };
    return { status: response.status, wait: response.headers.get('retry-after'), error };
  };
  const form = (path: string): Record<string, string> =>
    path === 'token' ? { grant_type: 'client_credentials' } : { token: 'any' };
  return {
    sandbox,
    ask: (path, client, secret) =>
      send(path, new URLSearchParams(form(path)), { authorization: `Basic ${btoa(`${client}:${secret}`)}` }),
    inBody: (path, client, secret) =>
      send(path, new URLSearchParams({ ...form(path), client_id: client, client_secret: secret }), {}),
  };
}

it('061: after ten wrong client secrets the correct one is rejected everywhere and by every method for ten minutes', async () => {
  const { ask, inBody, sandbox } = await served();
  for (let guess = 0; guess < userAttemptsMax; guess += 1) {
    const [path, by] = guess % 2 === 0 ? (['token', ask] as const) : (['introspect', inBody] as const);
    expect(await by(path, 'job', `wrong-${guess}`)).toMatchObject({ status: 401, error: 'invalid_client' });
  }
  for (const path of ['token', 'introspect', 'revoke']) {
    for (const by of [ask, inBody]) {
      expect(await by(path, 'job', 'right-secret')).toEqual({
        status: 429,
        wait: '600',
        error: 'temporarily_unavailable',
      });
    }
  }
  expect(await ask('token', 'other', 'right-secret')).toMatchObject({ status: 200 });
  await sandbox.clock.advance({ minutes: 10 });
  expect(await ask('token', 'job', 'right-secret')).toMatchObject({ status: 200 });
});

it('061: a correct secret resets the count', async () => {
  const { ask } = await served();
  for (let round = 0; round < 3; round += 1) {
    for (let guess = 1; guess < userAttemptsMax; guess += 1) await ask('token', 'job', 'wrong');
    expect(await ask('token', 'job', 'right-secret')).toMatchObject({ status: 200 });
  }
});
