import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { servedAt } from './served.ts';

const path = 'v1.0/policies/authenticationMethodsPolicy';

describe('token', () => {
  it('prints a bare token that can read and write the policy', async () => {
    const url = await servedAt();
    const { code, stdout, stderr } = await runHere(['token', '--url', `${url}/`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const response = await fetch(`${url}/${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${stdout.trimEnd()}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(200);
    expect(decodeJwt(stdout.trimEnd())).toMatchObject({ iss: url, aud: url, sub: 'administrator' });
  });

  it('--json prints the whole response for the given user, permissions, roles and lifetime', async () => {
    const url = await servedAt();
    const ended = await runHere([
      ...['token', '--url', url, '--json', '--user', 'sms-user', '--permission', 'Policy.Read.All,User.Read'],
      ...['--role', 'Global Reader', '--expires', '60'],
    ]);
    const answer = parseOutput(ended) as { access_token: string };
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 60 });
    expect(decodeJwt(answer.access_token)).toMatchObject({
      sub: 'sms-user',
      scp: 'Policy.Read.All User.Read',
      wids: ['Global Reader'],
    });
  });

  it.each(['api://notes/read', 'openid', 'read:document', 'User.ReadBasic.All'])(
    '--permission accepts %s: a permission of an own API, of OpenID Connect and of the built-in APIs',
    async (permission) => {
      const { stdout } = await runHere(['token', '--url', await servedAt(), '--permission', permission]);
      expect(decodeJwt(stdout.trimEnd())).toMatchObject({ scp: permission });
    },
  );

  it('usage-invalid: a permission that no API has is named with the option, the allowed ones and the nearest one', async () => {
    const argv = ['token', '--url', await servedAt(), '--permission', 'Policy.Read.All,Policy.Raed.All'];
    const { code, stdout, stderr } = await runHere(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('error usage-invalid');
    expect(stderr).toContain('--permission: "Policy.Raed.All" is not one of Policy.Read.All, ');
    expect(stderr).toContain('; did you mean "Policy.Read.All"?');
  });

  it('--app issues a token without a user', async () => {
    const { stdout } = await runHere(['token', '--url', await servedAt(), '--app', 'nightly']);
    const claims = decodeJwt(stdout.trimEnd());
    expect(claims).toMatchObject({ sub: 'nightly', roles: expect.arrayContaining(['Policy.Read.All']) });
    expect(claims).not.toHaveProperty('scp');
  });

  it.each([
    [['--user', 'nobody'], 'user-not-found'],
    [['--user', 'sms-user', '--app', 'nightly'], 'bad-request'],
    [['--sandbox', 'nowhere'], 'sandbox-not-found'],
    [['--expires', '0'], 'usage-invalid'],
  ])('the options %j lead to exit code 2 and the error %s', async (argv, error) => {
    const { code, stdout, stderr } = await runHere(['token', '--url', await servedAt(), ...argv]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error ${error}:`);
  });

  it('server-unreachable: a URL without a server is reported', async () => {
    const { code, stderr } = await runHere(['token', '--url', 'http://localhost:9']);
    expect({ code, known: stderr.startsWith('error server-unreachable') }).toEqual({ code: 2, known: true });
  });
});
