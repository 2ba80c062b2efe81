import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PasskeyType, passkeyTypes, type TenantFacts } from '../../machines/vocabulary.ts';
import { representativeAaguids } from '../../src/contract/aaguids.ts';
import { policySchema } from '../../src/contract/policy.schema.ts';
import { tenantFacts } from '../machines/facts-arbitrary.ts';
import { nonEmpty } from '../non-empty.ts';
import {
  administrator,
  campaignBody,
  catchRejection,
  createSandbox,
  enabledTenant,
  getPolicyBody,
  guids,
} from './policy-sandbox.ts';

/** Random seed of the property tests. A failure reports it with its path, so the failure can be reproduced. */
const propertySeed = 20_260_105;

/** Ids of all kinds, including ids that the API itself would reject. */
const ids = fc.constantFrom('team', 'Team', guids.sales, guids.sales.toUpperCase(), 'ada', 'ä b');

const facts: fc.Arbitrary<TenantFacts> = fc
  .tuple(tenantFacts, fc.array(fc.tuple(fc.constantFrom('user', 'group'), ids), { maxLength: 5 }), fc.nat())
  .map(([tenant, others, at]) => {
    const targets = others.map(([targetType, id]) => ({ targetType, id }) as const);
    const { campaign } = tenant;
    const method = campaign.includeTargets[0]?.targetedAuthenticationMethod ?? 'fido2';
    const included = targets.slice(0, at % 5).map((one) => ({ ...one, targetedAuthenticationMethod: method }));
    return {
      ...tenant,
      campaign: { ...campaign, includeTargets: [...campaign.includeTargets, ...included], excludeTargets: targets },
    };
  });

const wireNames = fc.constantFrom('vendorAuthenticator', 'otherAuthenticator', 'X');

describe('PATCH with a GET response', () => {
  test('PATCH: sending back the whole response returns 200 and changes nothing, for any tenant', async () => {
    await fc.assert(
      fc.asyncProperty(facts, wireNames, async (tenant, authenticatorWireName) => {
        const sandbox = await createSandbox({ tenant, settings: { authenticatorWireName } });
        const before = sandbox.directory.tenant();
        const { etag } = sandbox.policy.read(administrator);
        const answer = await sandbox.policy.update(administrator, getPolicyBody(sandbox));
        expect({ status: answer.status, etag: answer.etag }).toEqual({ status: 200, etag });
        expect(sandbox.directory.tenant()).toEqual(before);
        expect(sandbox.entryCount).toBe(1);
      }),
      { seed: propertySeed, numRuns: 300 },
    );
  });

  test('PATCH: every part of the response can be sent back separately', async () => {
    const sandbox = await createSandbox({
      tenant: { campaign: { excludeTargets: [{ targetType: 'user', id: 'ada' }] } },
    });
    for (const [key, value] of nonEmpty(Object.entries(getPolicyBody(sandbox)))) {
      expect((await sandbox.policy.update(administrator, { [key]: value })).status, key).toBe(200);
    }
    expect(sandbox.entryCount).toBe(1);
  });

  test('GET: the response matches the contract for any tenant', async () => {
    await fc.assert(
      fc.asyncProperty(facts, wireNames, async (tenant, authenticatorWireName) => {
        const sandbox = await createSandbox({ tenant, settings: { authenticatorWireName } });
        expect(policySchema.safeParse(getPolicyBody(sandbox)).error).toBeUndefined();
      }),
      { seed: propertySeed, numRuns: 100 },
    );
  });
});

describe('PATCH with an older GET response', () => {
  test('PATCH: sending back a stored response after other updates reverts their changes', async () => {
    const sandbox = await createSandbox({ tenant: enabledTenant() });
    const [stored, facts] = [getPolicyBody(sandbox), sandbox.directory.tenant()];
    for (const snoozeDurationInDays of [7, 9]) {
      await sandbox.clock.advance({ hours: 2 });
      await sandbox.policy.update(administrator, campaignBody({ snoozeDurationInDays }));
    }
    await sandbox.policy.update(administrator, { policyMigrationState: 'preMigration' });
    const between = getPolicyBody(sandbox);
    await sandbox.clock.advance({ hours: 2 });
    expect((await sandbox.policy.update(administrator, stored)).status).toBe(200);
    expect(sandbox.directory.tenant()).toEqual(facts);
    expect({ ...getPolicyBody(sandbox), lastModifiedDateTime: '' }).toEqual({ ...stored, lastModifiedDateTime: '' });
    expect((await sandbox.policy.update(administrator, between)).body).toMatchObject({
      policyMigrationState: 'preMigration',
    });
  });

  test('PATCH: a stored response can be sent back even if the clock was set back', async () => {
    const sandbox = await createSandbox({ tenant: enabledTenant() });
    await sandbox.clock.advance({ days: 3 });
    await sandbox.policy.update(administrator, campaignBody({ snoozeDurationInDays: 7 }));
    const stored = getPolicyBody(sandbox);
    await sandbox.clock.set({ nowMs: Date.parse('2025-12-01T00:00:00Z') });
    await sandbox.policy.update(administrator, campaignBody({ snoozeDurationInDays: 9 }));
    expect((await sandbox.policy.update(administrator, stored)).status).toBe(200);
    expect(getPolicyBody(sandbox)['lastModifiedDateTime']).toBe('2025-12-01T00:00:00.000Z');
  });

  test('bad-request: rejects a modification time at which the policy did not change', async () => {
    const sandbox = await createSandbox();
    await sandbox.clock.advance({ hours: 2 });
    for (const lastModifiedDateTime of ['2026-01-05T08:59:59.999Z', '2026-01-05T09:00:00.001Z', 1, null, 'now']) {
      expect(
        (await catchRejection(sandbox, { lastModifiedDateTime })).problems.map(({ location: place }) => place),
      ).toEqual(['lastModifiedDateTime']);
    }
  });
});

