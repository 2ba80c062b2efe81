import type {
  NudgeStatus,
  ResponseBody,
  userResponse,
  usersResponse,
} from '../../contract/control-responses.schema.ts';
import { type SandboxUser, withoutCredentials } from '../../contract/sandbox.schema.ts';
import type { Directory } from '../../sandbox/directory.ts';

/** Returns a user in API format: facts, profile with the test password, and nudge status. Throws `user-not-found`. */
export function userView(directory: Directory, userId: string): ResponseBody<typeof userResponse> {
  return { ...directory.user(userId), nudgeStatus: directory.nudgeStatus(userId) };
}

/** Converts a user to the list format without credentials. */
export function listedUser(
  user: SandboxUser,
  nudgeStatus: NudgeStatus,
): ResponseBody<typeof usersResponse>['users'][number] {
  return { ...withoutCredentials(user), nudgeStatus };
}
