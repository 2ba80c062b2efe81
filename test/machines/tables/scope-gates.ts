import { asIs, type Change } from '../facts-builder.ts';
import type { GateRow } from './gate-row.ts';

const app = 'vendorAuthenticator';

/** Sets the include targets of the app campaign. */
function includes(...targets: readonly ['user' | 'group', string][]): Change {
  return ({ tenant }) => {
    tenant.campaign.includeTargets = targets.map(([targetType, id]) => ({
      targetType,
      id,
      targetedAuthenticationMethod: app,
    }));
  };
}

function excludes(...targets: readonly ['user' | 'group', string][]): Change {
  return ({ tenant }) => {
    tenant.campaign.excludeTargets = targets.map(([targetType, id]) => ({ targetType, id }));
  };
}

/**
 * Makes the user a direct member of the groups in `direct`. Each group is a direct member of the groups listed for
 * it.
 */
function nested(direct: readonly string[], groups: Record<string, string[]>, then: Change): Change {
  return (facts) => {
    facts.user.groups = [...direct];
    facts.tenant.groups = groups;
    then(facts);
  };
}

/** Rows of gate C1, with R14 and A17. */
const campaignState: readonly GateRow[] = [
  { gate: 'C1', claim: 'an enabled campaign runs', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'C1',
    claim: 'a disabled campaign stops everyone',
    campaign: app,
    given: ({ tenant }) => {
      tenant.campaign.state = 'disabled';
    },
    expected: 'campaign-disabled',
  },
  {
    gate: 'C1',
    claim: 'the provider rolls out under default',
    campaign: app,
    managed: true,
    given: asIs,
    expected: 'met',
  },
  {
    gate: 'C1',
    claim: 'a state that is not set is the provider default',
    campaign: app,
    given: ({ tenant }) => {
      tenant.campaign.state = null;
    },
    expected: 'met',
  },
  {
    gate: 'C1',
    claim: 'no date ends a campaign (R14)',
    campaign: app,
    given: ({ attempt }) => {
      attempt.nowMs = 253_402_300_799_999;
    },
    expected: 'met',
  },
];

/** Rows of gate S1, with A14, A15, A33 and A35. */
const inclusion: readonly GateRow[] = [
  { gate: 'S1', claim: 'all_users includes everyone', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'S1',
    claim: 'a user target includes that user',
    campaign: app,
    given: includes(['user', 'ada']),
    expected: 'met',
  },
  {
    gate: 'S1',
    claim: 'a user target includes no other user',
    campaign: app,
    given: includes(['user', 'ben']),
    expected: 'not-included',
  },
  {
    gate: 'S1',
    claim: 'a user id is no group id',
    campaign: app,
    given: nested(['staff'], {}, includes(['user', 'staff'])),
    expected: 'not-included',
  },
  {
    gate: 'S1',
    claim: 'a group id is no user id',
    campaign: app,
    given: includes(['group', 'ada']),
    expected: 'not-included',
  },
  {
    gate: 'S1',
    claim: 'one matching target of several is enough',
    campaign: app,
    given: includes(['user', 'ben'], ['group', 'ops'], ['user', 'ada']),
    expected: 'met',
  },
  {
    gate: 'S1',
    claim: 'a group target includes a direct member',
    campaign: app,
    given: nested(['staff'], {}, includes(['group', 'staff'])),
    expected: 'met',
  },
  {
    gate: 'S1',
    claim: 'a group target includes a member of a nested group (A14)',
    campaign: app,
    given: nested(['team'], { team: ['unit'], unit: ['staff'] }, includes(['group', 'staff'])),
    expected: 'met',
  },
  {
    gate: 'S1',
    claim: 'membership does not run downwards: a member of the outer group is not in the inner one (A14)',
    campaign: app,
    given: nested(['staff'], { team: ['staff'] }, includes(['group', 'team'])),
    expected: 'not-included',
  },
  {
    gate: 'S1',
    claim: 'groups that contain each other end the walk (A14)',
    campaign: app,
    given: nested(['a'], { a: ['b'], b: ['c', 'a'], c: ['a'] }, includes(['group', 'elsewhere'])),
    expected: 'not-included',
  },
  {
    gate: 'S1',
    claim: 'ids are compared without regard to case',
    campaign: app,
    given: nested(['TEAM'], { Team: ['Staff'] }, includes(['group', 'sTAFF'])),
    expected: 'met',
  },
  {
    gate: 'S1',
    claim: 'user ids are compared without regard to case',
    campaign: app,
    given: includes(['user', 'ADA']),
    expected: 'met',
  },
  {
    gate: 'S1',
    claim: 'without a target no one is in scope while enabled (A15)',
    campaign: app,
    given: includes(),
    expected: 'not-included',
  },
  {
    gate: 'S1',
    claim: 'without a target the provider’s own targeting applies under default (A33)',
    campaign: app,
    managed: true,
    given: includes(),
    expected: 'met',
  },
  {
    gate: 'S1',
    claim: 'targets narrow the provider’s targeting too',
    campaign: app,
    managed: true,
    given: includes(['user', 'ben']),
    expected: 'not-included',
  },
  {
    gate: 'S1',
    claim: 'targets hold under default',
    campaign: app,
    managed: true,
    given: includes(['user', 'ada']),
    expected: 'met',
  },
];

