import { maySnooze } from '../../machines/nudge.machine.ts';
import { findSnoozeEnd, type SandboxState } from '../journal/state.ts';

/** Effect of turning on the snooze limit on the users of a tenant. */
export interface UsersRequiredNext {
  /** Number of users whose next prompt would be required at their next sign-in. */
  readonly requiredAtNextSignIn: number;
  /** Number of further users whose next prompt would be required, but only after their active snooze ends. */
  readonly stillSnoozing: number;
}

/**
 * Counts the users who would be required to register if the snooze limit were turned on, because the snooze count
 * also grows without a limit (A4, A46). The count depends only on the nudge status: a user who is out of scope or
 * registered is counted, because the next prompt of the campaign would be required. The snooze duration is the one
 * in effect (A7).
 *
 * @param state - current state
 */
export function usersRequiredNext(state: SandboxState): UsersRequiredNext {
  const { users, ruleset } = state;
  let requiredAtNextSignIn = 0;
  let stillSnoozing = 0;
  for (const { user, count } of users.alike()) {
    if (maySnooze(user.facts.snooze.count, true, ruleset.limits)) continue;
    if (findSnoozeEnd(state, user) === null) requiredAtNextSignIn += count;
    else stillSnoozing += count;
  }
  return { requiredAtNextSignIn, stillSnoozing };
}
