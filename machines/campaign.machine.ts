import { assign, setup } from 'xstate';
import { effectiveCampaign, getCampaignState } from './effective-campaign.ts';
import type { EffectiveCampaign, Rollout, Ruleset, TenantFacts } from './vocabulary.ts';

/** What the campaign's state depends on: the tenant's settings and the ruleset with the provider's values. */
export interface CampaignContext {
  readonly tenant: Pick<TenantFacts, 'campaign' | 'rollout' | 'subscription' | 'methodsPolicy'>;
  readonly ruleset: Ruleset;
}

/** Settings that an update may carry besides the state; targets stay configurable in every state. */
export type SettingsUpdate = Partial<TenantFacts['campaign']>;

export type CampaignEvent =
  /** An update through the policy API or the console. */
  | { readonly type: 'settings.updated'; readonly settings: SettingsUpdate; readonly mayWrite: boolean }
  /** A rollout switch was set (A19). */
  | { readonly type: 'rollout.switched'; readonly rollout: Partial<Rollout> }
  /** The passkey policy's own AAGUID restrictions were set or lifted (A19, A28). */
  | {
      readonly type: 'keyRestrictions.changed';
      readonly keyRestrictions: TenantFacts['methodsPolicy']['fido2']['keyRestrictions'];
    };

/** The state that an update leads to (A50: an update is evaluated against it). */
function stateAfter(context: CampaignContext, settings: SettingsUpdate): EffectiveCampaign['state'] {
  return getCampaignState(settings.state === undefined ? context.tenant.campaign.state : settings.state);
}

/** A17, A50: what the provider manages cannot be changed: method, days and limit; repeating the stored value is no change. */
export function changesManagedSettings(context: CampaignContext, settings: SettingsUpdate): readonly string[] {
  if (stateAfter(context, settings) !== 'providerManaged') return [];
  const stored = context.tenant.campaign;
  const after = { ...stored, ...settings };
  const changed: string[] = [];
  if ((after.snoozeDurationInDays ?? 1) !== (stored.snoozeDurationInDays ?? 1)) changed.push('snoozeDurationInDays');
  if (
    (after.enforceRegistrationAfterAllowedSnoozes ?? true) !== (stored.enforceRegistrationAfterAllowedSnoozes ?? true)
  ) {
    changed.push('enforceRegistrationAfterAllowedSnoozes');
  }
  const method = stored.includeTargets[0]?.targetedAuthenticationMethod;
  if (method !== undefined && after.includeTargets.some((target) => target.targetedAuthenticationMethod !== method)) {
    changed.push('includeTargets');
  }
  return changed;
}

const campaignSetup = setup({
  types: { context: {} as CampaignContext, events: {} as CampaignEvent, input: {} as CampaignContext },
  guards: {
    updateIsRefused: ({ context, event }) =>
      event.type === 'settings.updated' &&
      (!event.mayWrite || changesManagedSettings(context, event.settings).length > 0),
    keepsState: ({ context, event }) =>
      event.type === 'settings.updated' &&
      stateAfter(context, event.settings) === getCampaignState(context.tenant.campaign.state),
    leadsToEnabled: ({ context, event }) =>
      event.type === 'settings.updated' && stateAfter(context, event.settings) === 'enabled',
    leadsToDisabled: ({ context, event }) =>
      event.type === 'settings.updated' && stateAfter(context, event.settings) === 'disabled',
  },
  actions: {
    storeSettings: assign(({ context, event }) =>
      event.type === 'settings.updated'
        ? { tenant: { ...context.tenant, campaign: { ...context.tenant.campaign, ...event.settings } } }
        : {},
    ),
    setSwitches: assign(({ context, event }) =>
      event.type === 'rollout.switched'
        ? { tenant: { ...context.tenant, rollout: { ...context.tenant.rollout, ...event.rollout } } }
        : {},
    ),
    storeKeyRestrictions: assign(({ context, event }) => {
      if (event.type !== 'keyRestrictions.changed') return {};
      const { methodsPolicy } = context.tenant;
      const fido2 = { ...methodsPolicy.fido2, keyRestrictions: event.keyRestrictions };
      return { tenant: { ...context.tenant, methodsPolicy: { ...methodsPolicy, fido2 } } };
    }),
  },
});

/**
 * The campaign's state: the specification's first state table. Any state moves to any other by an update whose caller holds
 * role or permissions; under provider management method, days and limit are the provider's and follow the rollout (A17, A19).
 */
export const campaignMachine = campaignSetup.createMachine({
  id: 'campaign',
  context: ({ input }) => input,
  initial: 'providerManaged',
  on: {
    'settings.updated': [
      { guard: 'updateIsRefused' },
      // Most updates keep the state: without a target it is neither left nor entered.
      { guard: 'keepsState', actions: 'storeSettings' },
      { guard: 'leadsToEnabled', target: '.enabled', actions: 'storeSettings' },
      { guard: 'leadsToDisabled', target: '.disabled', actions: 'storeSettings' },
      { target: '.providerManaged', actions: 'storeSettings' },
    ],
    'rollout.switched': { actions: 'setSwitches' },
    'keyRestrictions.changed': { actions: 'storeKeyRestrictions' },
  },
  states: {
    enabled: { meta: { page: 'campaign', rules: ['C1', 'A35'] } },
    disabled: { meta: { page: 'campaign', rules: ['R14', 'A23'] } },
    providerManaged: { meta: { page: 'campaign', rules: ['A17', 'A18', 'A19', 'A33'] } },
  },
});

/** The values in force in a state of the machine; takes its context. */
export function getEffectiveValues(context: CampaignContext): EffectiveCampaign {
  return effectiveCampaign(context.tenant, context.ruleset);
}
