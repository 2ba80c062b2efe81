import fc from 'fast-check';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { appCampaign, createSandbox, hourMs, minuteMs, passkeyCampaign, signIn } from './signing-in.ts';

/**
 * Action in a tenant with two users. An action at a prompt refers to a sign-in by its position, latest first: among the
 * unfinished sign-ins, or among all of them, so some actions come late.
 */
export type Action =
  | { readonly type: 'signIn'; readonly user: string; readonly sso: boolean }
  | {
      readonly type: 'next' | 'skip' | 'leave' | 'back' | 'complete' | 'fail' | 'skipError';
      readonly latest: number;
      readonly late: boolean;
    }
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'setBack' }
  | { readonly type: 'tenant'; readonly patch: object }
  | { readonly type: 'nudgeStatus'; readonly user: string; readonly count: number }
  | { readonly type: 'settle' | 'removeApp' | 'removePasskeys' | 'replace'; readonly user: string };

const user = fc.constantFrom('ada', 'ben');

const patches: readonly object[] = [
  appCampaign,
  passkeyCampaign,
  { campaign: { state: 'default' } },
  { campaign: { state: 'disabled' } },
  { campaign: { snoozeDurationInDays: 0 } },
  { campaign: { snoozeDurationInDays: 1 } },
  { campaign: { enforceRegistrationAfterAllowedSnoozes: false } },
  { campaign: { enforceRegistrationAfterAllowedSnoozes: true } },
  { subscription: 'free' },
  { rollout: { method: true, snoozeLimit: true } },
];

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('signIn' as const),
      user,
      sso: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
    }),
  },
  {
    weight: 18,
    arbitrary: fc.record({
      type: fc.constantFrom('next', 'skip', 'skip', 'leave', 'leave', 'back', 'back', 'complete', 'fail', 'skipError'),
      latest: fc.constantFrom(0, 0, 0, 1, 2),
      late: fc.constantFrom(false, false, false, true),
    }) as fc.Arbitrary<Action>,
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('advance' as const),
      ms: fc.oneof(
        fc.integer({ min: 0, max: 4 * minuteMs }),
        fc.integer({ min: 0, max: 20 * minuteMs }),
        fc.constantFrom(15 * minuteMs - 1, 15 * minuteMs, 24 * hourMs - 1, 24 * hourMs),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'setBack' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('tenant' as const), patch: fc.constantFrom(...patches) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('nudgeStatus' as const), user, count: fc.integer({ min: 0, max: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('settle', 'removeApp', 'removePasskeys', 'replace'),
      user,
    }) as fc.Arbitrary<Action>,
  },
);

/** Random sequences of actions. */
export const sessions: fc.Arbitrary<readonly Action[]> = fc.array(action, { minLength: 1, maxLength: 40, size: 'max' });

/**
 * Executes a session in a separate sandbox. Actions that the sandbox rejects are part of the session.
 *
 * @param session - Actions of the session.
 * @param ask - Function that reads the sandbox after each action.
 * @returns the sandbox after the last action.
 */
export async function play(session: readonly Action[], ask: (sandbox: Sandbox) => void): Promise<Sandbox> {
  const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben', snooze: { count: 2 } }] });
  await sandbox.directory.patchTenant({ campaign: { snoozeDurationInDays: 0 } }, 'scenario');
  const begun: string[] = [];
  for (const one of session) {
    try {
      if (one.type === 'signIn') {
        begun.unshift((await signIn(sandbox, one.user, { ssoSession: one.sso })).id);
      } else await perform(sandbox, begun, one);
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
    }
    ask(sandbox);
  }
  return sandbox;
}

async function perform(
  sandbox: Sandbox,
  begun: readonly string[],
  taken: Exclude<Action, { readonly type: 'signIn' }>,
): Promise<void> {
  const { clock, directory } = sandbox;
  switch (taken.type) {
    case 'advance':
      return clock.advance({ ms: taken.ms });
    case 'setBack':
      return clock.set({ nowMs: clock.nowMs() - 7 * minuteMs });
    case 'tenant':
      await directory.patchTenant(taken.patch, 'scenario');
      return;
    case 'nudgeStatus': {
      const { snoozedAt } = directory.nudgeStatus(taken.user);
      const snoozedAtMs = snoozedAt === null ? null : Date.parse(snoozedAt);
      await directory.setSnooze(taken.user, { count: taken.count, snoozedAtMs });
      return;
    }
    case 'settle':
      await directory.settlePendingCloses(taken.user);
      return;
    case 'removeApp':
      await directory.removeMethod(taken.user, 'authenticator-push');
      return;
    case 'removePasskeys':
      await directory.removeMethod(taken.user, 'fido2');
      return;
    case 'replace':
      await directory.patchUser(taken.user, { methods: ['sms', 'voice'], passkeys: [] });
      return;
    default:
      await answer(sandbox, taken.type, among(sandbox, begun, taken.late)[taken.latest] ?? 's0');
  }
}

/** Returns the sign-ins that an action may refer to. */
function among({ signIns }: Sandbox, begun: readonly string[], late: boolean): readonly string[] {
  return late ? begun : begun.filter((id) => !signIns.view(id).finished);
}

type Answer = Extract<Action, { readonly latest: number }>['type'];

async function answer({ signIns }: Sandbox, given: Answer, id: string): Promise<unknown> {
  switch (given) {
    case 'next':
      return signIns.selectNext(id);
    case 'skip':
      return signIns.skip(id);
    case 'leave':
      return signIns.leave(id);
    case 'back':
      return signIns.comeBack(id);
    case 'complete': {
      await toSetup(signIns, id);
      const isPasskey = signIns.view(id).method === 'fido2';
      return signIns.completeSetup(id, isPasskey ? { type: 'windows-bound', deviceId: 'device-1' } : null);
    }
    case 'fail':
      await toSetup(signIns, id);
      return signIns.failSetup(id);
    case 'skipError':
      return signIns.skipError(id);
  }
}

/** Selects Next unless setup is already open, because a setup can only be completed or failed after that. */
async function toSetup(signIns: Sandbox['signIns'], id: string): Promise<void> {
  if (signIns.view(id).screen !== 'setup') await signIns.selectNext(id);
}
