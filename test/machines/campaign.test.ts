import { describe, expect, test } from 'vitest';
import { getShortestPaths } from 'xstate/graph';
import {
  type CampaignContext,
  type CampaignEvent,
  campaignMachine,
  changesManagedSettings,
  getEffectiveValues,
  type SettingsUpdate,
} from '../../machines/campaign.machine.ts';
import { getCampaignState } from '../../machines/effective-campaign.ts';
import { seedRuleset, september2026Ruleset } from '../../machines/rulesets/built-in.ts';
import { createStepper } from '../../machines/step.ts';
import type { Ruleset, TargetedMethod, TenantFacts } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { type Change, enabledFacts } from './facts-builder.ts';

const step = createStepper(campaignMachine, createContext());

function createContext(ruleset: Ruleset = seedRuleset, ...changes: readonly Change[]): CampaignContext {
  return { tenant: enabledFacts('vendorAuthenticator', ...changes).tenant, ruleset };
}

function state(setting: TenantFacts['campaign']['state']): Change {
  return ({ tenant }) => {
    tenant.campaign.state = setting;
  };
}

/** Returns the machine state of a tenant after some events. */
function movedBy(context: CampaignContext, ...events: readonly CampaignEvent[]) {
  const value = getCampaignState(context.tenant.campaign.state);
  return events.reduce(step, campaignMachine.resolveState({ value, context }));
}

function update(settings: SettingsUpdate, mayWrite = true): CampaignEvent {
  return { type: 'settings.updated', settings, mayWrite };
}

function targets(...methods: readonly TargetedMethod[]): SettingsUpdate {
  return {
    includeTargets: methods.map((targetedAuthenticationMethod, index) => ({
      targetType: 'group',
      id: `group-${index}`,
      targetedAuthenticationMethod,
    })),
  };
}

const settings = ['enabled', 'disabled', 'default', null] as const;

/** First state table of the specification: an update leads from any state to the state that it names. */
describe('campaign state', () => {
  const rows = settings.flatMap((from) =>
    (
      [
        ['enabled', 'enabled'],
        ['disabled', 'disabled'],
        ['default', 'providerManaged'],
        [null, 'providerManaged'],
      ] as const
    ).map(([to, expected]) => ({ from, to, expected })),
  );

  test.for(nonEmpty(rows))('C1: from $from, an update to $to leads to $expected', ({ from, to, expected }) => {
    const { value, context } = movedBy(createContext(seedRuleset, state(from)), update({ state: to }));
    expect({ value, stored: context.tenant.campaign.state }).toEqual({ value: expected, stored: to });
    expect(getEffectiveValues(context).state).toBe(expected);
  });

  test.for(nonEmpty(rows))(
    'C1: from $from, a caller without role or permissions does not reach $to',
    ({ from, to }) => {
      const before = movedBy(createContext(seedRuleset, state(from)));
      const { value, context } = movedBy(before.context, update({ state: to, snoozeDurationInDays: 9 }, false));
      expect({ value, context }).toEqual({ value: before.value, context: before.context });
    },
  );

  test('R14: a disabled campaign keeps its stored settings, which apply again after it is enabled', () => {
    const enabled = createContext(seedRuleset);
    const again = movedBy(enabled, update({ state: 'disabled' }), update({ state: 'enabled' }));
    expect(again.context).toEqual(enabled);
  });

  test('A19: every state is reachable from every other state', () => {
    const events = [update({ state: 'enabled' }), update({ state: 'disabled' }), update({ state: 'default' })];
    for (const setting of settings) {
      const fromState = movedBy(createContext(seedRuleset, state(setting)));
      const paths = getShortestPaths(campaignMachine, { events, fromState, limit: 1_000 });
      expect([...new Set(paths.map((path) => String(path.state.value)))].sort()).toEqual([
        'disabled',
        'enabled',
        'providerManaged',
      ]);
    }
  });
});

