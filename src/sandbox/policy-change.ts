import { type CampaignContext, changesManagedSettings } from '../../machines/campaign.machine.ts';
import { getCampaignState } from '../../machines/effective-campaign.ts';
import type { CampaignSettings, TargetedMethod } from '../../machines/vocabulary.ts';
import { getDialect } from '../contract/directory-api/dialect.ts';
import type { ConcreteCampaign, PolicySubject } from '../contract/policy.schema.ts';
import type { PolicyPatchReader } from '../contract/policy-patch.ts';
import { formatValue } from '../contract/policy-reader.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import type { EventOf, PolicyExtras } from '../journal/journal-event.ts';
import type { SandboxState } from '../journal/state.ts';

/**
 * Creates the journal event for a PATCH, or returns `null` if it changes nothing. Throws `bad-request` with every
 * invalid field, including changes to settings that the provider manages, and a state that an own campaign excludes.
 */
export function policyChange(
  read: PolicyPatchReader,
  body: unknown,
  current: PolicySubject,
  state: SandboxState,
): EventOf<'tenant.changed'> | null {
  const { after, problems } = read(body, current);
  const { campaign, managed } = campaignAfter(state, getCampaign(current), getCampaign(after));
  const refused = [...problems, ...managed, ...refuseState(state, getCampaign(after))];
  if (refused.length > 0) throw new NudgeLabError('bad-request', { problems: refused });
  if (after === current) return null;
  const changed = extrasChange(current, after);
  const extras = changed === null ? null : { ...state.extras, ...changed };
  return {
    type: 'tenant.changed',
    facts: campaign === null ? {} : { campaign },
    ...(extras === null ? {} : { extras }),
    by: 'policy-api',
  };
}

/** Path of the campaign in the body of an update. */
const campaignPath = 'registrationEnforcement.authenticationMethodsRegistrationCampaign';

/** Returns the problem of a state other than `disabled` beside an own campaign, which would have no effect (OC56). */
function refuseState({ own }: SandboxState, { state }: ConcreteCampaign): readonly ValidationProblem[] {
  if (own === null || state === 'disabled') return [];
  const message = `${formatValue(state)} is not "disabled", the only state while the ruleset "${own.ruleset.id}" has the base own; its own campaign takes the place of this one`;
  return [{ location: `${campaignPath}.state`, message }];
}

interface CampaignChange {
  /** Campaign to store, or `null` if it is unchanged. */
  readonly campaign: CampaignSettings | null;
  readonly managed: readonly ValidationProblem[];
}

/**
 * Applies an update to the campaign (A17, A50). The campaign machine decides by the resulting state whether the
 * update is rejected, and what is stored. Repeated values keep their stored form, even if that is "not set".
 */
function campaignAfter(state: SandboxState, current: ConcreteCampaign, wanted: ConcreteCampaign): CampaignChange {
  if (wanted === current) return { campaign: null, managed: [] };
  const keys = (Object.keys(wanted) as (keyof ConcreteCampaign)[]).filter((key) => wanted[key] !== current[key]);
  const settings: Partial<CampaignSettings> = Object.fromEntries(keys.map((key) => [key, wanted[key]]));
  const context: CampaignContext = { tenant: state.tenant, ruleset: state.ruleset };
  const value = getCampaignState(state.tenant.campaign.state);
  const { tenant } = state.model.stepCampaign(value, context, { type: 'settings.updated', settings, mayWrite: true });
  if (tenant !== state.tenant) return { campaign: tenant.campaign, managed: [] };
  const getMethodName = (method: TargetedMethod) =>
    method === 'vendorAuthenticator' ? getDialect(state.settings).authenticator : method;
  const managed = changesManagedSettings(context, settings)
    .flatMap((setting) => listDifferences(setting as keyof ConcreteCampaign, { wanted, current, getMethodName }))
    .map(({ place, requested, stored }) => ({
      location: `${campaignPath}.${place}`,
      message: `${formatValue(requested)} differs from the stored ${formatValue(stored)}; the provider manages this property while state is "default" (A17)`,
    }));
  return { campaign: null, managed };
}

interface ManagedDifference {
  readonly place: string;
  readonly requested: unknown;
  readonly stored: unknown;
}

interface RequestedCampaign {
  readonly wanted: ConcreteCampaign;
  readonly current: ConcreteCampaign;
  /** Returns the name of a method in the tenant's API format. */
  readonly getMethodName: (method: TargetedMethod) => string;
}

/**
 * Returns the requested and the stored value of a managed setting. For targets, returns each one with another
 * method.
 */
function listDifferences(
  setting: keyof ConcreteCampaign,
  { wanted, current, getMethodName }: RequestedCampaign,
): readonly ManagedDifference[] {
  if (setting !== 'includeTargets') return [{ place: setting, requested: wanted[setting], stored: current[setting] }];
  const stored = current.includeTargets[0]?.targetedAuthenticationMethod;
  if (stored === undefined) return [];
  return wanted.includeTargets.flatMap(({ targetedAuthenticationMethod: method }, index) => {
    const place = `includeTargets[${index}].targetedAuthenticationMethod`;
    return method === stored ? [] : [{ place, requested: getMethodName(method), stored: getMethodName(stored) }];
  });
}

function getCampaign({ registrationEnforcement }: PolicySubject): ConcreteCampaign {
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
