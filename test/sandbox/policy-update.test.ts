import { describe, expect, test } from 'vitest';
import { policyProblemsMax, policyTargetsMax } from '../../src/core/limits.ts';
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

const includeApp = { targetType: 'group', id: guids.sales, targetedAuthenticationMethod: 'vendorAuthenticator' };
const includePasskey = { ...includeApp, targetedAuthenticationMethod: 'fido2' };
const excludeLegal = { targetType: 'group', id: guids.legal };

async function patch(sandbox: Sandbox, campaign: unknown): Promise<number> {
  return (await sandbox.policy.update(administrator, campaignBody(campaign))).status;
}

describe('merging a PATCH', () => {
  test.for<[string, object]>([
    ['one number', { snoozeDurationInDays: 14 }],
    ['zero', { snoozeDurationInDays: 0 }],
    ['one flag', { enforceRegistrationAfterAllowedSnoozes: false }],
    ['the state', { state: 'disabled' }],
    ['a list', { excludeTargets: [excludeLegal] }],
    ['a list of another method', { includeTargets: [includePasskey] }],
    ['an empty list', { includeTargets: [] }],
    ['one target twice', { excludeTargets: [excludeLegal, excludeLegal] }],
    ['all at once', { state: 'enabled', snoozeDurationInDays: 1, includeTargets: [includeApp], excludeTargets: [] }],
  ])('PATCH: %s is changed and everything else is kept', async ([, change]) => {
    const sandbox = await createSandbox();
    const before = getCampaign(sandbox);
    const answer = await sandbox.policy.update(administrator, campaignBody(change));
    expect(answer.status).toBe(200);
    expect(getCampaign(sandbox)).toEqual({ ...before, ...change });
    expect(answer.body?.registrationEnforcement.authenticationMethodsRegistrationCampaign).toEqual(
      getCampaign(sandbox),
    );
  });

  test('PATCH: lists are replaced as a whole', async () => {
    const sandbox = await createSandbox();
    await patch(sandbox, { excludeTargets: [excludeLegal] });
    await patch(sandbox, { excludeTargets: [{ targetType: 'user', id: guids.ada }] });
    expect(getCampaign(sandbox)?.excludeTargets).toEqual([{ targetType: 'user', id: guids.ada }]);
  });

  test('PATCH: the other settings of the policy are also merged recursively', async () => {
    const sandbox = await createSandbox();
    const { status } = await sandbox.policy.update(administrator, {
      policyMigrationState: 'MIGRATIONINPROGRESS',
      systemCredentialPreferences: { state: 'enabled', includeTargets: [{ targetType: 'Group', id: 'ALL_users' }] },
      reportSuspiciousActivitySettings: { includeTarget: { id: guids.sales } },
    });
    expect(status).toBe(200);
    expect(sandbox.policy.read(administrator).body).toMatchObject({
      policyMigrationState: 'migrationInProgress',
      systemCredentialPreferences: {
        state: 'enabled',
        excludeTargets: [],
        includeTargets: [{ targetType: 'group', id: 'all_users' }],
      },
      reportSuspiciousActivitySettings: {
        state: 'default',
        voiceReportingCode: 0,
        includeTarget: { targetType: 'group', id: guids.sales },
      },
    });
  });

  test('PATCH: one update is one journal entry that contains only the changes', async () => {
    const sandbox = await createSandbox();
    await patch(sandbox, { snoozeDurationInDays: 7 });
    const entries = await sandbox.journal({ after: 1, limit: 10 });
    expect(entries.map(({ event }) => event)).toEqual([
      {
        type: 'tenant.changed',
        facts: { campaign: { ...sandbox.directory.tenant().campaign, snoozeDurationInDays: 7 } },
        by: 'policy-api',
      },
    ]);
  });

  test('PATCH: facts that were never set stay unset if a PATCH repeats their defaults', async () => {
    const sandbox = await createSandbox({ tenant: {} });
    const defaults = { state: 'default', snoozeDurationInDays: 1, enforceRegistrationAfterAllowedSnoozes: true };
    expect(await patch(sandbox, defaults)).toBe(200);
    expect(sandbox.directory.tenant().campaign).toMatchObject({ state: null, snoozeDurationInDays: null });
    await patch(sandbox, { state: 'enabled' });
    expect(sandbox.directory.tenant().campaign).toMatchObject({ state: 'enabled', snoozeDurationInDays: null });
  });

  test('PATCH: negative zero becomes zero', async () => {
    const sandbox = await createSandbox();
    await patch(sandbox, { snoozeDurationInDays: -0 });
    expect(Object.is(sandbox.directory.tenant().campaign.snoozeDurationInDays, 0)).toBe(true);
  });
});

