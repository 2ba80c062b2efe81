import type { Screen } from '../../machines/sign-in.machine.ts';
import type { SandboxModel } from './sandbox-model.ts';
import {
  createUserTable,
  getScreen,
  getStoredNudgeState,
  type SandboxState,
  type SignInRecord,
  type UserRecord,
} from './state.ts';
import type { UserTable } from './user-table.ts';

/**
 * Copies a state so it can diverge, with any model for later events. Facts are shared because they are replaced and
 * never changed. Documents and the lookup service are also shared, so the caller must not change them.
 */
export function forkState(state: SandboxState, model: SandboxModel): SandboxState {
  const { observer: _ofTheOther, ...rest } = state;
  const users = forkUsers(state.users, model);
  return {
    ...rest,
    model,
    ruleset: model.rulesets.get(state.ruleset.id) ?? state.ruleset,
    own: state.own?.fork(state.tenant, users) ?? null,
    users,
    nextSignIns: new Map(state.nextSignIns),
    signIns: new Map(Array.from(state.signIns, ([id, signIn]) => [id, signInFor(signIn, model)])),
    finished: new Set(state.finished),
    promptEnds: new Map(state.promptEnds),
    revokedTokens: new Set(state.revokedTokens),
    acceptedTerms: new Set(state.acceptedTerms),
  };
}

function forkUsers(users: UserTable, model: SandboxModel): UserTable {
  const forked = createUserTable(model, users.synthetic?.description ?? null);
  for (const user of users.stored()) forked.add(userFor(user, model));
  for (const index of users.replaced) {
    const id = users.synthetic?.idAt(index) ?? '';
    if (!users.has(id)) forked.delete(id);
  }
  return forked;
}

function userFor(user: UserRecord, model: SandboxModel): UserRecord {
  return { ...user, nudge: model.nudgeSnapshot(getStoredNudgeState(user), user.nudge.context) };
}

function signInFor(signIn: SignInRecord, model: SandboxModel): SignInRecord {
  return {
    ...signIn,
    screen: model.signInSnapshot(getScreen(signIn) as Screen, signIn.screen.context),
    interstitials: [...signIn.interstitials],
    entries: [...signIn.entries],
  };
}
