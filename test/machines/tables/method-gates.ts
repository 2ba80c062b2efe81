import type { AttemptFacts, AuthenticatorPolicy, PasskeyPolicy } from '../../../machines/vocabulary.ts';
import { asIs, type Change, type Draft, holdsPasskey } from '../facts-builder.ts';
import type { GateRow } from './gate-row.ts';

const app = 'vendorAuthenticator';
const passkey = 'fido2';

function appPolicy(fields: Partial<Draft<AuthenticatorPolicy>>): Change {
  return ({ tenant }) => {
    Object.assign(tenant.methodsPolicy.authenticator, fields);
  };
}

function passkeyPolicy(fields: Partial<Draft<PasskeyPolicy>>): Change {
  return ({ tenant }) => {
    Object.assign(tenant.methodsPolicy.fido2, fields);
  };
}

function attempt(fields: Partial<AttemptFacts>): Change {
  return (facts) => {
    Object.assign(facts.attempt, fields);
  };
}

const guest: Change = ({ user }) => {
  user.type = 'guest';
};

type Mode = AuthenticatorPolicy['includeTargets'][number]['authenticationMode'];

/**
 * Includes the user through several targets with one mode each: directly, through a nested group and through all
 * users.
 */
function modes(direct?: Mode, inherited?: Mode, all?: Mode): Change {
  return ({ tenant, user }) => {
    user.groups = ['team'];
    tenant.groups = { team: ['staff'] };
    tenant.methodsPolicy.authenticator.includeTargets = [
      { targetType: 'user', id: 'ben', authenticationMode: 'any' },
      ...(direct ? [{ targetType: 'user' as const, id: 'ada', authenticationMode: direct }] : []),
      ...(inherited ? [{ targetType: 'group' as const, id: 'staff', authenticationMode: inherited }] : []),
      ...(all ? [{ targetType: 'group' as const, id: 'all_users', authenticationMode: all }] : []),
    ];
  };
}

const operatingSystems = ['windows', 'macos', 'ios', 'android', 'linux', 'unknown'] as const;

