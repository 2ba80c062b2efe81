import fc from 'fast-check';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { crowd, promptedEachTime } from './crowd.ts';

/** Action on a sandbox. An action that is impossible at that time is rejected and changes nothing. */
type Act = (sandboxes: Sandboxes, sandbox: Sandbox) => Promise<unknown>;

const userId = fc.constantFrom('user-0', 'user-1', 'user-2', 'guest-3');
const place = fc.nat(5);

/** Offsets from the newest sign-in, which are mostly 0, so most started sign-ins are continued. */
const back = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) });

/** Returns the id of the sign-in with the given offset from the newest one. */
function signInAt(sandbox: Sandbox, places: number): string {
  return sandbox.signIns.list({ limit: places + 1 }).at(-1)?.id ?? 'none';
}

const attempt = fc.constantFrom(
  {},
  {},
  {},
  {},
  { os: 'linux' },
  { ssoSession: true },
  { termsOfUse: true },
  { conditionalAccess: { registrationPageBlocked: true } },
  { mfa: { provider: 'external' } },
  { mfa: { completed: false } },
  { deviceId: 'device-2', browser: null, surface: 'native-app' },
) as fc.Arbitrary<Parameters<Sandbox['signIns']['start']>[1]>;

const target = { targetType: 'group', id: 'all_users' };
const campaign = fc.constantFrom(
  { state: 'enabled', includeTargets: [{ ...target, targetedAuthenticationMethod: 'vendorAuthenticator' }] },
  { state: 'enabled', includeTargets: [{ ...target, targetedAuthenticationMethod: 'fido2' }] },
  { state: 'disabled' },
  { state: 'default' },
  { enforceRegistrationAfterAllowedSnoozes: false, snoozeDurationInDays: 0 },
  { enforceRegistrationAfterAllowedSnoozes: true, snoozeDurationInDays: 14 },
);

const onSignIn = (act: (signIns: Sandbox['signIns'], id: string) => Promise<unknown>): fc.Arbitrary<Act> =>
  back.map((places) => async (_all, sandbox) => act(sandbox.signIns, signInAt(sandbox, places)));

const onUser = (act: (sandbox: Sandbox, id: string) => Promise<unknown>): fc.Arbitrary<Act> =>
  userId.map((id) => async (_all, sandbox) => act(sandbox, id));

/** Complete sign-in up to the prompt, so most journals contain a prompt. */
const wholeSignIn: fc.Arbitrary<Act> = fc.tuple(userId, attempt).map(([id, given]) => async (_all, { signIns }) => {
  const started = await signIns.start(id, given);
  await signIns.acceptPassword(started.id);
  await signIns.completeMfa(started.id);
});

const signInActs: readonly fc.Arbitrary<Act>[] = [
  fc.tuple(userId, attempt).map(
    ([id, given]) =>
      (_all, { signIns }) =>
        signIns.start(id, given),
  ),
  onSignIn((signIns, id) => signIns.acceptPassword(id)),
  onSignIn((signIns, id) => signIns.completeMfa(id)),
  onSignIn((signIns, id) => signIns.passInterstitial(id)),
  onSignIn((signIns, id) => signIns.selectNext(id)),
  onSignIn((signIns, id) => signIns.skip(id)),
  onSignIn((signIns, id) => signIns.completeSetup(id, null)),
  onSignIn((signIns, id) => signIns.completeSetup(id, { type: 'security-key', deviceId: 'device-1' })),
  onSignIn((signIns, id) => signIns.failSetup(id)),
  onSignIn((signIns, id) => signIns.skipError(id)),
  onSignIn((signIns, id) => signIns.leave(id)),
  onSignIn((signIns, id) => signIns.comeBack(id)),
  onSignIn((signIns, id) => signIns.leave(id).then(() => signIns.comeBack(id))),
  onSignIn((signIns, id) => signIns.selectNext(id).then(() => signIns.failSetup(id))),
];

const directoryActs: readonly fc.Arbitrary<Act>[] = [
  onUser((sandbox, id) => sandbox.directory.putUser(id, { methods: ['sms', 'authenticator-push'], groups: ['g'] })),
  onUser((sandbox, id) => sandbox.directory.putUser(id, { methods: ['voice'], userPrincipalName: `${id}@other.test` })),
  onUser((sandbox, id) => sandbox.directory.removeUser(id)),
  onUser((sandbox, id) => sandbox.directory.removeMethod(id, 'fido2')),
  onUser((sandbox, id) => sandbox.directory.removeMethod(id, 'authenticator-push')),
  onUser((sandbox, id) => sandbox.directory.setSnooze(id, { count: 2, snoozedAtMs: sandbox.clock.nowMs() })),
  onUser((sandbox, id) => sandbox.directory.settlePendingCloses(id)),
  fc.tuple(userId, attempt).map(
    ([id, given]) =>
      (_all, { directory }) =>
        directory.setNextSignIn(id, given ?? {}),
  ),
  campaign.map(
    (given) =>
      (_all, { directory }) =>
        directory.patchTenant({ campaign: given }, 'scenario'),
  ),
  place.map(
    (number) =>
      (_all, { recorder }) =>
        recorder.record({ type: 'token.revoked', tokenId: `t${number}` }),
  ),
];

const clockActs: readonly fc.Arbitrary<Act>[] = [
  fc.constantFrom({ minutes: 5 }, { minutes: 14 }, { minutes: 15 }, { hours: 26 }, { days: 20 }).map(
    (span) =>
      (_all, { clock }) =>
        clock.advance(span),
  ),
  fc.constant((_all, { clock }) => clock.set({ nowMs: clock.nowMs() - 600_000 })),
];

const historyActs: readonly fc.Arbitrary<Act>[] = [
  place.map(
    (number) =>
      (all, { id }) =>
        all.snapshot(id, `place-${number}`),
  ),
  place.map(
    (number) =>
      (all, { id }) =>
        all.restore(id, `place-${number}`),
  ),
  fc.constant((all, { id }) => all.reset(id)),
];

/** Creates random actions in one sandbox, mostly sign-ins, with or without restores. */
export function acts(options: { readonly goingBack: boolean }): fc.Arbitrary<readonly Act[]> {
  const act = fc.oneof(
    { weight: 6, arbitrary: wholeSignIn },
    { weight: 12, arbitrary: fc.oneof(...signInActs) },
    { weight: 5, arbitrary: fc.oneof(...directoryActs) },
    { weight: 4, arbitrary: fc.oneof(...clockActs) },
    ...(options.goingBack ? [{ weight: 4, arbitrary: fc.oneof(...historyActs) }] : []),
  );
  return fc.array(act, { minLength: 1, maxLength: 80, size: 'max' });
}

/**
 * Executes actions in a new sandbox of a store. Rejected actions are ignored. Throws any other error of an action.
 */
export async function played(store: JournalStore, given: readonly Act[]): Promise<[Sandboxes, Sandbox]> {
  const sandboxes = await Sandboxes.open(store);
  const users = [...crowd(3), { id: 'guest-3', type: 'guest', methods: ['voice'] }];
  const sandbox = await sandboxes.create('random', planSandbox({ users, tenant: promptedEachTime }));
  for (const act of given) {
    try {
      await act(sandboxes, sandbox);
    } catch (error) {
      if (!(error instanceof NudgeLabError) || error.code === 'internal-error') throw error;
    }
  }
  return [sandboxes, sandbox];
}
