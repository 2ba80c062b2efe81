import type {
  ledgerResponse,
  ResponseBody,
  userResponse,
  usersResponse,
} from '../../contract/control-responses.schema.ts';
import type { SandboxUser } from '../../contract/sandbox.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { Directory, LedgerView } from '../../sandbox/directory.ts';

/** One user as the API shows it: facts, profile with the test password, ledger. Throws `user-not-found`. */
export function userView(directory: Directory, userId: string): ResponseBody<typeof userResponse> {
  return { ...directory.user(userId), ledger: ledgerView(directory.ledger(userId)) };
}

/** A user as a list shows it: without what the user signs in with. */
export function listedUser(user: SandboxUser, ledger: LedgerView): ResponseBody<typeof usersResponse>['users'][number] {
  const { password: _password, code: _code, ...listed } = user;
  return { ...listed, ledger: ledgerView(ledger) };
}

/** A ledger as the API shows it, with instants for times. */
export function ledgerView(ledger: LedgerView): ResponseBody<typeof ledgerResponse> {
  return {
    state: ledger.state,
    snoozes: ledger.snoozes,
    snoozesLeft: ledger.snoozesLeft,
    snoozedAt: instantOrNull(ledger.snoozedAtMs),
    nextPromptAt: instantOrNull(ledger.nextPromptAtMs),
    openPrompts: ledger.openPrompts.map(({ id, leftAtMs }) => ({ id, leftAt: instantOrNull(leftAtMs) })),
  };
}

function instantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toInstant(atMs);
}
