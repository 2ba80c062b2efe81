import { snoozeDaysDefault } from '../../machines/campaign-limits.ts';
import type { CampaignSettings } from '../../machines/vocabulary.ts';
import type { ConcreteCampaign, Policy, PolicySubject } from '../contract/policy.schema.ts';
import { methodConfigurations } from '../contract/policy-methods.ts';
import { toInstant } from '../core/clock.ts';
import { computeDigest } from '../core/digest.ts';
import type { SandboxState } from '../journal/state.ts';

/** The part of the state that the policy is a projection of; every change of it makes a new `tenant`. */
export type PolicySource = Readonly<
  Pick<SandboxState, 'tenant' | 'settings' | 'extras' | 'tenantChangedAtMs' | 'tenantChangedBetweenMs'>
>;

/** The policy at one moment: as an object, as the bytes of an answer, and as what a PATCH is read against. */
export interface PolicyRendering {
  readonly source: PolicySource;
  readonly policy: Policy;
  readonly bytes: Buffer;
  /** Strong, and by content alone: equal bytes have equal tags, whatever happened in between. */
  readonly etag: string;
  readonly subject: PolicySubject;
}

/** Relative to the address of the policy, so that it holds under every host and sandbox prefix. */
const context = '../$metadata#authenticationMethodsPolicy';

/** The version of the policy's form, not of its content: no change moves it, so that a stored policy can be sent back. */
const policyVersion = '1.0';

/**
 * Renders the policy from the facts. Takes the part of the state it stands on and the rendering before, of which it takes over
 * what did not change; `null` for the first one.
 */
export function renderPolicy(source: PolicySource, before: PolicyRendering | null): PolicyRendering {
  const { tenant, settings } = source;
  const campaign = concreteCampaign(tenant.campaign);
  const policy: Policy = {
    '@odata.context': context,
    id: 'authenticationMethodsPolicy',
    displayName: 'Authentication Methods Policy',
    description: 'Who may register and use which authentication method, and which one users are asked to register.',
    lastModifiedDateTime: toInstant(source.tenantChangedAtMs),
    policyVersion,
    ...extrasOf(source),
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

/** The stored campaign with the defaults of what was never set; a GET shows what is stored, not what is in force (A18). */
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

/** The journal keeps the extras as plain JSON; a PATCH alone writes them, and it was read by the contract. */
function extrasOf({ extras }: PolicySource): Pick<Policy, keyof PolicySource['extras']> {
  return extras as Pick<Policy, keyof PolicySource['extras']>;
}
