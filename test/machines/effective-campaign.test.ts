import { describe, expect, test } from 'vitest';
import { effectiveCampaign, getCampaignState } from '../../machines/effective-campaign.ts';
import { seedRuleset, september2026Ruleset } from '../../machines/rulesets/built-in.ts';
import type { EffectiveCampaign, Ruleset, Subscription } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { type Change, enabledFacts, keys } from './facts-builder.ts';
import { managedValues, managedValuesRestricted, storedValues } from './tables/effective-campaign.ts';

const subscriptions: readonly Subscription[] = ['paid', 'free', 'trial'];
const allSwitches = managedValues.map(({ switches }) => switches);

function switched(switches: string): Change {
  return ({ tenant }) => {
    const [method, snoozeDays, snoozeLimit, targeting] = [...switches].map((mark) => mark === '1');
    Object.assign(tenant.rollout, { method, snoozeDays, snoozeLimit, targeting });
  };
}

/** Returns the effective state and values in the format of the tables. */
function inForce(ruleset: Ruleset, ...changes: readonly Change[]): string {
  const { state, method, snoozeDays, limited } = effectiveCampaign(enabledFacts('fido2', ...changes).tenant, ruleset);
  return `${state}: ${method} ${snoozeDays} ${limited ? 'limited' : 'unlimited'}`;
}

/** Returns the values of free and trial subscriptions, which always have a snooze limit (A20). */
function alwaysLimited(values: string): string {
  return values.replace('unlimited', 'limited');
}

describe.for([
  { ruleset: seedRuleset, column: 'seed' as const },
  { ruleset: september2026Ruleset, column: 'september' as const },
])('A19: effective values in ruleset $ruleset.id', ({ ruleset, column }) => {
  const managedStates = (['default', null] as const).flatMap((state) =>
    subscriptions.map((subscription) => ({ state, subscription })),
  );

  test.for(nonEmpty(managedStates))(
    'A17: state $state and subscription $subscription have the values of the table for all 16 switch settings',
    ({ state, subscription }) => {
      const evaluated = managedValues.map(({ switches }) =>
        inForce(ruleset, switched(switches), ({ tenant }) => {
          tenant.campaign.state = state;
          tenant.subscription = subscription;
          tenant.campaign.snoozeDurationInDays = 9;
          tenant.campaign.enforceRegistrationAfterAllowedSnoozes = switches.startsWith('1');
        }),
      );
      const values = managedValues.map((row) => (subscription === 'paid' ? row[column] : alwaysLimited(row[column])));
      expect(evaluated).toEqual(values.map((row) => `providerManaged: ${row}`));
    },
  );

  test.for([keys('allow', 'keychain'), keys('block', 'security-key'), keys('allow'), keys('block')])(
    'A28: the restriction %j of the passkey policy itself keeps the method at the app',
    (keyRestrictions) => {
      const evaluated = managedValuesRestricted.map(({ switches }) =>
        inForce(ruleset, switched(switches), ({ tenant }) => {
          tenant.campaign.state = 'default';
          tenant.methodsPolicy.fido2.keyRestrictions = { ...keyRestrictions, kinds: [...keyRestrictions.kinds] };
        }),
      );
      expect(evaluated).toEqual(managedValuesRestricted.map((row) => `providerManaged: ${row[column]}`));
    },
  );

  test('A28: a restriction that is only in a profile does not keep the method at the app', () => {
    const inProfile: Change = ({ tenant: { campaign, methodsPolicy } }) => {
      campaign.state = 'default';
      methodsPolicy.fido2.profiles = [
        { id: 'p', passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: { type: 'allow', kinds: [] } },
      ];
    };
    expect(inForce(ruleset, switched('1000'), inProfile)).toMatch(/^providerManaged: fido2 /);
  });

  const ownStates = (['enabled', 'disabled'] as const).flatMap((state) =>
    storedValues.map((row) => ({ state, ...row })),
  );

  test.for(nonEmpty(ownStates))(
    'A20: state $state with days $days and limit $enforce is $paid, or $freeOrTrial if not paid, for any rollout',
    ({ state, days, enforce, paid, freeOrTrial }) => {
      for (const subscription of subscriptions) {
        const evaluated = allSwitches.map((switches) =>
          inForce(ruleset, switched(switches), ({ tenant }) => {
            tenant.subscription = subscription;
            Object.assign(tenant.campaign, {
              state,
              snoozeDurationInDays: days,
              enforceRegistrationAfterAllowedSnoozes: enforce,
            });
          }),
        );
        const wanted = subscription === 'paid' ? paid : freeOrTrial;
        expect(new Set(evaluated)).toEqual(new Set([`${state}: fido2 ${wanted}`]));
      }
    },
  );

  test('A15: an enabled or disabled campaign without include targets has no method', () => {
    const methods = (['enabled', 'disabled'] as const).map((state) =>
      inForce(ruleset, ({ tenant }) => {
        tenant.campaign.state = state;
        tenant.campaign.includeTargets = [];
      }),
    );
    expect(methods).toEqual(['enabled: null 1 limited', 'disabled: null 1 limited']);
  });

  test('A19: key restrictions of the passkey policy do not affect an enabled passkey campaign', () => {
    const restricted: Change = ({ tenant }) => {
      tenant.methodsPolicy.fido2.keyRestrictions = { type: 'allow', kinds: ['keychain'] };
    };
    expect(inForce(ruleset, restricted)).toBe('enabled: fido2 1 limited');
  });
});

test.for([
  ['enabled', 'enabled'],
  ['disabled', 'disabled'],
  ['default', 'providerManaged'],
  [null, 'providerManaged'],
] as const satisfies readonly (readonly ['enabled' | 'disabled' | 'default' | null, EffectiveCampaign['state']])[])(
  'A17: the setting %s leads to the state %s',
  ([setting, state]) => {
    expect(getCampaignState(setting)).toBe(state);
  },
);