describe('read-only properties', () => {
  test.for<[string, unknown]>([
    ['id', 'anotherPolicy'],
    ['displayName', 'Another'],
    ['description', null],
    ['lastModifiedDateTime', '1999-12-31T00:00:00Z'],
    ['lastModifiedDateTime', '2026-01-05T09:00:00'],
    ['policyVersion', '0.0-other'],
    ['@odata.context', 'http://localhost/another#context'],
    ['@odata.etag', '"x"'],
    ['authenticationMethodConfigurations', []],
    ['authenticationMethodConfigurations', null],
  ])('bad-request: %s cannot be changed to %j', async ([key, value]) => {
    const sandbox = await createSandbox();
    const { code, problems } = await catchRejection(sandbox, { [key]: value, policyMigrationState: 'preMigration' });
    expect({ code, places: problems.map(({ location: place }) => place) }).toEqual({
      code: 'bad-request',
      places: [key],
    });
    expect(sandbox.entryCount).toBe(1);
  });

  test('bad-request: nothing inside a method configuration can be changed', async () => {
    const sandbox = await createSandbox();
    const { authenticationMethodConfigurations } = structuredClone(getPolicyBody(sandbox)) as {
      authenticationMethodConfigurations: [{ keyRestrictions: { isEnforced: boolean } }];
    };
    authenticationMethodConfigurations[0].keyRestrictions.isEnforced = true;
    expect((await catchRejection(sandbox, { authenticationMethodConfigurations })).code).toBe('bad-request');
  });

  test('bad-request: a method configuration can be neither added nor removed', async () => {
    const sandbox = await createSandbox();
    const { authenticationMethodConfigurations: held = [] } = sandbox.policy.read(administrator).body ?? {};
    for (const authenticationMethodConfigurations of [[...held, held[0]], held.slice(0, -1)]) {
      expect((await catchRejection(sandbox, { authenticationMethodConfigurations })).code).toBe('bad-request');
    }
  });

  test.for<[unknown]>([
    [{ lastModifiedDateTime: '2026-01-05T09:00:00Z' }],
    [{ lastModifiedDateTime: '2026-01-05T10:00:00.0000000+01:00' }],
    [{ '@odata.type': '#some.namespace.authenticationMethodsPolicy' }],
    [{ registrationEnforcement: { '@odata.type': '#registrationEnforcement' } }],
    [campaignBody({ '@odata.type': 'authenticationMethodsRegistrationCampaign' })],
  ])('PATCH: %j repeats the current value and is ignored', async ([body]) => {
    const sandbox = await createSandbox();
    expect((await sandbox.policy.update(administrator, body)).status).toBe(200);
    expect(sandbox.entryCount).toBe(1);
  });

  test('GET: the modification time follows the virtual clock, and changes do not affect the version', async () => {
    const sandbox = await createSandbox();
    const before = getPolicyBody(sandbox);
    await sandbox.clock.advance({ hours: 2 });
    await sandbox.policy.update(administrator, campaignBody({ snoozeDurationInDays: 7 }));
    expect(before).toMatchObject({ lastModifiedDateTime: '2026-01-05T09:00:00.000Z' });
    expect(getPolicyBody(sandbox)).toMatchObject({ lastModifiedDateTime: '2026-01-05T11:00:00.000Z' });
    expect(getPolicyBody(sandbox)['policyVersion']).toBe(before['policyVersion']);
  });
});

describe('the tenant’s own name for the authenticator app', () => {
  const settings = { authenticatorWireName: 'exampleAuthenticator' };
  const target = (method: string) => ({
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }],
  });

  test.for([['exampleAuthenticator'], ['EXAMPLEauthenticator'], ['vendorAuthenticator'], ['VENDORAUTHENTICATOR']])(
    'PATCH: %s is accepted and returned in the spelling of the tenant',
    async ([method = '']) => {
      const sandbox = await createSandbox({ tenant: enabledTenant('fido2'), settings });
      const { body } = await sandbox.policy.update(administrator, campaignBody(target(method)));
      expect(body?.registrationEnforcement.authenticationMethodsRegistrationCampaign).toMatchObject(
        target('exampleAuthenticator'),
      );
      expect(sandbox.directory.tenant().campaign).toMatchObject(target('vendorAuthenticator'));
    },
  );

  test('GET: the targets and the configuration use the name, even after it changes', async () => {
    const sandbox = await createSandbox();
    const configurations = () =>
      sandbox.policy.read(administrator).body?.authenticationMethodConfigurations.map(({ id }) => id);
    expect(configurations()).toEqual(expect.arrayContaining(['Fido2', 'VendorAuthenticator']));
    await sandbox.directory.putSettings(settings, 'control-api');
    expect(configurations()).toEqual(expect.arrayContaining(['Fido2', 'ExampleAuthenticator']));
    expect(getPolicyBody(sandbox)).toMatchObject(campaignBody(target('exampleAuthenticator')) as object);
  });

  test('bad-request: rejects the name that another tenant uses', async () => {
    const sandbox = await createSandbox();
    expect((await catchRejection(sandbox, campaignBody(target('exampleAuthenticator')))).code).toBe('bad-request');
  });
});

