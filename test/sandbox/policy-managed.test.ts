import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  administrator,
  campaignBody,
  catchRejection,
  createSandbox,
  enabledTenant,
  getCampaign,
  guids,
  refusedPlaces,
} from './policy-sandbox.ts';

const everybody = { targetType: 'group', id: 'all_users' };
const allRolledOut = { method: true, snoozeDays: true, snoozeLimit: true, targeting: true };

/**
 * Creates a sandbox that stores five days, a snooze limit, and the app. After the rollout, the effective settings are
 * one day, unlimited snoozes, and the passkey.
 */
function managed(state: 'default' | null, rolledOut = true): Promise<Sandbox> {
  const campaign = { ...enabledTenant().campaign, state, snoozeDurationInDays: 5 };
  return createSandbox({ tenant: { campaign, ...(rolledOut ? { rollout: allRolledOut } : {}) } });
}

const methodPlace = 'includeTargets[0].targetedAuthenticationMethod';

const accepted: readonly (readonly [string, object])[] = [
  ['the stored days', { snoozeDurationInDays: 5 }],
  ['the stored limit', { enforceRegistrationAfterAllowedSnoozes: true }],
  ['the stored values with the state', { state: 'default', snoozeDurationInDays: 5 }],
  ['other targets with the stored method', targeting('vendorAuthenticator', guids.sales)],
  ['no targets', { includeTargets: [] }],
  ['exclude targets', { excludeTargets: [{ targetType: 'group', id: guids.legal }] }],
  ['leaving by enabling, every field at once', { state: 'enabled', snoozeDurationInDays: 10, ...targeting('fido2') }],
  ['leaving by disabling, every field at once', { state: 'disabled', enforceRegistrationAfterAllowedSnoozes: false }],
];

const refused: readonly (readonly [string, object, readonly string[]])[] = [
  ['other days', { snoozeDurationInDays: 6 }, ['snoozeDurationInDays']],
  ['the days in force, which are not stored', { snoozeDurationInDays: 1 }, ['snoozeDurationInDays']],
  ['another limit', { enforceRegistrationAfterAllowedSnoozes: false }, ['enforceRegistrationAfterAllowedSnoozes']],
  ['the method in force, which is not stored', targeting('fido2'), [methodPlace]],
  ['other days with the state', { state: 'default', snoozeDurationInDays: 6 }, ['snoozeDurationInDays']],
  [
    'everything at once, and a bad id besides',
    {
      snoozeDurationInDays: 6,
      enforceRegistrationAfterAllowedSnoozes: false,
      ...targeting('fido2'),
      excludeTargets: [{ targetType: 'group', id: 'legal' }],
    },
    ['excludeTargets[0].id', 'snoozeDurationInDays', 'enforceRegistrationAfterAllowedSnoozes', methodPlace],
  ],
  [
    'another method in one of two targets',
    {
      includeTargets: [
        ...targeting('vendorAuthenticator', guids.sales).includeTargets,
        ...targeting('vendorAuthenticator', guids.legal).includeTargets,
        ...targeting('fido2').includeTargets,
      ],
    },
    ['includeTargets'],
  ],
];

function targeting(method: string, id = 'all_users'): { readonly includeTargets: readonly object[] } {
  return { includeTargets: [{ ...everybody, id, targetedAuthenticationMethod: method }] };
}

describe.for(['default', null] as const)('A17: provider-managed campaign, stored as %j', (state) => {
  test.for(accepted)('A50: %s returns 200', async ([, change]) => {
    const sandbox = await managed(state);
    const before = getCampaign(sandbox);
    expect((await sandbox.policy.update(administrator, campaignBody(change))).status).toBe(200);
    expect(getCampaign(sandbox)).toEqual({ ...before, ...change });
  });

  test.for(refused)('A17: %s returns 400', async ([, change, places]) => {
    const sandbox = await managed(state);
    expect(await refusedPlaces(sandbox, change)).toEqual(places);
    expect(sandbox.entryCount).toBe(1);
  });
});

describe('A17: error messages', () => {
  const places = (message: string) => message.split('; the provider')[0];

  test('A17: the message names the method, value, and stored value of each target in the tenant’s own terms', async () => {
    const sandbox = await createSandbox({
      tenant: { campaign: { ...enabledTenant().campaign, state: 'default' } },
      settings: { authenticatorWireName: 'phoneApp' },
    });
    const includeTargets = [guids.sales, guids.legal].flatMap((id) => targeting('fido2', id).includeTargets);
    const { problems } = await catchRejection(sandbox, campaignBody({ includeTargets }));
    expect(problems.map(({ location: place }) => place.split('.').slice(2).join('.'))).toEqual([
      'includeTargets[0].targetedAuthenticationMethod',
      'includeTargets[1].targetedAuthenticationMethod',
    ]);
    for (const { message } of problems) expect(places(message)).toMatch(/^"fido2" .* "phoneApp"/);
  });

  test('R2: two methods are rejected with the name of the field and both values', async () => {
    const includeTargets = [...targeting('fido2').includeTargets, ...targeting('vendorAuthenticator').includeTargets];
    const { problems } = await catchRejection(await createSandbox(), campaignBody({ includeTargets }));
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/targetedAuthenticationMethod.*"fido2".*"vendorAuthenticator"/),
    ]);
  });
});

describe('A50: evaluation against the state after a PATCH', () => {
  test('A50: switching to provider managed keeps the stored values', async () => {
    const sandbox = await createSandbox();
    const before = getCampaign(sandbox);
    await sandbox.policy.update(administrator, campaignBody({ state: 'default' }));
    expect(getCampaign(sandbox)).toEqual({ ...before, state: 'default' });
  });

  test.for<[object, readonly string[]]>([
    [{ state: 'default', snoozeDurationInDays: 4 }, ['snoozeDurationInDays']],
    [{ state: 'DEFAULT', enforceRegistrationAfterAllowedSnoozes: false }, ['enforceRegistrationAfterAllowedSnoozes']],
    [{ state: 'default', ...targeting('fido2') }, [methodPlace]],
  ])('A50: switching to provider managed with %j returns 400', async ([change, places]) => {
    expect(await refusedPlaces(await createSandbox(), change)).toEqual(places);
  });

  test('A18: a GET returns the stored values, regardless of the effective ones', async () => {
    for (const sandbox of [await managed('default', false), await managed('default', true)]) {
      expect(getCampaign(sandbox)).toMatchObject({ state: 'default', snoozeDurationInDays: 5 });
    }
  });

  test('A17: a disabled campaign can be configured', async () => {
    const campaign = { ...enabledTenant().campaign, state: 'disabled' };
    const sandbox = await createSandbox({ tenant: { campaign } });
    const change = campaignBody({ snoozeDurationInDays: 9, ...targeting('fido2') });
    expect((await sandbox.policy.update(administrator, change)).status).toBe(200);
  });
});
