import { snoozeDaysDefault } from '../../machines/campaign-limits.ts';
import type { CampaignSettings } from '../../machines/vocabulary.ts';
import type { ConcreteCampaign, Policy, PolicySubject } from '../contract/policy.schema.ts';
import { methodConfigurations } from '../contract/policy-methods.ts';
import { toInstant } from '../core/clock.ts';
import { computeDigest } from '../core/digest.ts';
import type { SandboxState } from '../journal/state.ts';

/** Part of the state that the policy is derived from. Every change of it creates a new `tenant`. */
export type PolicySource = Readonly<
  Pick<SandboxState, 'tenant' | 'settings' | 'extras' | 'tenantChangedAtMs' | 'tenantChangedBetweenMs'>
>;

/** Policy at one point in time: as an object, as response bytes, and as the base of a PATCH. */
export interface PolicyRendering {
  readonly source: PolicySource;
  readonly policy: Policy;
  readonly bytes: Buffer;
  /** Strong ETag that depends only on the content. Equal bytes have equal tags, regardless of changes in between. */
  readonly etag: string;
  readonly subject: PolicySubject;
}

/** Context URL relative to the policy, so it is valid under every host and sandbox prefix. */
const context = '../$metadata#authenticationMethodsPolicy';

/**
 * Version of the policy format, not of its content, so no change affects it and a stored policy can be sent back.
 */
const policyVersion = '1.0';

/**
 * Renders the policy from the facts.
 *
 * @param source - part of the state that the policy is derived from
 * @param before - previous rendering, whose unchanged parts are reused, or `null` for the first one
 */
export function renderPolicy(source: PolicySource, before: PolicyRendering | null): PolicyRendering {
  const { tenant, settings } = source;
  const campaign = concreteCampaign(tenant.campaign);
  const policy: Policy = {
    '@odata.context': context,
    id: 'authenticationMethodsPolicy',
    displayName: 'Authentication Methods Policy',
    description:
      'Defines who can register and use each authentication method, and which method users are prompted to register.',
    lastModifiedDateTime: toInstant(source.tenantChangedAtMs),
    policyVersion,
    ...pickExtras(source),
    registrationEnforcement: {
      authenticationMethodsRegistrationCampaign: wireCampaign(campaign, settings.authenticatorWireName),
    },
    authenticationMethodConfigurations:
      before?.source.settings === settings && before.source.tenant.methodsPolicy === tenant.methodsPolicy
        ? before.policy.authenticationMethodConfigurations
        : methodConfigurations(tenant.methodsPolicy, settings.authenticatorWireName),
  };
  const text = JSON.stringify(policy);
  return {
    source,
    policy,
    bytes: Buffer.from(text),
    etag: `"${computeDigest(text)}"`,
    subject: {
      ...policy,
      lastModifiedDateTime: source.tenantChangedBetweenMs,
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign },
    },
  };
}

/**
 * Returns the stored campaign with defaults for unset values. A GET shows the stored values, not those in effect
 * (A18).
 */
function concreteCampaign(stored: CampaignSettings): ConcreteCampaign {
  return {
    snoozeDurationInDays: stored.snoozeDurationInDays ?? snoozeDaysDefault,
    enforceRegistrationAfterAllowedSnoozes: stored.enforceRegistrationAfterAllowedSnoozes ?? true,
    state: stored.state ?? 'default',
    excludeTargets: stored.excludeTargets,
    includeTargets: stored.includeTargets,
  };
}

function wireCampaign(
  campaign: ConcreteCampaign,
  authenticatorWireName: string,
): Policy['registrationEnforcement']['authenticationMethodsRegistrationCampaign'] {
  return {
    ...campaign,
    excludeTargets: campaign.excludeTargets.map(({ targetType, id }) => ({ targetType, id })),
    includeTargets: campaign.includeTargets.map(({ targetType, id, targetedAuthenticationMethod: method }) => ({
      targetType,
      id,
      targetedAuthenticationMethod: method === 'vendorAuthenticator' ? authenticatorWireName : method,
    })),
  };
}

/**
 * Returns the extras. The journal stores them as plain JSON, and only a PATCH validated by the contract writes
 * them.
 */
function pickExtras({ extras }: PolicySource): Pick<Policy, keyof PolicySource['extras']> {
  return extras as Pick<Policy, keyof PolicySource['extras']>;
}