/** Rows of gate S2, with A14. */
const exclusion: readonly GateRow[] = [
  { gate: 'S2', claim: 'no one is excluded without a target', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'S2',
    claim: 'a user target excludes that user',
    campaign: app,
    given: excludes(['user', 'ada']),
    expected: 'excluded',
  },
  {
    gate: 'S2',
    claim: 'a user target excludes no other user',
    campaign: app,
    given: excludes(['user', 'ben']),
    expected: 'met',
  },
  {
    gate: 'S2',
    claim: 'one matching target of several is enough',
    campaign: app,
    given: excludes(['user', 'ben'], ['user', 'ada']),
    expected: 'excluded',
  },
  {
    gate: 'S2',
    claim: 'a direct member of an excluded group is excluded',
    campaign: app,
    given: nested(['staff'], {}, excludes(['group', 'staff'])),
    expected: 'excluded',
  },
  {
    gate: 'S2',
    claim: 'an inherited exclusion wins over a direct inclusion (A14)',
    campaign: app,
    given: nested(['team'], { team: ['unit'], unit: ['staff'] }, (facts) => {
      includes(['user', 'ada'])(facts);
      excludes(['group', 'staff'])(facts);
    }),
    expected: 'excluded',
  },
  {
    gate: 'S2',
    claim: 'exclusion of the inner group spares members of the outer one',
    campaign: app,
    given: nested(['staff'], { team: ['staff'] }, excludes(['group', 'team'])),
    expected: 'met',
  },
  {
    gate: 'S2',
    claim: 'exclusion holds under default',
    campaign: app,
    managed: true,
    given: excludes(['user', 'ada']),
    expected: 'excluded',
  },
  {
    gate: 'S2',
    claim: 'exclusion holds in a passkey campaign',
    campaign: 'fido2',
    given: excludes(['user', 'ada']),
    expected: 'excluded',
  },
];

/** Rows of gate S3, with A34. */
const providerTargeting: readonly GateRow[] = [
  {
    gate: 'S3',
    claim: 'an enabled campaign asks nothing of the provider’s targeting',
    campaign: app,
    given: ({ user }) => {
      user.methods = [];
      user.mfaCapable = false;
    },
    expected: 'not-applicable',
  },
  ...(
    [
      [['sms'], 'met'],
      [['voice'], 'met'],
      [['hardware-totp', 'voice'], 'met'],
      [['sms', 'authenticator-push'], 'met'],
      [['authenticator-totp'], 'not-voice-or-sms'],
      [['hardware-totp', 'authenticator-push'], 'not-voice-or-sms'],
      [[], 'not-voice-or-sms'],
    ] as const
  ).map(
    ([methods, expected]): GateRow => ({
      gate: 'S3',
      claim: `before the rollout of targeting, a user with ${methods.join(' and ') || 'no method'}, whatever else is said (A34)`,
      campaign: app,
      managed: true,
      given: ({ user }) => {
        user.methods = [...methods];
        user.mfaCapable = false;
      },
      expected,
    }),
  ),
  {
    gate: 'S3',
    claim: 'after the rollout of targeting every MFA-capable user is in, without SMS or voice too',
    campaign: app,
    managed: true,
    given: ({ tenant, user }) => {
      tenant.rollout.targeting = true;
      user.methods = ['hardware-totp'];
    },
    expected: 'met',
  },
  {
    gate: 'S3',
    claim: 'after the rollout of targeting a user who is not MFA-capable is out, with SMS too',
    campaign: app,
    managed: true,
    given: ({ tenant, user }) => {
      tenant.rollout.targeting = true;
      user.mfaCapable = false;
    },
    expected: 'not-mfa-capable',
  },
  {
    gate: 'S3',
    claim: 'a state that is not set is the provider’s targeting too',
    campaign: app,
    given: ({ tenant, user }) => {
      tenant.campaign.state = null;
      user.methods = [];
    },
    expected: 'not-voice-or-sms',
  },
  {
    gate: 'S3',
    claim: 'the rollout of the method does not roll out targeting',
    campaign: 'fido2',
    managed: true,
    given: ({ user }) => {
      user.methods = ['hardware-totp'];
    },
    expected: 'not-voice-or-sms',
  },
];

/** Rows of the gates of campaign state and scope. */
export const scopeGates: readonly GateRow[] = [...campaignState, ...inclusion, ...exclusion, ...providerTargeting];