describe('PATCH without changes', () => {
  test.for<[string, unknown]>([
    ['an empty object', {}],
    ['an empty section', { registrationEnforcement: {} }],
    ['an empty campaign', campaignBody({})],
    ['the current values', campaignBody(enabledTenant().campaign)],
    ['the current values in another case', campaignBody({ state: 'ENABLED' })],
  ])('PATCH: %s returns 200, keeps the version, and records nothing', async ([, body]) => {
    const sandbox = await createSandbox();
    const { etag } = sandbox.policy.read(administrator);
    const answer = await sandbox.policy.update(administrator, body);
    expect(answer).toMatchObject({ status: 200, etag });
    expect({ entries: sandbox.entryCount, version: sandbox.directory.tenantVersion() }).toEqual({
      entries: 1,
      version: 1,
    });
  });
});

describe('case-insensitive values in a PATCH', () => {
  test.for<[string, object, object]>([
    ['a state', { state: 'Disabled' }, { state: 'disabled' }],
    [
      'a target',
      { includeTargets: [{ targetType: 'GROUP', id: 'All_Users', targetedAuthenticationMethod: 'FIDO2' }] },
      { includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }] },
    ],
    [
      'a stored id',
      { excludeTargets: [{ targetType: 'Group', id: guids.legal.toUpperCase() }] },
      { excludeTargets: [excludeLegal] },
    ],
  ])('A37: %s', async ([, given, echoed]) => {
    const sandbox = await createSandbox();
    await patch(sandbox, { excludeTargets: [excludeLegal] });
    expect(await patch(sandbox, given)).toBe(200);
    expect(getCampaign(sandbox)).toMatchObject(echoed);
  });

  test('PATCH: a new id keeps its spelling', async () => {
    const sandbox = await createSandbox();
    const id = guids.legal.toUpperCase();
    await patch(sandbox, { excludeTargets: [{ targetType: 'group', id }] });
    expect(getCampaign(sandbox)?.excludeTargets).toEqual([{ targetType: 'group', id }]);
  });

  test('PATCH: property names are case-sensitive', async () => {
    const sandbox = await createSandbox();
    expect(await refusedPlaces(sandbox, { State: 'disabled' })).toEqual(['State']);
  });
});

