import type {
  nudgeStatusResponse,
  ResponseBody,
  userResponse,
  usersResponse,
} from '../../contract/control-responses.schema.ts';
import type { SandboxUser } from '../../contract/sandbox.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { Directory, NudgeStatusView } from '../../sandbox/directory.ts';

/** One user as the API shows it: facts, profile with the test password, nudge status. Throws `user-not-found`. */
export function userView(directory: Directory, userId: string): ResponseBody<typeof userResponse> {
  return { ...directory.user(userId), nudgeStatus: toNudgeStatusView(directory.nudgeStatus(userId)) };
}

/** A user as a list shows it: without what the user signs in with. */
export function listedUser(
  user: SandboxUser,
  nudgeStatus: NudgeStatusView,
): ResponseBody<typeof usersResponse>['users'][number] {
  const { password: _password, code: _code, ...listed } = user;
  return { ...listed, nudgeStatus: toNudgeStatusView(nudgeStatus) };
}

/** A nudge status as the API shows it, with instants for times. */
export function toNudgeStatusView(nudgeStatus: NudgeStatusView): ResponseBody<typeof nudgeStatusResponse> {
  return {
    state: nudgeStatus.state,
    snoozes: nudgeStatus.snoozes,
    snoozesLeft: nudgeStatus.snoozesLeft,
    snoozedAt: instantOrNull(nudgeStatus.snoozedAtMs),
    nextPromptAt: instantOrNull(nudgeStatus.nextPromptAtMs),
    openPrompts: nudgeStatus.openPrompts.map(({ id, leftAtMs }) => ({ id, unloadedAt: instantOrNull(leftAtMs) })),
  };
}

function instantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toInstant(atMs);
}
