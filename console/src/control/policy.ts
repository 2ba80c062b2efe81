import { api, type Json, send } from './control-client.ts';

/** One side of the campaign's scope. */
export interface Target {
  readonly targetType: 'user' | 'group';
  readonly id: string;
}

/** Whom a campaign asks, and for which method: the tenant's own word for the authenticator app, or `fido2`. */
export interface IncludeTarget extends Target {
  readonly targetedAuthenticationMethod: string;
}

/** The campaign as the policy API has it. */
export interface CampaignSettings {
  readonly state: 'enabled' | 'disabled' | 'default';
  readonly snoozeDurationInDays: number;
  readonly enforceRegistrationAfterAllowedSnoozes: boolean;
  readonly includeTargets: readonly IncludeTarget[];
  readonly excludeTargets: readonly Target[];
}

interface Policy {
  readonly registrationEnforcement: { readonly authenticationMethodsRegistrationCampaign: CampaignSettings };
}

/** Reads the campaign by the policy API, as an administrator's client would. */
export async function readCampaign(sandbox: string): Promise<CampaignSettings> {
  const policy = await asAdministrator<Policy>(sandbox, 'GET');
  return policy.registrationEnforcement.authenticationMethodsRegistrationCampaign;
}

/** Updates the policy. Takes the body of the PATCH. */
export async function updatePolicy(sandbox: string, patch: Json): Promise<void> {
  await asAdministrator(sandbox, 'PATCH', patch);
}

/** The body of a PATCH that leads from one campaign to another; `null` when nothing differs. */
export function patchBetween(from: CampaignSettings, to: CampaignSettings): Json | null {
  const changed = (Object.keys(to) as (keyof CampaignSettings)[]).filter(
    (key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]),
  );
  if (changed.length === 0) return null;
  const settings = Object.fromEntries(changed.map((key) => [key, to[key]]));
  return { registrationEnforcement: { authenticationMethodsRegistrationCampaign: settings } };
}

/** The token lives for one request: none is ever kept in the page. */
async function asAdministrator<T>(sandbox: string, method: string, body?: Json): Promise<T> {
  const { access_token: token } = await api.issueToken({
    sandbox,
    body: {
      permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
      roles: ['Authentication Policy Administrator'],
      expiresInSeconds: 60,
    },
  });
  return send<T>(`/s/${sandbox}/v1.0/policies/authenticationMethodsPolicy`, {
    method,
    body,
    headers: { authorization: `Bearer ${token}` },
  });
}
