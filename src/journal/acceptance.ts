import { NudgeLabError } from '../core/errors.ts';
import type { JournalInput } from './input.ts';
import type { SandboxState } from './state.ts';

/**
 * Refuses an input that the fold could not apply, before it is appended: an entry that cannot be folded would keep the journal
 * from ever being opened again. Takes the state as it is and the input. Throws `user-unknown` and `sign-in-unknown`.
 */
export function refuseUnfit(state: SandboxState, input: JournalInput): void {
  if ('userId' in input && !state.users.has(input.userId)) {
    throw new NudgeLabError('user-unknown', { message: `This sandbox holds no user "${input.userId}".` });
  }
  if (!('signInId' in input) || input.type === 'signIn.started') return;
  const signIn = state.signIns.get(input.signInId);
  if (signIn === undefined || !state.users.has(signIn.userId)) {
    throw new NudgeLabError('sign-in-unknown', { message: 'This sign-in is not held.' });
  }
}