describe('bad-request for every invalid field', () => {
  test.for<[string, unknown, readonly string[]]>([
    ['days below the range', { snoozeDurationInDays: -1 }, ['snoozeDurationInDays']],
    ['days above the range', { snoozeDurationInDays: 15 }, ['snoozeDurationInDays']],
    ['part of a day', { snoozeDurationInDays: 1.5 }, ['snoozeDurationInDays']],
    ['days as text', { snoozeDurationInDays: '3' }, ['snoozeDurationInDays']],
    ['days beyond all numbers', { snoozeDurationInDays: Number.POSITIVE_INFINITY }, ['snoozeDurationInDays']],
    ['null days', { snoozeDurationInDays: null }, ['snoozeDurationInDays']],
    ['a flag as text', { enforceRegistrationAfterAllowedSnoozes: 'true' }, ['enforceRegistrationAfterAllowedSnoozes']],
    ['a null flag', { enforceRegistrationAfterAllowedSnoozes: null }, ['enforceRegistrationAfterAllowedSnoozes']],
    ['an unknown state', { state: 'paused' }, ['state']],
    ['the console word for a state', { state: 'providerManaged' }, ['state']],
    ['a null state', { state: null }, ['state']],
    ['a null list', { includeTargets: null }, ['includeTargets']],
    ['an object for a list', { includeTargets: {} }, ['includeTargets']],
    ['a null target', { includeTargets: [null] }, ['includeTargets[0]']],
    ['a text for a target', { excludeTargets: ['all_users'] }, ['excludeTargets[0]']],
    ['an unknown property', { snoozeDays: 3 }, ['snoozeDays']],
    [
      'R8: a duration of one target',
      { includeTargets: [{ ...includeApp, snoozeDurationInDays: 7 }] },
      ['includeTargets[0].snoozeDurationInDays'],
    ],
    [
      'a method of an exclude target',
      { excludeTargets: [includeApp] },
      ['excludeTargets[0].targetedAuthenticationMethod'],
    ],
    [
      'a target without its parts',
      { includeTargets: [{}] },
      ['includeTargets[0].targetType', 'includeTargets[0].id', 'includeTargets[0].targetedAuthenticationMethod'],
    ],
    ['an id that is no GUID', { includeTargets: [{ ...includeApp, id: 'sales' }] }, ['includeTargets[0].id']],
    ['an id that is no text', { includeTargets: [{ ...includeApp, id: 7 }] }, ['includeTargets[0].id']],
    ['half a GUID', { excludeTargets: [{ ...excludeLegal, id: guids.legal.slice(0, 20) }] }, ['excludeTargets[0].id']],
    ['an empty id', { excludeTargets: [{ ...excludeLegal, id: '' }] }, ['excludeTargets[0].id']],
    [
      'another kind of object',
      { excludeTargets: [{ ...excludeLegal, targetType: 'role' }] },
      ['excludeTargets[0].targetType'],
    ],
    [
      'A37: everyone excluded',
      { excludeTargets: [{ targetType: 'group', id: 'all_users' }] },
      ['excludeTargets[0].id'],
    ],
    ['A37: in any case', { excludeTargets: [{ targetType: 'group', id: 'ALL_USERS' }] }, ['excludeTargets[0].id']],
    [
      'A37: everyone as a user',
      { includeTargets: [{ ...includeApp, targetType: 'user', id: 'all_users' }] },
      ['includeTargets[0].targetType'],
    ],
    [
      'R15: passwordless phone sign-in',
      { includeTargets: [{ ...includeApp, targetedAuthenticationMethod: 'passwordlessPhoneSignIn' }] },
      ['includeTargets[0].targetedAuthenticationMethod'],
    ],
    [
      'R15: a mode of the app',
      { includeTargets: [{ ...includeApp, targetedAuthenticationMethod: 'deviceBasedPush' }] },
      ['includeTargets[0].targetedAuthenticationMethod'],
    ],
    ['A16: two methods', { includeTargets: [includeApp, { ...includePasskey, id: guids.legal }] }, ['includeTargets']],
    [
      'A16: two methods and a bad id',
      { includeTargets: [includeApp, { ...includePasskey, id: guids.legal }, { ...includeApp, id: 'x' }] },
      ['includeTargets[2].id', 'includeTargets'],
    ],
    [
      'several at once',
      { state: 'on', snoozeDurationInDays: 99, excludeTargets: [{ id: 'x' }], extra: null },
      ['state', 'snoozeDurationInDays', 'excludeTargets[0].id', 'excludeTargets[0].targetType', 'extra'],
    ],
    ['an annotation without a value', { 'includeTargets@odata.context': 'x' }, ['includeTargets@odata.context']],
    ['another type', { '@odata.type': '#any.excludeTarget' }, ['@odata.type']],
    ['the prototype', JSON.parse('{"__proto__": {"state": "disabled"}}'), ['__proto__']],
  ])('bad-request: %s', async ([, change, places]) => {
    const sandbox = await createSandbox();
    const { etag } = sandbox.policy.read(administrator);
    expect(await refusedPlaces(sandbox, change)).toEqual(places);
    expect(sandbox.policy.read(administrator).etag).toBe(etag);
    expect(sandbox.entryCount).toBe(1);
  });

  test.for<[unknown]>([[null], [[]], ['text'], [3], [true], [undefined]])(
    'bad-request: rejects a body that is not an object: %j',
    async ([body]) => {
      const { code, problems } = await catchRejection(await createSandbox(), body);
      expect({ code, places: problems.map(({ location: place }) => place) }).toEqual({
        code: 'bad-request',
        places: ['body'],
      });
    },
  );

  test.for<[string, unknown, readonly string[]]>([
    ['an unknown section', { registrationEnforcements: {} }, ['registrationEnforcements']],
    ['a null section', { registrationEnforcement: null }, ['registrationEnforcement']],
    [
      'a null campaign',
      { registrationEnforcement: { authenticationMethodsRegistrationCampaign: null } },
      ['registrationEnforcement.authenticationMethodsRegistrationCampaign'],
    ],
    ['a null migration state', { policyMigrationState: null }, ['policyMigrationState']],
    ['an unknown migration state', { policyMigrationState: 'done' }, ['policyMigrationState']],
    [
      'settings out of range',
      {
        reportSuspiciousActivitySettings: { voiceReportingCode: 10, includeTarget: { targetType: 'user' } },
        systemCredentialPreferences: { excludeTargets: [{ targetType: 'group', id: 'all_users' }], state: 1 },
      },
      [
        'reportSuspiciousActivitySettings.voiceReportingCode',
        'reportSuspiciousActivitySettings.includeTarget.targetType',
        'systemCredentialPreferences.excludeTargets[0].id',
        'systemCredentialPreferences.state',
      ],
    ],
  ])('bad-request: %s', async ([, body, places]) => {
    const { code, problems } = await catchRejection(await createSandbox(), body);
    expect({ code, places: problems.map(({ location: place }) => place) }).toEqual({ code: 'bad-request', places });
  });

  test('bad-request: the message contains the location, the value, and the allowed values', async () => {
    const { message } = await catchRejection(
      await createSandbox(),
      campaignBody({ snoozeDurationInDays: 15, state: 'on' }),
    );
    expect(message).toMatch(/snoozeDurationInDays: 15 .* 0 to 14/);
    expect(message).toMatch(/state: "on" .*"enabled", "disabled", "default"/);
  });

  test('bad-request: problems beyond the limit are counted instead of listed', async () => {
    const body = Object.fromEntries(Array.from({ length: policyProblemsMax + 5 }, (_, index) => [`x${index}`, 1]));
    const { problems } = await catchRejection(await createSandbox(), body);
    expect(problems).toHaveLength(policyProblemsMax + 1);
    expect(problems.at(-1)?.message).toMatch(/^5 /);
  });

  test('bad-request: a deeply nested value is described by its type', async () => {
    const depth = 200_000;
    const body: unknown = JSON.parse(`{"policyMigrationState":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    const { problems } = await catchRejection(await createSandbox(), body);
    expect(problems.map(({ location: place }) => place)).toEqual(['policyMigrationState']);
  });
});

describe('targets in a PATCH', () => {
  test('PATCH: ids that are already stored in the same property are accepted even if they are not GUIDs', async () => {
    const campaign = {
      state: 'enabled',
      includeTargets: [
        { targetType: 'group', id: 'staff', targetedAuthenticationMethod: 'fido2' },
        { targetType: 'user', id: 'ada', targetedAuthenticationMethod: 'fido2' },
      ],
      excludeTargets: [{ targetType: 'group', id: 'contractors' }],
    };
    const sandbox = await createSandbox({ tenant: { campaign } });
    const kept = { targetType: 'group', id: 'STAFF', targetedAuthenticationMethod: 'vendorAuthenticator' };
    expect(await patch(sandbox, { includeTargets: [includeApp, kept] })).toBe(200);
    expect(getCampaign(sandbox)?.includeTargets).toEqual([includeApp, { ...kept, id: 'staff' }]);
    expect(await refusedPlaces(sandbox, { includeTargets: [{ ...kept, targetType: 'user' }] })).toEqual([
      'includeTargets[0].id',
    ]);
    expect(await refusedPlaces(sandbox, { excludeTargets: [{ targetType: 'group', id: 'staff' }] })).toEqual([
      'excludeTargets[0].id',
    ]);
  });

  test('PATCH: a target that is not in the directory is accepted', async () => {
    const sandbox = await createSandbox();
    expect(await patch(sandbox, { excludeTargets: [excludeLegal] })).toBe(200);
    expect(sandbox.directory.warnings().map(({ code }) => code)).toEqual(['unknown-target']);
  });

  test('PATCH: a list is limited in length unless the stored list is already longer', async () => {
    const targets = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        targetType: 'user',
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      }));
    const sandbox = await createSandbox();
    expect(await patch(sandbox, { excludeTargets: targets(policyTargetsMax) })).toBe(200);
    expect(await refusedPlaces(sandbox, { excludeTargets: targets(policyTargetsMax + 1) })).toEqual(['excludeTargets']);
    await sandbox.directory.patchTenant({ campaign: { excludeTargets: targets(policyTargetsMax + 1) } }, 'control-api');
    expect(await patch(sandbox, { excludeTargets: targets(policyTargetsMax + 1), state: 'disabled' })).toBe(200);
  });
});
