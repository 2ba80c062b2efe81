import { describe, expect, it } from 'vitest';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';

const fixtures = new FixtureLibrary(['fixtures']);

const sound = `name: A registration fails in the office
covers: [R11.8]
given:
  tenant: { extends: office-only, settings: { context: { guestMfa: home-tenant } } }
  users: { ada: sms-user }
  faults: [{ kind: registration-fails, user: ada }]
steps:
  - signIn: { user: ada, network: office }
    expect: { page: prompt }
  - setTenant: { settings: { context: { guestMfa: service } } }
  - setFaults: [{ kind: push-denied }]
`;

function findProblems(text: string): readonly { location: string; message: string }[] {
  return loadText('suite/one.yaml', text, fixtures).problems;
}

describe('faults and context of a scenario', () => {
  it('become part of its plan: settings are merged over a fixture and supplement the facts', () => {
    const { scenarios, problems } = loadText('suite/one.yaml', sound, fixtures);
    expect(problems).toEqual([]);
    const { plan } = scenarios[0] ?? { plan: null };
    expect(plan?.settings.context).toMatchObject({ namedLocations: ['office', 'home'], guestMfa: 'home-tenant' });
    expect(plan?.tenant).not.toHaveProperty('settings');
    expect(plan?.faults).toEqual([{ kind: 'registration-fails', user: 'ada' }]);
  });

  it.each([
    ['an impossible day of a step', `${sound}  - setClock: 2026-02-30T00:00:00Z\n`, /:12:5$|:12:15$/, /ISO 8601/],
    ['an impossible day', `clock: 2026-02-30T00:00:00Z\n${sound}`, /:1:8$/, /ISO 8601/],
    ['an unknown fault', sound.replace('registration-fails', 'registration-lost'), /:6:\d+$/, /given\.faults/],
    ['a fault with a key of another', sound.replace('push-denied', 'push-denied, status: 500'), /:11:\d+$/, /"status"/],
    ['an unknown setting', sound.replace('guestMfa: home', 'guestsMfa: home'), /:4:\d+$/, /tenant\.settings\.context/],
    ['a user of a fault who is not given', sound.replace('user: ada }]', 'user: bob }]'), /:6:\d+$/, /"bob"/],
    [
      'a user of a later fault who is not given',
      sound.replace('push-denied', 'push-denied, user: bob'),
      /:11:\d+$/,
      /"bob"/,
    ],
  ])('scenario-invalid: %s is reported with its location', (_what, text, place, message) => {
    expect(findProblems(text)).toEqual([
      { location: expect.stringMatching(place), message: expect.stringMatching(message) },
    ]);
  });
});
