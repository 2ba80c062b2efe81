import { once } from 'node:events';
import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { setTestServer } from '../test-server.ts';

const server = setTestServer({ default: {} });
const oversized = 'a'.repeat(3_000_000);
const form = 'application/x-www-form-urlencoded';
const policyPath = '/v1.0/policies/authenticationMethodsPolicy';

it.for([
  ['POST', '/sign-in', form],
  ['POST', '/oauth2/token', form],
  ['POST', '/oauth2/introspect', form],
  ['POST', '/oauth2/revoke', form],
  ['POST', '/oauth2/par', form],
  ['POST', '/_control/v1/sandboxes', 'application/json'],
  ['PATCH', policyPath, 'application/json'],
] as const)(
  'payload-too-large: after an oversized body of %s %s, the connection answers further requests',
  async ([method, path, type]) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const token = await issueToken();
    const send = async (length: Readonly<Record<string, string>>): Promise<number | undefined> => {
      const headers = { 'content-type': type, authorization: `Bearer ${token}`, ...length };
      const sent = startRequest(`${server.baseUrl}${path}`, { method, agent, headers });
      sent.end(oversized);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    };
    const statuses: (number | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      statuses.push(await send({ 'content-length': String(oversized.length) }), await send({}));
    }
    expect(statuses).toEqual([413, 413, 413, 413, 413, 413]);
  },
);

async function issueToken(): Promise<string> {
  const response = await fetch(`${server.controlUrl}/sandboxes/default/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ app: 'test', permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'] }),
  });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}
