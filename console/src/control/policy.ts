import { api, type Json, send } from './control-client.ts';

/** Include or exclude target of the campaign. */
export interface Target {
  readonly targetType: 'user' | 'group';
  readonly id: string;
}

/** Include target with its method: `fido2`, or the tenant's identifier for the authenticator app. */
export interface IncludeTarget extends Target {
  readonly targetedAuthenticationMethod: string;
}

/** Campaign in the format of the policy API. */
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

/** Reads the campaign through the policy API, as an administrator's client does. */
export async function readCampaign(sandbox: string): Promise<CampaignSettings> {
  const policy = await asAdministrator<Policy>(sandbox, 'GET');
  return policy.registrationEnforcement.authenticationMethodsRegistrationCampaign;
}

/** Updates the policy with the body of a PATCH request. */
export async function updatePolicy(sandbox: string, patch: Json): Promise<void> {
  await asAdministrator(sandbox, 'PATCH', patch);
}

/** Returns the PATCH body that changes one campaign into another, or `null` if they are equal. */
export function patchBetween(from: CampaignSettings, to: CampaignSettings): Json | null {
  const changed = (Object.keys(to) as (keyof CampaignSettings)[]).filter(
    (key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]),
  );
  if (changed.length === 0) return null;
  const settings = Object.fromEntries(changed.map((key) => [key, to[key]]));
  return { registrationEnforcement: { authenticationMethodsRegistrationCampaign: settings } };
}

/** Sends one request with a new administrator token. The token is used only once, so the page never stores it. */
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
