import { maySnooze } from '../../machines/nudge.machine.ts';
import { findSnoozeEnd, type SandboxState } from '../journal/state.ts';

/** What switching the limit on would mean for the users of a tenant. */
export interface UsersRequiredNext {
  /** Users whose next prompt would be required at their next sign-in. */
  readonly requiredAtNextSignIn: number;
  /** Users whose next prompt would be required as well, once the snooze that is running for them has elapsed. */
  readonly stillSnoozing: number;
}

/**
 * Counts the users whom the limit would require to register, since the count grows without a limit all the same (A4, A46).
 * It reads the nudge statuses alone: who is out of scope or registered is required when the campaign next asks. Takes the state as of
 * now; the snooze duration is the one in force (A7).
 */
export function usersRequiredNext(state: SandboxState): UsersRequiredNext {
  const { users, ruleset } = state;
  let requiredAtNextSignIn = 0;
  let stillSnoozing = 0;
  for (const user of users.values()) {
    if (maySnooze(user.facts.snooze.count, true, ruleset.limits)) continue;
    if (findSnoozeEnd(state, user) === null) requiredAtNextSignIn += 1;
    else stillSnoozing += 1;
  }
  return { requiredAtNextSignIn, stillSnoozing };
}
