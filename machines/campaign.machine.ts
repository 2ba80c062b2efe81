import { assign, setup } from 'xstate';
import { effectiveCampaign, getCampaignState } from './effective-campaign.ts';
import type { EffectiveCampaign, Rollout, Ruleset, TenantFacts } from './vocabulary.ts';

/** Inputs of the campaign state: the tenant settings, and the ruleset with the provider-managed values. */
export interface CampaignContext {
  readonly tenant: Pick<TenantFacts, 'campaign' | 'rollout' | 'subscription' | 'methodsPolicy'>;
  readonly ruleset: Ruleset;
}

/** Settings that an update can contain in addition to the state. Targets remain configurable in every state. */
export type SettingsUpdate = Partial<TenantFacts['campaign']>;

export type CampaignEvent =
  /** Update through the policy API or the console. */
  | { readonly type: 'settings.updated'; readonly settings: SettingsUpdate; readonly mayWrite: boolean }
  /** Change of a rollout switch (A19). */
  | { readonly type: 'rollout.switched'; readonly rollout: Partial<Rollout> }
  /** Change or removal of the passkey policy's own AAGUID restrictions (A19, A28). */
  | {
      readonly type: 'keyRestrictions.changed';
      readonly keyRestrictions: TenantFacts['methodsPolicy']['fido2']['keyRestrictions'];
    };

/** Returns the state after an update. A50: an update is evaluated against that state. */
function stateAfter(context: CampaignContext, settings: SettingsUpdate): EffectiveCampaign['state'] {
  return getCampaignState(settings.state === undefined ? context.tenant.campaign.state : settings.state);
}

/**
 * Lists the changed settings that the provider manages (A17, A50): method, snooze duration and snooze limit.
 * Sending the stored value again is not a change. An update with such changes is rejected.
 */
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
 * State machine of the campaign, the first state table of the specification. An update can change any state to any
 * other if the caller has the role or permissions. While the provider manages the campaign, method, snooze duration
 * and snooze limit are the provider's and follow the rollout (A17, A19).
 */
export const campaignMachine = campaignSetup.createMachine({
  id: 'campaign',
  context: ({ input }) => input,
  initial: 'providerManaged',
  on: {
    'settings.updated': [
      { guard: 'updateIsRefused' },
      // Most updates keep the state. A transition without a target neither leaves nor enters it.
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

/** Returns the campaign values in effect for a context of the machine. */
export function getEffectiveValues(context: CampaignContext): EffectiveCampaign {
  return effectiveCampaign(context.tenant, context.ruleset);
}
