import { asAdministrator } from './administrator.ts';
import type { Json } from './control-client.ts';

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
  const policy = await sendPolicy<Policy>(sandbox, 'GET');
  return policy.registrationEnforcement.authenticationMethodsRegistrationCampaign;
}

/** Updates the policy with the body of a PATCH request. */
export async function updatePolicy(sandbox: string, patch: Json): Promise<void> {
  await sendPolicy(sandbox, 'PATCH', patch);
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

/** Sends one request to the policy API. */
function sendPolicy<T>(sandbox: string, method: string, body?: Json): Promise<T> {
  return asAdministrator<T>(sandbox, {
    path: '/v1.0/policies/authenticationMethodsPolicy',
    permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
    role: 'Authentication Policy Administrator',
    method,
    body,
  });
}
