import type { AttemptInput } from '../../src/contract/context.schema.ts';
import type { NudgeStatus } from '../../src/contract/control-responses.schema.ts';
import type { ErrorCode } from '../../src/core/errors.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { inMemory, planSandbox, Sandbox, type SandboxInput, type SignInView } from '../../src/sandbox/sandbox.ts';

/** Start time of every sandbox in these tests, with a frozen clock: 2026-01-05T09:00:00.000Z. */
export const startMs = 1_767_603_600_000;

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** Tenant with an enabled app campaign for all users, a snooze limit and a snooze duration of one day. */
export const appCampaign = {
  campaign: {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};

/** Tenant with the same campaign for passkeys. */
export const passkeyCampaign = {
  campaign: {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
  },
};

/** Creates a sandbox with the app campaign and the user Ada, who has SMS, unless `event` overrides them. */
export function createSandbox(event: SandboxInput = {}): Promise<Sandbox> {
  const plan = planSandbox({
    tenant: appCampaign,
    users: [{ id: 'ada' }],
    clock: { nowMs: startMs, running: false },
    ...event,
  });
  return Sandbox.create('lifecycle', plan, inMemory());
}

/** Signs a user in up to the screen that follows the evaluation. */
export async function signIn(sandbox: Sandbox, userId = 'ada', attempt: AttemptInput = {}): Promise<SignInView> {
  let view = await sandbox.signIns.start(userId, attempt);
  if (view.screen === 'password') view = await sandbox.signIns.acceptPassword(view.id);
  if (view.screen === 'mfa' || view.screen === 'externalMfa') view = await sandbox.signIns.completeMfa(view.id);
  return view;
}

/** Returns the nudge status of a user, with times in milliseconds since the start of the sandbox. */
export function nudgeStatus(
  sandbox: Sandbox,
  userId = 'ada',
): Pick<NudgeStatus, 'state' | 'snoozes'> & {
  readonly snoozedAfterMs: number | null;
  readonly open: number;
} {
  const { state, snoozes, snoozedAt, openPrompts } = sandbox.directory.nudgeStatus(userId);
  return {
    state,
    snoozes,
    snoozedAfterMs: snoozedAt === null ? null : Date.parse(snoozedAt) - startMs,
    open: openPrompts.length,
  };
}

/** Returns the error code of a rejected promise, or `null` if it resolves. */
export async function refusal(attempted: Promise<unknown>): Promise<ErrorCode | null> {
  try {
    await attempted;
    return null;
  } catch (error) {
    if (error instanceof NudgeLabError) return error.code;
    throw error;
  }
}

/** Returns the reason why the next sign-in shows no prompt, or `null` if it shows one. */
export function reason(sandbox: Sandbox, userId = 'ada'): string | null {
  return sandbox.explain(userId, {}).reason;
}