describe('A17, A50: settings that the provider manages', () => {
  const stored = { snoozeDurationInDays: 5, enforceRegistrationAfterAllowedSnoozes: false };
  const managed: Change = ({ tenant }) => Object.assign(tenant.campaign, { ...stored, state: 'default' });

  /** Updates in the state `default`, with the fields that they must not change. */
  const refused: readonly (readonly [string, SettingsUpdate, readonly string[]])[] = [
    ['nothing', {}, []],
    ['the stored values', { ...stored }, []],
    ['the state again', { state: 'default' }, []],
    ['other days', { snoozeDurationInDays: 6 }, ['snoozeDurationInDays']],
    ['the default days, which are not stored', { snoozeDurationInDays: 1 }, ['snoozeDurationInDays']],
    ['another limit', { enforceRegistrationAfterAllowedSnoozes: true }, ['enforceRegistrationAfterAllowedSnoozes']],
    ['another method', targets('fido2'), ['includeTargets']],
    ['other targets of the stored method', targets('vendorAuthenticator', 'vendorAuthenticator'), []],
    ['no targets', { includeTargets: [] }, []],
    ['other exclusions', { excludeTargets: [{ targetType: 'user', id: 'ben' }] }, []],
    [
      'everything at once',
      { snoozeDurationInDays: 0, enforceRegistrationAfterAllowedSnoozes: true, ...targets('fido2') },
      ['snoozeDurationInDays', 'enforceRegistrationAfterAllowedSnoozes', 'includeTargets'],
    ],
    ['other days with another limit while leaving', { state: 'enabled', snoozeDurationInDays: 6 }, []],
    ['another method while leaving', { state: 'disabled', ...targets('fido2') }, []],
  ];

  test.for(refused)(
    'A17: in the state `default`, an update of %s changes the managed settings %j',
    ([, given, fields]) => {
      const context = createContext(seedRuleset, managed);
      expect(changesManagedSettings(context, given)).toEqual(fields);
      const moved = movedBy(context, update(given));
      const expected = fields.length === 0 ? { ...context.tenant.campaign, ...given } : context.tenant.campaign;
      expect(moved.context.tenant.campaign).toEqual(expected);
    },
  );

  test.for([
    ['enabled', { state: 'default' }, []],
    ['enabled', { state: 'default', snoozeDurationInDays: 6 }, ['snoozeDurationInDays']],
    ['disabled', { state: 'default', ...stored }, []],
    ['disabled', { state: null, ...targets('fido2') }, ['includeTargets']],
    ['enabled', { snoozeDurationInDays: 6 }, []],
    ['disabled', { enforceRegistrationAfterAllowedSnoozes: true, ...targets('fido2') }, []],
  ] as const)('A50: from %s, the update %j is evaluated against the resulting state', ([from, given, fields]) => {
    const context = createContext(seedRuleset, managed, state(from));
    expect(changesManagedSettings(context, given as SettingsUpdate)).toEqual(fields);
  });

  test('A50: a setting without a value counts as its default', () => {
    const unset: Change = ({ tenant }) => {
      Object.assign(tenant.campaign, { snoozeDurationInDays: null, enforceRegistrationAfterAllowedSnoozes: null });
      tenant.campaign.state = null;
    };
    const context = createContext(seedRuleset, unset);
    expect(changesManagedSettings(context, { snoozeDurationInDays: 1 })).toEqual([]);
    expect(changesManagedSettings(context, { enforceRegistrationAfterAllowedSnoozes: true })).toEqual([]);
    expect(changesManagedSettings(context, { snoozeDurationInDays: 2 })).toEqual(['snoozeDurationInDays']);
    expect(changesManagedSettings(context, { enforceRegistrationAfterAllowedSnoozes: false })).toEqual([
      'enforceRegistrationAfterAllowedSnoozes',
    ]);
  });

  test('A50: a campaign without stored targets has no stored method to keep', () => {
    const empty: Change = ({ tenant }) => {
      tenant.campaign.state = 'default';
      tenant.campaign.includeTargets = [];
    };
    expect(changesManagedSettings(createContext(seedRuleset, empty), targets('fido2'))).toEqual([]);
  });

  test('A18: in the state `default`, the stored values are kept and those of the provider apply', () => {
    const { context } = movedBy(createContext(seedRuleset, managed, state('enabled')), update({ state: 'default' }));
    expect(context.tenant.campaign).toMatchObject(stored);
    expect(getEffectiveValues(context)).toEqual({
      state: 'providerManaged',
      method: 'vendorAuthenticator',
      snoozeDays: 3,
      limited: true,
    });
  });
});

describe('A19: rollout', () => {
  const none = { method: false, snoozeDays: false, snoozeLimit: false, targeting: false };
  const all = { method: true, snoozeDays: true, snoozeLimit: true, targeting: true };

  test.for([
    ['seed', [], 'vendorAuthenticator 3 true'],
    ['seed', ['method'], 'fido2 3 true'],
    ['seed', ['method', 'snoozeDays'], 'fido2 1 true'],
    ['seed', ['method', 'snoozeDays', 'snoozeLimit'], 'fido2 1 false'],
    ['2026-09', [], 'vendorAuthenticator 1 true'],
    ['2026-09', ['snoozeDays', 'snoozeLimit'], 'vendorAuthenticator 1 true'],
    ['2026-09', ['method'], 'fido2 1 false'],
  ] as const)('A19: ruleset %s with the switches %j has the values %s', ([ruleset, switches, values]) => {
    const context = createContext(ruleset === 'seed' ? seedRuleset : september2026Ruleset, state('default'));
    const events = switches.map((name): CampaignEvent => ({ type: 'rollout.switched', rollout: { [name]: true } }));
    const moved = movedBy(context, ...events);
    const { method, snoozeDays, limited } = getEffectiveValues(moved.context);
    expect(`${method} ${snoozeDays} ${limited}`).toBe(values);
    expect(moved.context.tenant.rollout).toEqual({
      ...none,
      ...Object.fromEntries(switches.map((name) => [name, true])),
    });
  });

  test('A28: key restrictions of the policy change the method to the app, and removing them changes it to the passkey', () => {
    const begun = movedBy(createContext(seedRuleset, state('default')), { type: 'rollout.switched', rollout: all });
    const restricted = step(begun, {
      type: 'keyRestrictions.changed',
      keyRestrictions: { type: 'block', kinds: ['security-key'] },
    });
    const lifted = step(restricted, { type: 'keyRestrictions.changed', keyRestrictions: null });
    expect([begun, restricted, lifted].map(({ context }) => getEffectiveValues(context).method)).toEqual([
      'fido2',
      'vendorAuthenticator',
      'fido2',
    ]);
  });

  test('A28: a campaign can be enabled and target passkeys despite key restrictions of the policy', () => {
    const restricted: Change = ({ tenant }) => {
      tenant.methodsPolicy.fido2.keyRestrictions = { type: 'allow', kinds: ['keychain'] };
    };
    const moved = movedBy(
      createContext(seedRuleset, state('default'), restricted),
      update({ state: 'enabled', ...targets('fido2') }),
    );
    expect(getEffectiveValues(moved.context)).toMatchObject({ state: 'enabled', method: 'fido2' });
  });

  test('A19: rollout switches neither change the state nor affect an enabled campaign', () => {
    const context = createContext();
    const moved = movedBy(context, { type: 'rollout.switched', rollout: all });
    expect(moved.value).toBe('enabled');
    expect(getEffectiveValues(moved.context)).toEqual(getEffectiveValues(context));
  });
});
