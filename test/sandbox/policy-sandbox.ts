import type { TargetedMethod } from '../../machines/vocabulary.ts';
import { type PolicyCaller, toPolicyCaller } from '../../src/contract/policy-caller.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import type { PolicyUpdateOptions } from '../../src/sandbox/policy-service.ts';
import { planSandbox, Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';

export const guids = {
  sales: '4d8c2f10-6a3e-4b57-9c21-7e5f0a9b1c01',
  legal: '4d8c2f10-6a3e-4b57-9c21-7e5f0a9b1c03',
  ada: '9b3e7a54-2f0d-4c1b-8e6f-5a4d3c2b1a00',
} as const;

export const administrator: PolicyCaller = toPolicyCaller('administrator');

/** An enabled campaign for everyone, three days, limited. */
export function enabledTenant(method: TargetedMethod = 'vendorAuthenticator') {
  return {
    campaign: {
      state: 'enabled',
      snoozeDurationInDays: 3,
      enforceRegistrationAfterAllowedSnoozes: true,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }],
      excludeTargets: [],
    },
  };
}

export function createSandbox(input: SandboxInput = { tenant: enabledTenant() }): Promise<Sandbox> {
  return Sandbox.create('policy', planSandbox(input), new MemoryStore());
}

/** The body of a PATCH that says something about the campaign alone. */
export function campaignBody(campaign: unknown): unknown {
  return { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
}

/** The campaign as a GET shows it. */
export function getCampaign(sandbox: Sandbox) {
  const { body } = sandbox.policy.read(administrator);
  return body?.registrationEnforcement.authenticationMethodsRegistrationCampaign;
}

/** A GET as text that was sent and parsed again. */
export function getPolicyBody(sandbox: Sandbox): Record<string, unknown> {
  return JSON.parse(String(sandbox.policy.read(administrator).bytes)) as Record<string, unknown>;
}

/** The expected failure of an update; fails when there was none. */
export async function catchRejection(
  sandbox: Sandbox,
  body: unknown,
  options: PolicyUpdateOptions = {},
  caller: PolicyCaller = administrator,
): Promise<NudgeLabError> {
  const outcome = await sandbox.policy.update(caller, body, options).catch((error: unknown) => error);
  if (outcome instanceof NudgeLabError) return outcome;
  throw new Error(`The update was not refused: ${JSON.stringify(outcome)}`);
}

/** Places of the faults of a campaign body, without the way to the campaign. */
export async function refusedPlaces(sandbox: Sandbox, campaign: unknown): Promise<readonly string[]> {
  const { code, problems } = await catchRejection(sandbox, campaignBody(campaign));
  if (code !== 'bad-request') throw new Error(`Refused as ${code}.`);
  return problems.map(({ location: place }) =>
    place.replace('registrationEnforcement.authenticationMethodsRegistrationCampaign.', ''),
  );
}
