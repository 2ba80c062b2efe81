import type { EffectiveCampaign, Ruleset, TargetedMethod, TenantFacts } from './vocabulary.ts';

type CampaignOwner = Pick<TenantFacts, 'campaign' | 'rollout' | 'subscription' | 'methodsPolicy'>;

/**
 * The state that a stored `state` setting leads to: `default` and "not set" are the provider's management (A17).
 */
export function getCampaignState(setting: TenantFacts['campaign']['state']): EffectiveCampaign['state'] {
  return setting === 'enabled' || setting === 'disabled' ? setting : 'providerManaged';
}

/**
 * The campaign as it takes effect: stored settings when the tenant configures it, the provider's values under provider
 * management (A17, A19, A30), and the limit that free and trial subscriptions always have (A20).
 */
export function effectiveCampaign(tenant: CampaignOwner, ruleset: Ruleset): EffectiveCampaign {
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

/** A19, A28: the rollout moves the method to the passkey unless the tenant's passkey policy itself restricts AAGUIDs. */
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
