import { NudgeLabError } from '../core/errors.ts';
import type { JournalEvent } from './journal-event.ts';
import type { SandboxState } from './state.ts';

/**
 * Validates an event before it is appended, because a journal with an entry that cannot be applied could never be
 * opened again.
 * @throws `user-not-found` or `sign-in-not-found` if the event refers to an unknown user or sign-in
 */
export function validateEvent(state: SandboxState, event: JournalEvent): void {
  if ('userId' in event && !state.users.has(event.userId)) {
    throw new NudgeLabError('user-not-found', { message: `User "${event.userId}" does not exist in this sandbox.` });
  }
  if (!('signInId' in event) || event.type === 'signIn.started') return;
  const signIn = state.signIns.get(event.signInId);
  if (signIn === undefined || !state.users.has(signIn.userId)) {
    throw new NudgeLabError('sign-in-not-found', {
      message: `Sign-in "${event.signInId}" does not exist or is no longer stored.`,
    });
  }
}
