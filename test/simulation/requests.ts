import { toPolicyCaller } from '../../src/contract/policy-caller.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { Sandbox, SignInView } from '../../src/sandbox/sandbox.ts';
import type { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import type { Said } from './auditor/auditor.ts';
import type { Act } from './steps.ts';
import { attempts, madePasskeys, people, policyPatches, spansMs, tenantPatches, wrongPatches } from './tenant.ts';

/** Client request with all its data. */
export interface Request {
  readonly act: Act;
  readonly signInId: string;
  readonly userId: string;
  readonly value: number;
}

/** Id of the sandbox that all simulations use. */
export const sandboxId = 'default';

const administrator = toPolicyCaller('administrator');

/** Lists the keys of the entries that a request may record, each at most once per delivery. */
export function listExpectedTypes({ act, signInId, userId }: Request): readonly string[] {
  const ofSignIn: Partial<Record<Act, readonly string[]>> = {
    goOn: ['password.accepted', 'mfa.completed'],
    skip: ['prompt.skipped'],
    next: ['prompt.nextSelected'],
    leave: ['browser.closed'],
    comeBack: ['prompt.resumed'],
    register: ['prompt.nextSelected', 'setup.completed', 'setup.failed'],
    fail: ['prompt.nextSelected', 'setup.failed'],
    skipError: ['errorScreen.skipped', 'prompt.skipped'],
  };
  const ofUser: Partial<Record<Act, string>> = {
    start: 'signIn.started',
    settlePendingCloses: 'pendingClose.settled',
    setSnooze: 'snooze.set',
    removeMethod: 'method.removed',
  };
  const ofSandbox: Partial<Record<Act, string>> = {
    patchPolicy: 'tenant.changed',
    patchTenant: 'tenant.changed',
    advance: 'clock.set',
    setClock: 'clock.set',
    restore: 'state.restored',
    reset: 'state.restored',
  };
  return [
    ...(ofSignIn[act] ?? []).map((type) => `${type} ${signInId}`),
    ...(ofUser[act] === undefined ? [] : [`${ofUser[act]} ${userId}`]),
    ...(ofSandbox[act] === undefined ? [] : [`${ofSandbox[act]} `]),
  ];
}

/**
 * Serves a request as the pages of the server do: it queries the sandbox, and responds or rejects once the store has
 * saved all data that the response may show. Returns the statements of the response. Throws the errors of the
 * sandbox and the store.
 */
export async function serve(sandboxes: Sandboxes, request: Request): Promise<readonly Said[]> {
  const sandbox = sandboxes.get(sandboxId);
  try {
    return await handle(sandboxes, sandbox, request);
  } finally {
    await sandbox.settled();
  }
}

async function handle(sandboxes: Sandboxes, sandbox: Sandbox, request: Request): Promise<readonly Said[]> {
  const { signIns, directory, clock } = sandbox;
  const { act, signInId, userId, value } = request;
  switch (act) {
    case 'start':
      return seen(await signIns.start(userId, attempts[value % attempts.length]));
    case 'goOn':
    case 'skip':
    case 'next':
    case 'register':
    case 'fail':
    case 'skipError':
      return seen(await answer(sandbox, request));
    case 'leave':
      return [...seen(await signIns.leave(signInId)), getNudgeStatus(sandbox, userId)];
    case 'comeBack':
      return [...seen(await signIns.comeBack(signInId)), getNudgeStatus(sandbox, userId)];
    case 'look':
      return seen(signIns.view(signInId));
    case 'readNudgeStatus':
      return [getNudgeStatus(sandbox, userId)];
    case 'settlePendingCloses':
      return [nudgeStatus(userId, await directory.settlePendingCloses(userId))];
    case 'setSnooze': {
      const snoozedAtMs = value % 3 === 0 ? null : clock.nowMs();
      return [nudgeStatus(userId, await directory.setSnooze(userId, { count: value % 4, snoozedAtMs }))];
    }
    case 'removeMethod':
      await directory.removeMethod(userId, value % 2 === 0 ? 'authenticator-push' : 'fido2');
      return [getNudgeStatus(sandbox, userId)];
    case 'readPolicy':
    case 'patchPolicy':
    case 'patchWrongly':
      return [await policy(sandbox, request)];
    case 'patchTenant':
      await directory.patchTenant(tenantPatches[value % tenantPatches.length], 'control-api');
      return [getNudgeStatus(sandbox, userId)];
    case 'advance':
      await clock.advance({ ms: spansMs[value % spansMs.length] ?? 0 });
      return [getNudgeStatus(sandbox, userId)];
    case 'setClock':
      await clock.set({ nowMs: clock.nowMs() - (value % 3) * 420_000, running: value % 2 === 0 });
      return [getNudgeStatus(sandbox, userId)];
    case 'snapshot':
      await sandboxes.snapshot(sandboxId, `at-${value % 3}`);
      return [];
    case 'restore':
      await sandboxes.restore(sandboxId, `at-${value % 3}`);
      return [];
    case 'reset':
      await sandboxes.reset(sandboxId);
      return [];
  }
}

async function answer({ signIns }: Sandbox, { act, signInId, value }: Request): Promise<SignInView> {
  switch (act) {
    case 'goOn':
      return signIns.view(signInId).screen === 'password'
        ? signIns.acceptPassword(signInId)
        : signIns.completeMfa(signInId);
    case 'skip':
      return signIns.skip(signInId);
    case 'next':
      return signIns.selectNext(signInId);
    case 'skipError':
      return signIns.skipError(signInId);
    default: {
      const at = signIns.view(signInId);
      const { screen, method } = at.screen === 'setup' ? at : await signIns.selectNext(signInId);
      // Next on a prompt that was resolved elsewhere completes the sign-in, so no setup follows.
      if (screen === 'signedIn') return signIns.view(signInId);
      const passkey = madePasskeys[value % madePasskeys.length] ?? null;
      try {
        if (act === 'fail') return await signIns.failSetup(signInId);
        return await signIns.completeSetup(signInId, method === 'fido2' ? passkey : null);
      } catch (error) {
        throw error instanceof NudgeLabError ? new RefusedHalfWay(error) : error;
      }
    }
  }
}

/**
 * Error of a request with two parts whose first part was recorded and whose second was rejected. A restore of the
 * sandbox in between may explain it, because the restored page would accept the whole request.
 */
export class RefusedHalfWay extends Error {
  readonly refusal: NudgeLabError;

  constructor(refusal: NudgeLabError) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
  }
}

