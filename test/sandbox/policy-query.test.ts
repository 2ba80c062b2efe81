import { describe, expect, test } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { administrator, campaignBody, createSandbox, getPolicyBody } from './policy-sandbox.ts';

const context = '../$metadata#authenticationMethodsPolicy';

function read(sandbox: Sandbox, query: string): Record<string, unknown> {
  return JSON.parse(String(sandbox.policy.read(administrator, { query }).bytes)) as Record<string, unknown>;
}

function refusal(sandbox: Sandbox, query: string): readonly (readonly [string, string])[] {
  try {
    sandbox.policy.read(administrator, { query });
  } catch (error) {
    if (error instanceof NudgeLabError && error.code === 'bad-request')
      return error.problems.map(({ location: place, message }) => [place, message] as const);
    throw error;
  }
  throw new Error(`${query} was not refused.`);
}

describe('$select', () => {
  test.for<[string, readonly string[]]>([
    ['$select=id', ['id']],
    ['%24select=id,policyVersion', ['id', 'policyVersion']],
    ['select=registrationEnforcement', ['registrationEnforcement']],
    ['$SELECT=%20REGISTRATIONENFORCEMENT%20,+id', ['id', 'registrationEnforcement']],
    ['$select=id,id', ['id']],
    ['$select=id&api-version=1.0', ['id']],
    ['$select=id&$expand=authenticationMethodConfigurations', ['id', 'authenticationMethodConfigurations']],
  ])('GET: %s returns each named property in full', async ([query, names]) => {
    const sandbox = await createSandbox();
    const whole = getPolicyBody(sandbox);
    expect(read(sandbox, query)).toEqual({
      '@odata.context': `${context}(${names.join(',')})`,
      ...Object.fromEntries(names.map((name) => [name, whole[name]])),
    });
  });

  test.for([[''], ['$select=*'], ['$select=id,*'], ['$expand=authenticationMethodConfigurations'], ['api-version=1']])(
    'GET: %j returns the whole policy',
    async ([query = '']) => {
      const sandbox = await createSandbox();
      expect(read(sandbox, query)).toEqual(getPolicyBody(sandbox));
    },
  );

  test('GET: a partial response has the ETag of the whole policy, so it can be used for an update', async () => {
    const sandbox = await createSandbox();
    const { etag } = sandbox.policy.read(administrator, { query: '$select=id' });
    const change = campaignBody({ snoozeDurationInDays: 7 });
    expect((await sandbox.policy.update(administrator, change, { ifMatch: etag })).status).toBe(200);
    expect(sandbox.policy.read(administrator, { query: '$select=id' }).etag).not.toBe(etag);
  });

  test('PATCH: sending back a partial response returns 200 and changes nothing', async () => {
    const sandbox = await createSandbox();
    const body = read(sandbox, '$select=registrationEnforcement,lastModifiedDateTime');
    expect((await sandbox.policy.update(administrator, body)).status).toBe(200);
    expect(sandbox.entryCount).toBe(1);
  });

  test('PATCH: the response contains the selected properties, and an invalid option changes nothing', async () => {
    const sandbox = await createSandbox();
    const { bytes } = await sandbox.policy.update(administrator, campaignBody({ snoozeDurationInDays: 7 }), {
      query: '$select=id',
    });
    expect(Object.keys(JSON.parse(String(bytes)) as object)).toEqual(['@odata.context', 'id']);
    const entries = sandbox.entryCount;
    const wrong = sandbox.policy.update(administrator, campaignBody({ snoozeDurationInDays: 8 }), { query: '$top=1' });
    await expect(wrong).rejects.toMatchObject({ code: 'bad-request' });
    expect(sandbox.entryCount).toBe(entries);
  });
});

describe('rejected query options', () => {
  test.for<[string, readonly string[]]>([
    ['$filter=id eq 1', ['$filter']],
    [
      '$top=1&$count=true&$orderby=id&$search=x&$skip=1&$skiptoken=x',
      ['$top', '$count', '$orderby', '$search', '$skip', '$skiptoken'],
    ],
    ['filter=x', ['filter']],
    ['$unknown=1', ['$unknown']],
    ['fields=id', ['fields']],
    ['$select=id&$Select=id', ['$Select']],
    ['$select=', ['$select']],
    ['$select=id,,state', ['$select', '$select']],
    ['$select=@odata.context', ['$select']],
    ['$select=constructor', ['$select']],
    ['$expand=registrationEnforcement', ['$expand']],
  ])('bad-request: %s', async ([query, places]) => {
    expect(refusal(await createSandbox(), query).map(([place]) => place)).toEqual(places);
  });

  test('bad-request: the message for an unknown name has the wording that clients know and lists the allowed names', async () => {
    const [[, message] = ['', '']] = refusal(await createSandbox(), '$select=foo');
    expect(message).toContain(`Could not find a property named 'foo' on type 'graph.authenticationMethodsPolicy'`);
    expect(message).toContain('registrationEnforcement');
  });
});
