import { describe, expect, it } from 'vitest';
import { representativeAaguids } from '../../../src/contract/aaguids.ts';
import { tenantFactsSchema } from '../../../src/contract/facts.schema.ts';
import { policyTimeLine, tenantOfPolicy } from '../../../src/replay/import/import-policy.ts';
import { Tally } from '../../../src/replay/import/tally.ts';
import { mapping } from './import-work.ts';

const group = '11111111-1111-1111-1111-111111111111';
const defaults = tenantFactsSchema.parse({});
const enforcement = (campaign: unknown) => ({
  registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign },
});
const section = { state: 'enabled', snoozeDurationInDays: 3, includeTargets: [], excludeTargets: [] };
const problemPlaces = (run: () => unknown): unknown => {
  try {
    run();
    return 'read';
  } catch (error) {
    const { code, problems } = error as { code: string; problems: readonly { location: string }[] };
    return [code, ...problems.map(({ location }) => location)];
  }
};

describe('policy of a tenant', () => {
  it.for([
    ['microsoftAuthenticator', 'vendorAuthenticator'],
    ['MICROSOFTAUTHENTICATOR', 'vendorAuthenticator'],
    ['vendorAuthenticator', 'vendorAuthenticator'],
    ['fido2', 'fido2'],
    ['Fido2', 'fido2'],
  ] as const)('R2: a campaign that targets %s has the method %s', ([targetedAuthenticationMethod, method]) => {
    const target = { '@odata.type': '#x', targetType: 'group', id: group, targetedAuthenticationMethod };
    const excluded = { targetType: 'user', id: 'ada', 'more@odata.x': 1, other: 2 };
    const body = { ...section, '@odata.context': 'x', includeTargets: [target], excludeTargets: [excluded] };
    expect(tenantOfPolicy(enforcement(body), defaults, mapping).campaign).toEqual({
      state: 'enabled',
      snoozeDurationInDays: 3,
      enforceRegistrationAfterAllowedSnoozes: null,
      includeTargets: [{ targetType: 'group', id: group, targetedAuthenticationMethod: method }],
      excludeTargets: [{ targetType: 'user', id: 'ada' }],
    });
  });

  it('a partial body changes only the fields that it contains', () => {
    const before = tenantOfPolicy(enforcement({ ...section, snoozeDurationInDays: 7 }), defaults, mapping);
    const after = tenantOfPolicy(enforcement({ state: 'disabled' }), before, mapping);
    expect(after).toEqual({ ...before, campaign: { ...before.campaign, state: 'disabled' } });
    expect(tenantOfPolicy({ authenticationMethodConfigurations: [] }, before, mapping)).toEqual(before);
    expect(tenantOfPolicy({ subscription: 'free' }, before, mapping)).toEqual({ ...before, subscription: 'free' });
  });

  it.for([
    [{ campaign: { state: 'enabled' } }, { campaign: { state: 'enabled' } }],
    [{ groups: { [group]: ['staff'] } }, { groups: { [group]: ['staff'] } }],
    [{ options: { strictDevice: true } }, { options: { strictDevice: true } }],
    [{ methodsPolicy: { fido2: { state: 'disabled' } } }, { methodsPolicy: { fido2: { state: 'disabled' } } }],
    [{ rollout: { method: true } }, { rollout: { method: true } }],
  ] as const)('tenant facts, %j, are accepted unchanged', ([body, expected]) => {
    expect(tenantOfPolicy(body, defaults, mapping)).toMatchObject(expected);
  });

  it.for([
    [null, ['bad-request', 'policy']],
    ['text', ['bad-request', 'policy']],
    [[], ['bad-request', 'policy']],
    [{}, ['bad-request', 'policy']],
    [{ displayName: 'x' }, ['bad-request', 'policy']],
    [{ registrationEnforcement: {} }, ['bad-request', 'policy']],
    [enforcement({ state: 'perhaps' }), ['bad-request', 'policy.campaign.state']],
    [enforcement({ includeTargets: ['x'] }), ['bad-request', 'policy.campaign.includeTargets.0']],
    [enforcement({ excludeTargets: ['x'] }), ['bad-request', 'policy.campaign.excludeTargets.0']],
    [{ campaign: { state: 'perhaps' } }, ['bad-request', 'policy.campaign.state']],
    [{ authenticationMethodConfigurations: [{ id: 'Fido2', state: 1 }] }, ['bad-request', 'policy.fido2.state']],
    [
      { authenticationMethodConfigurations: [{ id: 'microsoftAuthenticator', state: 1 }] },
      ['bad-request', 'policy.authenticator.state'],
    ],
  ] as const)('bad-request: %j is rejected with its location', ([body, expected]) => {
    expect(problemPlaces(() => tenantOfPolicy(body, defaults, mapping))).toEqual(expected);
  });

  it('R10.2: the configuration of the authenticator app is parsed under any name and in any order', () => {
    const configurations = [
      'no object',
      { id: 'Sms', state: 'enabled' },
      {
        id: 'MicrosoftAuthenticator',
        state: 'disabled',
        includeTargets: [
          { targetType: 'group', id: group, authenticationMode: 'push', other: 1 },
          { targetType: 'user', id: 'ben', authenticationMode: 7 },
        ],
        excludeTargets: [{ targetType: 'user', id: 'ada', other: 1 }],
      },
    ];
    const { methodsPolicy } = tenantOfPolicy({ authenticationMethodConfigurations: configurations }, defaults, mapping);
    expect(methodsPolicy).toEqual({
      ...defaults.methodsPolicy,
      authenticator: {
        state: 'disabled',
        includeTargets: [
          { targetType: 'group', id: group, authenticationMode: 'push' },
          { targetType: 'user', id: 'ben', authenticationMode: 'any' },
        ],
        excludeTargets: [{ targetType: 'user', id: 'ada' }],
      },
    });
    const noState = { authenticationMethodConfigurations: [{ id: 'vendorAuthenticator' }] };
    expect(tenantOfPolicy(noState, defaults, mapping).methodsPolicy.authenticator).toEqual({
      state: 'enabled',
      includeTargets: [],
      excludeTargets: [],
    });
    expect(tenantOfPolicy({ authenticationMethodConfigurations: {} }, defaults, mapping)).toEqual(defaults);
  });

  it('R11.2: the passkey configuration is parsed with its profiles, and AAGUIDs become passkey types', () => {
    const known = representativeAaguids['security-key'];
    const tally = new Tally();
    const restricted = (isEnforced: boolean) => ({
      isEnforced,
      enforcementType: 'allow',
      aaGuids: [known.toUpperCase(), known, group],
    });
    const configuration = {
      id: 'Fido2',
      state: 'enabled',
      isSelfServiceRegistrationAllowed: false,
      keyRestrictions: restricted(true),
      includeTargets: [
        { targetType: 'group', id: group, allowedPasskeyProfiles: ['p1', 'p2'] },
        { targetType: 'user', id: 'ben' },
      ],
      excludeTargets: [{ targetType: 'user', id: 'ada', other: 1 }],
      passkeyProfiles: [
        { id: 'p1', passkeyTypes: 'synced', attestationEnforcement: 'disabled', keyRestrictions: restricted(false) },
        { id: 'p2', passkeyTypes: 'deviceBound', attestationEnforcement: 'registrationOnly', keyRestrictions: null },
        { id: 'p3', passkeyTypes: 'deviceBound,synced', attestationEnforcement: '' },
        { id: 'p4' },
      ],
    };
    const { methodsPolicy } = tenantOfPolicy(
      { authenticationMethodConfigurations: [configuration] },
      defaults,
      mapping,
      tally,
    );
    const open = { passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: null };
    expect(methodsPolicy.fido2).toEqual({
      state: 'enabled',
      selfService: false,
      keyRestrictions: { type: 'allow', kinds: ['security-key'] },
      includeTargets: [
        { targetType: 'group', id: group, profiles: ['p1', 'p2'] },
        { targetType: 'user', id: 'ben', profiles: [] },
      ],
      excludeTargets: [{ targetType: 'user', id: 'ada' }],
      profiles: [
        { ...open, id: 'p1', passkeyTypes: 'synced' },
        { ...open, id: 'p2', passkeyTypes: 'deviceBound', attestationEnforced: true },
        { ...open, id: 'p3' },
        { ...open, id: 'p4' },
      ],
    });
    expect(tally.report().unknownValues).toEqual([{ field: 'aaGuids', what: group, count: 1, places: ['policy'] }]);
    const bare = { authenticationMethodConfigurations: [{ id: 'fido2' }] };
    const { state, selfService } = defaults.methodsPolicy.fido2;
    expect(tenantOfPolicy(bare, defaults, mapping).methodsPolicy.fido2).toEqual({
      state,
      selfService,
      keyRestrictions: null,
      includeTargets: [],
      excludeTargets: [],
      profiles: [],
    });
  });
});

