import { type CampaignContext, changesManagedSettings } from '../../machines/campaign.machine.ts';
import { campaignStateOf } from '../../machines/effective-campaign.ts';
import type { CampaignSettings } from '../../machines/vocabulary.ts';
import type { ConcreteCampaign, PolicySubject } from '../contract/policy.schema.ts';
import type { PolicyPatchReader } from '../contract/policy-patch.ts';
import { shown } from '../contract/policy-reader.ts';
import { NudgeLabError, type Problem } from '../core/errors.ts';
import type { InputOf, PolicyExtras } from '../journal/input.ts';
import type { SandboxState } from '../journal/state.ts';

/**
 * What a PATCH puts into the journal; `null` when it changes nothing. Takes the reader of the tenant, the body, the policy as
 * it is and the state. Throws `bad-request` with every offending field, those that the provider manages among them.
 */
export function policyChange(
  read: PolicyPatchReader,
  body: unknown,
  current: PolicySubject,
  state: SandboxState,
): InputOf<'tenant.changed'> | null {
  const { after, problems } = read(body, current);
  const { campaign, managed } = campaignAfter(state, campaignOf(current), campaignOf(after));
  if (problems.length + managed.length > 0) {
    throw new NudgeLabError('bad-request', { problems: [...problems, ...managed] });
  }
  if (after === current) return null;
  const extras = extrasChange(current, after);
  return {
    type: 'tenant.changed',
    facts: campaign === null ? {} : { campaign },
    ...(extras === null ? {} : { extras }),
    by: 'policy-api',
  };
}

interface CampaignChange {
  /** The campaign as it is to be stored; `null` when it stays. */
  readonly campaign: CampaignSettings | null;
  readonly managed: readonly Problem[];
}

/**
 * A17, A50: the campaign machine decides whether an update is refused, by the state that it leads to, and what is stored. What
 * an update repeats stays as it is, also where that means "not set".
 */
function campaignAfter(state: SandboxState, current: ConcreteCampaign, wanted: ConcreteCampaign): CampaignChange {
  if (wanted === current) return { campaign: null, managed: [] };
  const keys = (Object.keys(wanted) as (keyof ConcreteCampaign)[]).filter((key) => wanted[key] !== current[key]);
  const settings: Partial<CampaignSettings> = Object.fromEntries(keys.map((key) => [key, wanted[key]]));
  const context: CampaignContext = { tenant: state.tenant, ruleset: state.ruleset };
  const value = campaignStateOf(state.tenant.campaign.state);
  const { tenant } = state.model.stepCampaign(value, context, { type: 'settings.updated', settings, mayWrite: true });
  if (tenant !== state.tenant) return { campaign: tenant.campaign, managed: [] };
  const managed = changesManagedSettings(context, settings).map((setting) => ({
    place: `registrationEnforcement.authenticationMethodsRegistrationCampaign.${setting}`,
    message: `${wish(setting, wanted, current)}; the provider manages it while state is "default" (A17)`,
  }));
  return { campaign: null, managed };
}

/** What the update wants of a managed setting, and what it may have. */
function wish(setting: string, wanted: ConcreteCampaign, current: ConcreteCampaign): string {
  if (setting === 'includeTargets') return 'targets another method than the stored one';
  const key = setting as keyof ConcreteCampaign;
  return `${shown(wanted[key])} is not the stored ${shown(current[key])}`;
}

function campaignOf({ registrationEnforcement }: PolicySubject): ConcreteCampaign {
  return registrationEnforcement.authenticationMethodsRegistrationCampaign;
}

function extrasChange(before: PolicySubject, after: PolicySubject): PolicyExtras | null {
  const { policyMigrationState, systemCredentialPreferences, reportSuspiciousActivitySettings } = after;
  const same =
    policyMigrationState === before.policyMigrationState &&
    systemCredentialPreferences === before.systemCredentialPreferences &&
    reportSuspiciousActivitySettings === before.reportSuspiciousActivitySettings;
  return same ? null : { policyMigrationState, systemCredentialPreferences, reportSuspiciousActivitySettings };
}