/** Reads or updates the policy, and returns the campaign of the response. */
async function policy({ policy: service }: Sandbox, { act, value }: Request): Promise<Said> {
  const patches = act === 'patchWrongly' ? wrongPatches : policyPatches;
  const campaign = patches[value % patches.length];
  const body = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
  const { body: reply } =
    act === 'readPolicy'
      ? service.read(administrator)
      : await service.update(administrator, body, { prefer: undefined });
  const shown = reply?.registrationEnforcement.authenticationMethodsRegistrationCampaign ?? {};
  return { of: 'campaign', value: JSON.parse(JSON.stringify(shown)) as object };
}

/** Returns the statements of a response about a sign-in. */
export function seen({ id, userId, screen, outcome, method, skippable, snoozesLeft }: SignInView): readonly Said[] {
  return [{ of: 'signIn', id, value: { id, userId, screen, outcome, method, skippable, snoozesLeft } }];
}

/** Returns the statement of a response about the nudge status of a user. */
export function getNudgeStatus(sandbox: Sandbox, userId: string): Said {
  return nudgeStatus(userId, sandbox.directory.nudgeStatus(userId));
}

function nudgeStatus(userId: string, value: object): Said {
  return { of: 'nudgeStatus', userId, value: structuredClone(value) };
}

/** Returns the id of a user. The number is taken modulo the number of users. */
export function personAt(pick: number): string {
  return people[pick % people.length]?.id ?? '';
}