describe('facts in GET responses', () => {
  test('GET: settings that were never configured have their default values', async () => {
    const sandbox = await createSandbox({ tenant: {} });
    expect(getPolicyBody(sandbox)).toMatchObject(
      campaignBody({
        state: 'default',
        snoozeDurationInDays: 1,
        enforceRegistrationAfterAllowedSnoozes: true,
        includeTargets: [],
        excludeTargets: [],
      }) as object,
    );
  });

  test('GET: returns the passkey method with its profiles and restrictions', async () => {
    const fido2 = {
      selfService: false,
      keyRestrictions: { type: 'block', kinds: ['keychain'] },
      profiles: [
        { id: 'p1', passkeyTypes: 'synced', attestationEnforced: false },
        {
          id: 'p2',
          passkeyTypes: 'any',
          attestationEnforced: true,
          keyRestrictions: { type: 'allow', kinds: ['security-key'] },
        },
      ],
      includeTargets: [{ targetType: 'group', id: 'team', profiles: ['p2'] }],
      excludeTargets: [{ targetType: 'user', id: 'ada' }],
    };
    const { body } = (await createSandbox({ tenant: { methodsPolicy: { fido2 } } })).policy.read(administrator);
    const none = { isEnforced: false, enforcementType: 'allow', aaGuids: [] };
    expect(body?.authenticationMethodConfigurations[0]).toEqual({
      '@odata.type': '#graph.fido2AuthenticationMethodConfiguration',
      id: 'Fido2',
      state: 'enabled',
      isSelfServiceRegistrationAllowed: false,
      isAttestationEnforced: false,
      keyRestrictions: { isEnforced: true, enforcementType: 'block', aaGuids: [representativeAaguids.keychain] },
      passkeyProfiles: [
        { id: 'p1', name: 'p1', passkeyTypes: 'synced', attestationEnforcement: 'disabled', keyRestrictions: none },
        {
          id: 'p2',
          name: 'p2',
          passkeyTypes: 'deviceBound,synced',
          attestationEnforcement: 'registrationOnly',
          keyRestrictions: {
            isEnforced: true,
            enforcementType: 'allow',
            aaGuids: [representativeAaguids['security-key']],
          },
        },
      ],
      defaultPasskeyProfile: 'p1',
      excludeTargets: [{ targetType: 'user', id: 'ada' }],
      includeTargets: [
        { targetType: 'group', id: 'team', isRegistrationRequired: false, allowedPasskeyProfiles: ['p2'] },
      ],
    });
  });

  test('GET: reflects every change of the methods policy and keeps unchanged parts', async () => {
    const sandbox = await createSandbox();
    const methods = () => sandbox.policy.read(administrator).body?.authenticationMethodConfigurations;
    const before = methods();
    await sandbox.policy.update(administrator, campaignBody({ state: 'disabled' }));
    expect(methods()).toEqual(before);
    await sandbox.directory.patchTenant({ methodsPolicy: { fido2: { selfService: false } } }, 'control-api');
    expect(methods()?.[0]).toMatchObject({ isSelfServiceRegistrationAllowed: false });
  });

  test('GET: returns the app method with its modes', async () => {
    const includeTargets = [{ targetType: 'group', id: 'team', authenticationMode: 'deviceBasedPush' }];
    const authenticator = { state: 'disabled', includeTargets };
    const { body } = (await createSandbox({ tenant: { methodsPolicy: { authenticator } } })).policy.read(administrator);
    const app = body?.authenticationMethodConfigurations.find(({ id }) => id === 'VendorAuthenticator');
    expect(app).toMatchObject({
      state: 'disabled',
      includeTargets: [{ ...includeTargets[0], isRegistrationRequired: false }],
    });
  });

  test.for(nonEmpty(passkeyTypes.map((type): [PasskeyType] => [type])))(
    'GET: %s is represented by an AAGUID',
    async ([type]) => {
      const fido2 = { keyRestrictions: { type: 'allow', kinds: [type] } };
      const { body } = (await createSandbox({ tenant: { methodsPolicy: { fido2 } } })).policy.read(administrator);
      expect(body?.authenticationMethodConfigurations[0]).toMatchObject({
        keyRestrictions: { aaGuids: [representativeAaguids[type]] },
      });
    },
  );
});
