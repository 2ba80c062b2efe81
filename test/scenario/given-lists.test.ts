import { describe, expect, it } from 'vitest';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';
import { setTestServer } from '../test-server.ts';

const fixtures = new FixtureLibrary(['fixtures']);
const server = setTestServer({ default: {} });

function load(given: string, step = 'signIn: { user: ada }') {
  const text = `name: A claim
given:
  tenant: app-enabled
  users: { ada: sms-user }
${given}
steps:
  - ${step}
  - signIn: { user: ada }
    expect: { page: prompt }
`;
  return loadText('suite/one.yaml', text, fixtures);
}

describe('clients and faults of a scenario', () => {
  it('are given by name, inline, or as changes to a fixture; a client without an id takes the id of its fixture', () => {
    const { scenarios, problems } = load(
      `  clients: [web-site, { extends: browser-app }, { extends: web-site, id: shop-2, signingAlgorithm: RS256 }]
  faults: [push-denied, { extends: registration-fails, user: ada, times: 1 }, { kind: code-never-arrives }]`,
      'setFaults: [expired-token, { extends: slow-tokens, delayMs: 5 }]',
    );
    expect(problems).toEqual([]);
    const [scenario] = scenarios;
    expect(scenario?.plan.clients).toMatchObject([
      { id: 'web-site', kind: 'web', redirectUris: ['https://shop.example/callback'], signingAlgorithm: 'ES256' },
      { id: 'browser-app', kind: 'public', anyLoopbackRedirect: true },
      { id: 'shop-2', signingAlgorithm: 'RS256', secret: 'test-secret' },
    ]);
    expect(scenario?.plan.faults).toEqual([
      { kind: 'push-denied' },
      { kind: 'registration-fails', user: 'ada', times: 1 },
      { kind: 'code-never-arrives' },
    ]);
    expect(scenario?.steps[0]?.say).toEqual([
      { kind: 'token', fault: 'expired' },
      { kind: 'delay', endpoint: 'token', delayMs: 5 },
    ]);
  });

  it.each([
    ['  clients: [nobody]', ':5:13', /"nobody" is not one of the fixtures in clients: browser-app/],
    ['  clients: [web-site, { id: s, kind: public, color: red }]', ':5:23', /color.*allowed: id, name, kind/],
    ['  clients: [web-site, web-site]', ':5:23', /is already used by another client/],
    ['  clients: web-site', ':5:12', /./],
    ['  clients: [7]', ':5:13', /./],
    ['  faults: [push-denied, nope]', ':5:25', /"nope" is not one of the fixtures in faults: badly-signed-token/],
    [
      '  faults: [{ kind: push-denied, user: bob }]',
      ':5:11',
      /user "bob" is not in this scenario; given\.users has ada/,
    ],
    ['  faults: [{ extends: push-denied, times: 0 }]', ':5:12', /times/],
    ['  faults: push-denied', ':5:11', /./],
  ])('scenario-invalid: %s is rejected with its location and the allowed values', (given, place, message) => {
    const { scenarios, problems } = load(given);
    expect(scenarios).toEqual([]);
    expect(problems[0]?.location).toBe(`suite/one.yaml${place}`);
    expect(problems[0]?.message).toMatch(message);
  });

  it.each([
    ['setFaults: [nope]', ':7:17', /"nope" is not one of the fixtures in faults/],
    ['setFaults: [{ extends: push-denied, user: bob }]', ':7:5', /user "bob"/],
    ['setFaults: nope', ':7:16', /./],
    ['setFaults: [7]', ':7:17', /./],
  ])('scenario-invalid: %s is rejected with its location', (step, place, message) => {
    const { scenarios, problems } = load('  lookup: default', step);
    expect(scenarios).toEqual([]);
    expect(problems[0]?.location).toBe(`suite/one.yaml${place}`);
    expect(problems[0]?.message).toMatch(message);
  });

  it('are configured in the sandbox that a driver creates: only its clients can get tokens', async () => {
    const [scenario] = load('  clients: [policy-reader]').scenarios;
    if (scenario === undefined) throw new Error('no scenario');
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const session = await driver.open(scenario);
    const [made] = server.sandboxes.list().filter(({ id }) => id !== 'default');
    const ask = (id: string) =>
      fetch(`${server.baseUrl}/s/${made?.id}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:test-secret`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }).then((response) => response.json());
    expect(await ask('policy-reader')).toMatchObject({ token_type: 'Bearer', expires_in: 300 });
    expect(await ask('test-service')).toMatchObject({ error: 'invalid_client' });
    await session.close();
    await driver.close();
  });
});
