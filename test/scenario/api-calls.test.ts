import { describe, expect, test } from 'vitest';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';
import { runSuite } from '../../src/scenario/run-suite.ts';
import { setTestServer } from '../test-server.ts';

const fixtures = new FixtureLibrary(['fixtures']);
const options = { workers: 2, bail: false, repeat: 1, coverage: false };
const server = setTestServer({ default: {} });

/** Returns the mismatches of the last step on the model and on a server. */
async function runOnBoth(call: object, expected: object, before: readonly object[] = []) {
  const written = {
    name: 'A claim',
    given: { tenant: 'app-enabled', users: { ada: 'sms-user', ben: 'push-user' } },
    steps: [...before, { callApi: call, expect: expected }],
  };
  const { scenarios, problems } = loadText('suite/one.yaml', JSON.stringify(written), fixtures);
  expect(problems).toEqual([]);
  const driver = new HttpDriver({ controlUrl: server.controlUrl });
  try {
    const { results } = await runSuite(scenarios, [new ModelDriver(), driver], options);
    return results.map(({ message, steps }) => message ?? steps.at(-1)?.mismatches);
  } finally {
    await driver.close();
  }
}

const report = '/v1.0/reports/authenticationMethods/userRegistrationDetails';
const phones = '/v1.0/users/ben/authentication/phoneMethods';
const policy = '/v1.0/policies/authenticationMethodsPolicy';
const error = (code: string) => ({ body: { error: { code } } });

describe('step callApi', () => {
  test.for<[string, object, object]>([
    ['a list', { path: '/v1.0/users?$select=id' }, { status: 200, body: { value: [{ id: 'ada' }, { id: 'ben' }] } }],
    [
      'a filter with spaces and other characters',
      { path: "/beta/users?$filter=displayName eq 'Zoë' or id eq 'ben'&$select=id" },
      { status: 200, body: { value: [{ id: 'ben' }] } },
    ],
    [
      'a filter that is encoded already',
      { path: `${report}?$filter=id%20eq%20'ada'` },
      { status: 200, body: { value: [{ id: 'ada', methodsRegistered: ['mobilePhone'] }] } },
    ],
    ['the logs', { path: '/beta/auditLogs/signIns' }, { status: 200, body: { value: [] } }],
    ['the number of users', { path: '/v1.0/users/$count', headers: { ConsistencyLevel: 'eventual' } }, { body: 2 }],
    ['the service document', { path: '/v1.0/', as: 'none' }, { status: 200 }],
    [
      'the token of a user',
      { path: '/v1.0/me', as: { user: 'ada', permissions: ['User.Read'] } },
      { body: { id: 'ada' } },
    ],
    [
      'a creation',
      {
        method: 'POST',
        path: '/v1.0/users/ada/authentication/emailMethods',
        body: { emailAddress: 'ada@home.test' },
      },
      { status: 201, body: { emailAddress: 'ada@home.test' } },
    ],
    ['a creation without a body', { method: 'POST', path: phones }, { status: 400, ...error('badRequest') }],
    [
      'a body of another media type',
      { method: 'POST', path: phones, body: {}, headers: { 'Content-Type': 'text/plain' } },
      { status: 415 },
    ],
    ['a body that is not valid', { method: 'POST', path: phones, body: { phoneNumber: 1 } }, { status: 400 }],
    ['no token', { path: '/v1.0/users', as: 'none' }, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }],
    ['an invalid token', { path: '/v1.0/users', as: 'invalid' }, { status: 401 }],
    [
      'a token of its own',
      { path: '/v1.0/users', as: 'none', headers: { Authorization: 'Bearer mine' } },
      { status: 401, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
    ],
    [
      'a token without the permission',
      { path: report, as: { app: 'tool', permissions: ['User.Read.All'] } },
      { status: 403 },
    ],
    ['an unknown resource', { path: '/v1.0/nonsense' }, { status: 404 }],
    ['an unknown user', { path: '/v1.0/users/zoe' }, { status: 404 }],
    ['a method that a resource lacks', { method: 'PUT', path: '/v1.0/users/ada' }, { status: 405 }],
    ['the policy', { path: policy }, { status: 200, body: { id: 'authenticationMethodsPolicy' } }],
    [
      'a change of the policy that is outdated',
      { method: 'PATCH', path: policy, body: {}, headers: { 'If-Match': '"1"' } },
      { status: 412 },
    ],
    ['a method that the policy lacks', { method: 'DELETE', path: policy }, { status: 405 }],
    [
      'a batch',
      { method: 'POST', path: '/v1.0/$batch', body: { requests: [{ id: '1', method: 'GET', url: '/users/ben' }] } },
      { status: 200, body: { responses: [{ id: '1', status: 200, body: { id: 'ben' } }] } },
    ],
  ])('DIR1: %s has the same response on the model and on a server', async ([, call, expected]) => {
    expect(await runOnBoth(call, expected)).toEqual([[], []]);
  });

  test('DIR60: a changed policy and a removed method decide the next sign-in', async () => {
    const campaign = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: { state: 'disabled' } } };
    const before = [
      { signIn: { user: 'ada' }, expect: { page: 'prompt' } },
      { callApi: { method: 'PATCH', path: policy, body: campaign }, expect: { status: 200 } },
      { explain: { user: 'ada' }, expect: { reason: 'campaign-disabled' } },
    ];
    const mobile = '3179e48a-750b-4051-897c-87b9720928f7';
    const removal = { method: 'DELETE', path: `${phones}/${mobile}` };
    expect(await runOnBoth(removal, { status: 204, body: null }, before)).toEqual([[], []]);
    const again = [...before, { callApi: removal }];
    const rows = { value: [{ id: 'ben', methodsRegistered: ['vendorAuthenticatorPush'] }] };
    expect(await runOnBoth({ path: `${report}?$filter=id eq 'ben'` }, { body: rows }, again)).toEqual([[], []]);
  });

  test('a response that differs fails the step with both values', async () => {
    const results = await runOnBoth({ path: '/v1.0/users/ada?$select=id' }, { status: 204, body: { id: 'ben' } });
    const mismatches = [
      { key: 'status', expected: 204, actual: 200 },
      { key: 'body', expected: { id: 'ben' }, actual: { id: 'ada' } },
    ];
    expect(results).toMatchObject([mismatches, mismatches]);
  });

  test('options of a passkey fail the step on the model with the drivers that create them', async () => {
    const path = '/v1.0/users/ada/authentication/fido2Methods/creationOptions';
    const [model, http] = await runOnBoth({ path }, { status: 200 });
    expect(model).toMatchObject([{ key: 'step', message: expect.stringMatching(/http or the browser driver/) }]);
    expect(http).toEqual([]);
  });
});
