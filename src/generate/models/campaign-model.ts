import { type CampaignContext, type CampaignEvent, campaignMachine } from '../../../machines/campaign.machine.ts';
import { getCampaignState } from '../../../machines/effective-campaign.ts';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import { campaignStateSettings, type Ruleset, type TargetedMethod } from '../../../machines/vocabulary.ts';
import type { Invariant, Model } from '../../compiled/model.ts';
import { givenFacts } from './given-facts.ts';

export type CampaignMachine = typeof campaignMachine;

/** Alphabet for exploring the campaign machine. */
export interface CampaignAlphabet {
  readonly snoozeDays: readonly number[];
  readonly methods: readonly TargetedMethod[];
  /** Rollout switches that the exploration sets and clears (A19). */
  readonly switches: readonly ('method' | 'snoozeDays' | 'snoozeLimit' | 'targeting')[];
  readonly ruleset?: Ruleset;
  /** Groups that are always excluded. */
  readonly excludedGroups?: readonly string[];
}

const managed = ['snoozeDurationInDays', 'enforceRegistrationAfterAllowedSnoozes', 'includeTargets'] as const;

const invariants: readonly Invariant<CampaignMachine>[] = [
  {
    id: 'campaign.state-is-stored',
    sentence: 'The state matches the stored settings (C1, A17).',
    of: 'state',
    holds: ({ value, context }) => value === getCampaignState(context.tenant.campaign.state),
  },
  {
    id: 'campaign.callers-may-write',
    sentence: 'A caller without role or permissions changes nothing (C1).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      event.type !== 'settings.updated' || event.mayWrite || sameSettings(before.context, after.context),
  },
  {
    id: 'campaign.managed-stays',
    sentence: 'While the provider manages the campaign, its method, days and limit do not change (A17, A50).',
    of: 'edge',
    holds: ({ before, after }) =>
      after.value !== 'providerManaged' ||
      managed.every((key) => same(before.context.tenant.campaign[key], after.context.tenant.campaign[key])),
  },
  {
    id: 'campaign.roll-out-stores-nothing',
    sentence: 'A rollout switch does not change any stored setting (A18, A19).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      event.type !== 'rollout.switched' || same(before.context.tenant.campaign, after.context.tenant.campaign),
  },
];

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function sameSettings(one: CampaignContext, other: CampaignContext): boolean {
  return same(one.tenant, other.tenant);
}

/**
 * Creates the model of one tenant's campaign. It starts enabled for everyone, with the first snooze duration and
 * method.
 */
export function campaignModel(alphabet: CampaignAlphabet): Model<CampaignMachine> {
  const { snoozeDays, methods, switches, ruleset = seedRuleset, excludedGroups = [] } = alphabet;
  const context = { tenant: createTenant(alphabet, excludedGroups), ruleset };
  const settings = [
    ...campaignStateSettings.map((state) => ({ state })),
    ...snoozeDays.map((snoozeDurationInDays) => ({ snoozeDurationInDays })),
    ...[true, false].map((on) => ({ enforceRegistrationAfterAllowedSnoozes: on })),
    ...(methods.length > 1 ? methods : []).map((method) => ({ includeTargets: [everybody(method)] })),
  ];
  const events: readonly CampaignEvent[] = [
    ...settings.map((given) => ({ type: 'settings.updated' as const, settings: given, mayWrite: true })),
    { type: 'settings.updated', settings: { state: 'disabled' }, mayWrite: false },
    ...switches.flatMap((name) =>
      [true, false].map((on) => ({ type: 'rollout.switched' as const, rollout: { [name]: on } })),
    ),
  ];
  return {
    name: 'campaign',
    machine: campaignMachine,
    input: context,
    from: campaignMachine.resolveState({ value: 'enabled', context }),
    events,
    // The ruleset and all values that no event changes are the same in every state.
    serialize: ({ value, context: { tenant } }) => JSON.stringify([value, tenant.campaign, tenant.rollout]),
    invariants,
  };
}

function createTenant(
  { snoozeDays, methods }: CampaignAlphabet,
  excludedGroups: readonly string[],
): CampaignContext['tenant'] {
  const campaign = {
    state: 'enabled',
    snoozeDurationInDays: snoozeDays[0] ?? null,
    enforceRegistrationAfterAllowedSnoozes: true,
    includeTargets: [everybody(methods[0] ?? 'vendorAuthenticator')],
    excludeTargets: excludedGroups.map((id) => ({ targetType: 'group', id })),
  };
  return givenFacts({ tenant: { campaign }, user: { id: 'nobody' } }).tenant;
}

function everybody(targetedAuthenticationMethod: TargetedMethod) {
  return { targetType: 'group', id: 'all_users', targetedAuthenticationMethod } as const;
}
