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

/** Returns an enabled campaign for all users with a snooze duration of three days and a snooze limit. */
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

/** Returns the body of a PATCH that changes only the campaign. */
export function campaignBody(campaign: unknown): unknown {
  return { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
}

/** Returns the campaign in a GET response. */
export function getCampaign(sandbox: Sandbox) {
  const { body } = sandbox.policy.read(administrator);
  return body?.registrationEnforcement.authenticationMethodsRegistrationCampaign;
}

/** Returns the parsed body of a GET response, as sent to clients. */
export function getPolicyBody(sandbox: Sandbox): Record<string, unknown> {
  return JSON.parse(String(sandbox.policy.read(administrator).bytes)) as Record<string, unknown>;
}

/** Returns the error of an update that must fail, and fails the test if the update succeeds. */
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

/** Returns the locations of the problems in a campaign body, relative to the campaign. */
export async function refusedPlaces(sandbox: Sandbox, campaign: unknown): Promise<readonly string[]> {
  const { code, problems } = await catchRejection(sandbox, campaignBody(campaign));
  if (code !== 'bad-request') throw new Error(`Refused as ${code}.`);
  return problems.map(({ location: place }) =>
    place.replace('registrationEnforcement.authenticationMethodsRegistrationCampaign.', ''),
  );
}