/** Rows of the gates of the app campaign: R10.1 to R10.5. */
const appGates: readonly GateRow[] = [
  ...(
    [
      [['sms'], 'met'],
      [['sms', 'authenticator-totp'], 'met'],
      [['authenticator-push'], 'already-registered'],
      [['sms', 'authenticator-totp', 'authenticator-push'], 'already-registered'],
    ] as const
  ).map(
    ([methods, expected]): GateRow => ({
      gate: 'R10.1',
      claim: `a user with ${methods.join(', ')}`,
      campaign: app,
      given: ({ user }) => {
        user.methods = [...methods];
      },
      expected,
    }),
  ),
  {
    gate: 'R10.1',
    claim: 'a passkey is not the app',
    campaign: app,
    given: holdsPasskey('authenticator-app'),
    expected: 'met',
  },
  { gate: 'R10.2', claim: 'the policy enables everyone', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R10.2',
    claim: 'a disabled method enables no one',
    campaign: app,
    given: appPolicy({ state: 'disabled' }),
    expected: 'method-not-enabled',
  },
  {
    gate: 'R10.2',
    claim: 'without targets no one is enabled',
    campaign: app,
    given: appPolicy({ includeTargets: [] }),
    expected: 'method-not-enabled',
  },
  {
    gate: 'R10.2',
    claim: 'a target of another user enables no one else',
    campaign: app,
    given: appPolicy({ includeTargets: [{ targetType: 'user', id: 'ben', authenticationMode: 'any' }] }),
    expected: 'method-not-enabled',
  },
  {
    gate: 'R10.2',
    claim: 'a nested group enables (A14)',
    campaign: app,
    given: modes(undefined, 'push'),
    expected: 'met',
  },
  {
    gate: 'R10.2',
    claim: 'an exclusion wins',
    campaign: app,
    given: appPolicy({ excludeTargets: [{ targetType: 'user', id: 'ada' }] }),
    expected: 'method-not-enabled',
  },
  {
    gate: 'R10.2',
    claim: 'an exclusion of someone else does nothing',
    campaign: app,
    given: appPolicy({ excludeTargets: [{ targetType: 'user', id: 'ben' }] }),
    expected: 'met',
  },
  {
    gate: 'R10.2',
    claim: 'the passkey’s policy is another one',
    campaign: app,
    given: passkeyPolicy({ state: 'disabled', includeTargets: [] }),
    expected: 'met',
  },
  { gate: 'R10.3', claim: 'mode any passes', campaign: app, given: modes('any'), expected: 'met' },
  { gate: 'R10.3', claim: 'mode push passes', campaign: app, given: modes('push'), expected: 'met' },
  {
    gate: 'R10.3',
    claim: 'mode passwordless stops',
    campaign: app,
    given: modes('deviceBasedPush'),
    expected: 'mode-passwordless',
  },
  {
    gate: 'R10.3',
    claim: 'passwordless by every matching target stops (A24)',
    campaign: app,
    given: modes('deviceBasedPush', 'deviceBasedPush', 'deviceBasedPush'),
    expected: 'mode-passwordless',
  },
  {
    gate: 'R10.3',
    claim: 'any by the nested group outweighs passwordless by the user’s own target (A24)',
    campaign: app,
    given: modes('deviceBasedPush', 'any'),
    expected: 'met',
  },
  {
    gate: 'R10.3',
    claim: 'push for everyone outweighs passwordless (A24)',
    campaign: app,
    given: modes('deviceBasedPush', 'deviceBasedPush', 'push'),
    expected: 'met',
  },
  {
    gate: 'R10.3',
    claim: 'a user whom no target names has no mode',
    campaign: app,
    given: appPolicy({ includeTargets: [] }),
    expected: 'not-applicable',
  },
  {
    gate: 'R10.3',
    claim: 'a user excluded from the app has no mode',
    campaign: app,
    given: appPolicy({ excludeTargets: [{ targetType: 'user', id: 'ada' }] }),
    expected: 'not-applicable',
  },
  {
    gate: 'R10.3',
    claim: 'a disabled app has no mode',
    campaign: app,
    given: appPolicy({ state: 'disabled' }),
    expected: 'not-applicable',
  },
  ...operatingSystems.map(
    (os): GateRow => ({
      gate: 'R10.4',
      claim: `an app campaign on ${os}`,
      campaign: app,
      given: attempt({ os }),
      expected: os === 'ios' || os === 'android' ? 'mobile-not-supported' : 'met',
    }),
  ),
  { gate: 'R10.5', claim: 'a guest is nudged', campaign: app, given: guest, expected: 'met' },
  { gate: 'R10.5', claim: 'a member needs no permission', campaign: app, given: asIs, expected: 'not-applicable' },
];

