import { readingsFrom } from './campaign-facts.ts';
import { holds } from './own/condition.ts';
import type { EffectiveCampaign, Ruleset, TargetedMethod, TenantFacts } from './vocabulary.ts';

type CampaignOwner = Pick<TenantFacts, 'campaign' | 'rollout' | 'subscription' | 'methodsPolicy'>;

/**
 * Returns the campaign state for a stored `state` setting. `default` and an unset value mean provider managed
 * (A17).
 */
export function getCampaignState(setting: TenantFacts['campaign']['state']): EffectiveCampaign['state'] {
  return setting === 'enabled' || setting === 'disabled' ? setting : 'providerManaged';
}

/**
 * Computes the campaign in effect: the stored settings if the tenant configures it, or the provider's values if it
 * is provider managed (A17, A19, A30). Free and trial subscriptions always have the snooze limit (A20). The rules must be
 * those in force; what a ruleset file changes comes last.
 */
export function effectiveCampaign(tenant: CampaignOwner, ruleset: Ruleset): EffectiveCampaign {
  const campaign = storedCampaign(tenant, ruleset);
  const { extension } = ruleset;
  if (extension === undefined || extension.campaign.length === 0) return campaign;
  const readings = readingsFrom({ tenant: tenant as TenantFacts }, extension);
  let changed = campaign;
  for (const { when, set } of extension.campaign) {
    if (when === null || holds(when, readings)) changed = { ...changed, ...set };
  }
  return changed;
}

function storedCampaign(tenant: CampaignOwner, ruleset: Ruleset): EffectiveCampaign {
  const state = getCampaignState(tenant.campaign.state);
  const alwaysLimited = tenant.subscription !== 'paid';
  if (state === 'providerManaged') {
    const method = providerMethod(tenant);
    const values = providerValues(tenant, method, ruleset);
    return { state, method, snoozeDays: values.snoozeDays, limited: alwaysLimited || values.limited };
  }
  return {
    state,
    method: tenant.campaign.includeTargets[0]?.targetedAuthenticationMethod ?? null,
    snoozeDays: tenant.campaign.snoozeDurationInDays ?? ruleset.limits.snoozeDaysDefault,
    limited: alwaysLimited || (tenant.campaign.enforceRegistrationAfterAllowedSnoozes ?? true),
  };
}

/**
 * Returns the provider's method (A19, A28): the passkey after the rollout, unless the tenant's passkey policy
 * restricts AAGUIDs.
 */
function providerMethod(tenant: CampaignOwner): TargetedMethod {
  const restricted = tenant.methodsPolicy.fido2.keyRestrictions !== null;
  return tenant.rollout.method && !restricted ? 'fido2' : 'vendorAuthenticator';
}

function providerValues(
  tenant: CampaignOwner,
  method: TargetedMethod,
  ruleset: Ruleset,
): { snoozeDays: number; limited: boolean } {
  const { snoozeDays, limited } = ruleset.providerManaged;
  return {
    snoozeDays:
      snoozeDays.by === 'method'
        ? snoozeDays[method]
        : tenant.rollout.snoozeDays
          ? snoozeDays.after
          : snoozeDays.before,
    limited: limited.by === 'method' ? limited[method] : tenant.rollout.snoozeLimit ? limited.after : limited.before,
  };
}
