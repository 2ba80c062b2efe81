import { NudgeLabError } from '../core/errors.ts';
import type { JournalEvent } from './journal-event.ts';
import type { SandboxState } from './state.ts';

/**
 * Refuses an event that the fold could not apply, before it is appended: an entry that cannot be folded would keep the journal
 * from ever being opened again. Takes the state as it is and the event. Throws `user-not-found` and `sign-in-not-found`.
 */
export function validateEvent(state: SandboxState, event: JournalEvent): void {
  if ('userId' in event && !state.users.has(event.userId)) {
    throw new NudgeLabError('user-not-found', { message: `This sandbox holds no user "${event.userId}".` });
  }
  if (!('signInId' in event) || event.type === 'signIn.started') return;
  const signIn = state.signIns.get(event.signInId);
  if (signIn === undefined || !state.users.has(signIn.userId)) {
    throw new NudgeLabError('sign-in-not-found', { message: 'This sign-in is not held.' });
  }
}
