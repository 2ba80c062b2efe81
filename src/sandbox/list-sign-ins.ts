import type { SandboxState } from '../journal/state.ts';
import { createSignInView, type SignInView } from './sign-in-view.ts';

/** Filter of a sign-in list: by user, and by sign-ins that started before a given one. */
export interface SignInFilter {
  readonly userId?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns stored sign-ins, newest first. */
export function listSignIns(state: SandboxState, { userId, before, limit }: SignInFilter): readonly SignInView[] {
  const views: SignInView[] = [];
  let reached = before === undefined;
  for (const signIn of [...state.signIns.values()].reverse()) {
    if (views.length >= limit) break;
    if (!reached) {
      reached = signIn.id === before;
      continue;
    }
    if (userId !== undefined && signIn.userId !== userId) continue;
    const user = state.users.get(signIn.userId);
    if (user !== undefined) views.push(createSignInView(state, signIn, user));
  }
  return views;
}