/** Rows of the passkey campaign gates except profiles and matrix: R11.1, R11.2, R11.4 to R11.6, R11.9. */
const passkeyGates: readonly GateRow[] = [
  { gate: 'R11.1', claim: 'the policy enables everyone', campaign: passkey, given: asIs, expected: 'met' },
  {
    gate: 'R11.1',
    claim: 'a disabled method enables no one',
    campaign: passkey,
    given: passkeyPolicy({ state: 'disabled' }),
    expected: 'method-not-enabled',
  },
  {
    gate: 'R11.1',
    claim: 'without targets no one is enabled',
    campaign: passkey,
    given: passkeyPolicy({ includeTargets: [] }),
    expected: 'method-not-enabled',
  },
  {
    gate: 'R11.1',
    claim: 'a nested group enables (A14)',
    campaign: passkey,
    given: ({ tenant, user }) => {
      user.groups = ['team'];
      tenant.groups = { team: ['staff'] };
      tenant.methodsPolicy.fido2.includeTargets = [{ targetType: 'group', id: 'staff', profiles: [] }];
    },
    expected: 'met',
  },
  {
    gate: 'R11.1',
    claim: 'an inherited exclusion wins (A14)',
    campaign: passkey,
    given: ({ tenant, user }) => {
      user.groups = ['team'];
      tenant.groups = { team: ['staff'] };
      tenant.methodsPolicy.fido2.excludeTargets = [{ targetType: 'group', id: 'staff' }];
    },
    expected: 'method-not-enabled',
  },
  {
    gate: 'R11.1',
    claim: 'the app’s policy is another one',
    campaign: passkey,
    given: appPolicy({ state: 'disabled', includeTargets: [] }),
    expected: 'met',
  },
  { gate: 'R11.2', claim: 'self-service is allowed', campaign: passkey, given: asIs, expected: 'met' },
  {
    gate: 'R11.2',
    claim: 'self-service is off',
    campaign: passkey,
    given: passkeyPolicy({ selfService: false }),
    expected: 'self-service-off',
  },
  ...(
    [
      ['android', 'browser', 'met'],
      ['android', 'native-app', 'native-android'],
      ['android', 'embedded-app', 'met'],
      ['ios', 'browser', 'met'],
      ['ios', 'native-app', 'met'],
      ['ios', 'embedded-app', 'met'],
      ['windows', 'native-app', 'met'],
      ['macos', 'native-app', 'met'],
    ] as const
  ).map(
    ([os, surface, expected]): GateRow => ({
      gate: 'R11.4',
      claim: `${surface} on ${os} (A36)`,
      campaign: passkey,
      given: attempt({ os, surface, browser: null }),
      expected,
    }),
  ),
  { gate: 'R11.5', claim: 'a member is nudged', campaign: passkey, given: asIs, expected: 'met' },
  { gate: 'R11.5', claim: 'a guest is not', campaign: passkey, given: guest, expected: 'guest' },
  ...operatingSystems.flatMap((os): readonly GateRow[] => [
    {
      gate: 'R11.6',
      claim: `a passkey campaign on ${os}`,
      campaign: passkey,
      given: attempt({ os }),
      expected: os === 'linux' ? 'linux' : 'met',
    },
    {
      gate: 'R11.9',
      claim: `a passkey campaign on ${os} (A36)`,
      campaign: passkey,
      given: attempt({ os }),
      expected: os === 'unknown' ? 'unknown-platform' : 'met',
    },
  ]),
];

/** Rows of gates that are not applicable to a different campaign or a different management of it. */
const elsewhere: readonly GateRow[] = [
  ...(['R10.1', 'R10.2', 'R10.3', 'R10.4', 'R10.5'] as const).map(
    (gate): GateRow => ({
      gate,
      claim: 'does not apply to a passkey campaign',
      campaign: passkey,
      given: (facts) => {
        guest(facts);
        attempt({ os: 'ios' })(facts);
        appPolicy({ state: 'disabled', includeTargets: [] })(facts);
        facts.user.methods.push('authenticator-push');
      },
      expected: 'not-applicable',
    }),
  ),
  ...(['R11.1', 'R11.2', 'R11.3', 'R11.4', 'R11.5', 'R11.6', 'R11.7', 'R11.9'] as const).map(
    (gate): GateRow => ({
      gate,
      claim: 'does not apply to an app campaign',
      campaign: app,
      managed: true,
      given: (facts) => {
        guest(facts);
        attempt({ os: 'android', surface: 'native-app' })(facts);
        passkeyPolicy({ state: 'disabled', selfService: false, includeTargets: [] })(facts);
        holdsPasskey('security-key')(facts);
      },
      expected: 'not-applicable',
    }),
  ),
  ...(['R10.1', 'R10.2', 'R10.3', 'R10.4', 'R10.5', 'R11.1', 'R11.2', 'R11.3', 'R11.5', 'R11.6'] as const).map(
    (gate): GateRow => ({
      gate,
      claim: 'does not apply where nothing is targeted (A15)',
      campaign: app,
      given: ({ tenant }) => {
        tenant.campaign.includeTargets = [];
      },
      expected: 'not-applicable',
    }),
  ),
];

/** Rows of the gates that depend on the targeted method. */
export const methodGates: readonly GateRow[] = [...appGates, ...passkeyGates, ...elsewhere];