describe('policies of an audit log', () => {
  const body = (state: string) => enforcement({ ...section, state });
  const row = (at: unknown, before: unknown, after: unknown, more: object = {}) => ({
    activityDateTime: at,
    targetResources: [{ modifiedProperties: [{ oldValue: before, newValue: after }] }],
    ...more,
  });
  const [first, second] = ['2026-01-05T09:00:00Z', '2026-02-05T09:00:00Z'];

  function timeline(audit: readonly unknown[], policy: unknown = null) {
    const tally = new Tally();
    const epochs = policyTimeLine({ policy, audit, over: defaults }, mapping, tally).map(({ fromMs, tenant }) => [
      fromMs === null ? null : new Date(fromMs).toISOString().slice(0, 10),
      tenant.campaign.state,
    ]);
    const { skipped, anomalies } = tally.report();
    return {
      epochs,
      skipped: skipped.map(({ count, places }) => [count, ...places]),
      anomalies: anomalies.map(({ count, places }) => [count, ...places]),
    };
  }

  it('without a row, the current policy or else the tenant facts apply from the start', () => {
    expect(timeline([], body('disabled'))).toEqual({ epochs: [[null, 'disabled']], skipped: [], anomalies: [] });
    expect(timeline([])).toEqual({ epochs: [[null, defaults.campaign.state]], skipped: [], anomalies: [] });
  });

  it.for([
    ['objects', (value: unknown) => value],
    ['JSON', (value: unknown) => JSON.stringify(value)],
    ['JSON in a text', (value: unknown) => JSON.stringify(JSON.stringify(value))],
    ['a list of one', (value: unknown) => JSON.stringify([value])],
    ['a list of one JSON text', (value: unknown) => JSON.stringify([JSON.stringify(value)])],
    [
      'the enforcement alone',
      (value: unknown) => JSON.stringify((value as ReturnType<typeof body>).registrationEnforcement),
    ],
    [
      'the campaign alone',
      (value: unknown) =>
        JSON.stringify(
          (value as ReturnType<typeof body>).registrationEnforcement.authenticationMethodsRegistrationCampaign,
        ),
    ],
  ] as const)('changes written as %s apply from their times, in order', ([, write]) => {
    const audit = [
      row(second, write(body('disabled')), write(body('enabled'))),
      row(first, write(body('enabled')), write(body('disabled'))),
    ];
    expect(timeline(audit, body('enabled'))).toEqual({
      epochs: [
        [null, 'enabled'],
        ['2026-01-05', 'disabled'],
        ['2026-02-05', 'enabled'],
      ],
      skipped: [],
      anomalies: [],
    });
  });

  it('column names match in any case, and resources may be JSON or one object', () => {
    const property = { OldValue: null, NewValue: JSON.stringify(body('disabled')) };
    for (const targetResources of [
      { modifiedProperties: JSON.stringify([property]) },
      JSON.stringify([{ ModifiedProperties: [property] }]),
    ]) {
      const audit = [{ 'Activity Date Time': first, Target_Resources: targetResources }];
      expect(timeline(audit).epochs).toEqual([
        [null, 'disabled'],
        ['2026-01-05', 'disabled'],
      ]);
    }
  });

  it('a change that does not continue the previous one, and a last one that differs from the current policy, are reported', () => {
    const audit = [row(first, body('enabled'), body('disabled')), row(second, body('enabled'), body('enabled'))];
    const startMs = Date.parse(second);
    expect(timeline(audit, body('disabled'))).toMatchObject({ anomalies: [[1, `at ${startMs}`], [1]] });
    expect(timeline(audit, body('enabled'))).toMatchObject({ anomalies: [[1, `at ${startMs}`]] });
    expect(timeline(audit).anomalies).toEqual([[1, `at ${startMs}`]]);
  });

  it.for([
    ['is no object', 7, [[1, 'row 1 of the audit log']]],
    ['names no resource', { activityDateTime: first }, [[1, 'row 1 of the audit log']]],
    ['changes something else', row(first, '"a"', '"b"'), [[1, 'row 1 of the audit log']]],
    ['has no property', row(first, null, null, { targetResources: [{}, 7] }), [[1, 'row 1 of the audit log']]],
    ['has no time', row(undefined, null, body('enabled')), [[1, 'row 1 of the audit log']]],
    ['has a time that is none', row('some day', null, body('enabled')), [[1, 'row 1 of the audit log']]],
    [
      'was cut off',
      row(first, null, '{"registrationEnforcement":{'),
      [
        [1, 'row 1 of the audit log'],
        [1, 'row 1 of the audit log'],
      ],
    ],
    ['holds a part of a campaign', row(first, null, { includeTargets: [] }), [[1, 'row 1 of the audit log']]],
    ['holds several values', row(first, null, [body('enabled'), body('enabled')]), [[1, 'row 1 of the audit log']]],
  ] as const)('a row that %s is skipped and counted', ([, audit, skipped]) => {
    expect(timeline([audit], body('disabled'))).toEqual({ epochs: [[null, 'disabled']], skipped, anomalies: [] });
  });

  it('bad-request: an invalid policy is rejected with its row, and the current one without a row', () => {
    const wrong = body('perhaps');
    const over = defaults;
    const run = (policy: unknown, audit: readonly unknown[]) =>
      problemPlaces(() => policyTimeLine({ policy, audit, over }, mapping, new Tally()));
    const place = 'row 2 of the audit log: policy.campaign.state';
    expect(run(null, [7, row(first, null, wrong)])).toEqual(['bad-request', place]);
    expect(run(null, [7, row(first, wrong, body('enabled'))])).toEqual(['bad-request', place]);
    expect(run(wrong, [])).toEqual(['bad-request', 'policy.campaign.state']);
  });
});
