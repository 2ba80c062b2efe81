import {
  type NudgeState,
  nudgeStates,
  type ReasonCode,
  type TenantFacts,
  type VerdictOutcome,
} from '../../machines/vocabulary.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import { evaluatedUsersMax } from '../core/limits.ts';
import { findSnoozeEnd, getNudgeState, type SandboxState, type UserRecord } from '../journal/state.ts';
import { explain, nextFacts } from './explain.ts';
import { searchedNames, type UserNames } from './user-names.ts';

/** Aggregate of the users of a sandbox. */
export interface Population {
  readonly users: number;
  readonly states: Readonly<Record<NudgeState, number>>;
  /** Earliest time after now at which an active snooze ends, in milliseconds, or `null` if no snooze is active. */
  readonly nextPromptAtMs: number | null;
}

/** Counts users by nudge state in the current state of the sandbox. `snoozeDays` is the duration in effect (A7). */
export function summarizeUsers(state: SandboxState): Population {
  const states = Object.fromEntries(nudgeStates.map((name) => [name, 0])) as Record<NudgeState, number>;
  let nextPromptAtMs: number | null = null;
  for (const { user, count } of state.users.alike()) {
    states[getNudgeState(state, user)] += count;
    const endsAtMs = findSnoozeEnd(state, user);
    if (endsAtMs !== null && (nextPromptAtMs === null || endsAtMs < nextPromptAtMs)) nextPromptAtMs = endsAtMs;
  }
  return { users: state.users.size, states, nextPromptAtMs };
}

/** Filter of a user list. */
export interface UserFilter {
  readonly after?: string | undefined;
  /** Number of matching users to skip. */
  readonly offset?: number | undefined;
  readonly limit: number;
  /** Part of the id, the user principal name or the display name, matched without regard to case. */
  readonly search?: string | undefined;
  readonly state?: NudgeState | undefined;
  /** Reason code for which the next sign-in shows no prompt, or `none` for users who would be prompted. */
  readonly reason?: ReasonCode | 'none' | undefined;
}

/** Users on one page of a list, with the number of users on all pages. */
export interface FoundUsers {
  readonly page: readonly UserRecord[];
  readonly total: number;
  /** Number of evaluated users, or 0 if the filter has no reason. */
  readonly evaluated: number;
}

/**
 * Number of users above which a search uses an index of names. For fewer users, a direct comparison is as fast and
 * needs no memory.
 */
const comparedDirectlyMax = 5_000;

/**
 * Finds users in order of creation.
 *
 * @param state - state of the sandbox
 * @param filter - filter and page to return
 * @param names - search index of the user names
 */
export function findUsers(state: SandboxState, filter: UserFilter, names: UserNames): FoundUsers {
  const { after, offset = 0, limit, state: wanted, reason } = filter;
  const text = filter.search?.trim().toLowerCase() ?? '';
  if (text === '' && wanted === undefined && after === undefined && reason === undefined) {
    return { page: [...state.users.values(offset).take(limit)], total: state.users.size, evaluated: 0 };
  }
  const page: UserRecord[] = [];
  let total = 0;
  let evaluated = 0;
  let passed = 0;
  let reached = after === undefined;
  const take = (user: UserRecord): void => {
    if (wanted !== undefined && getNudgeState(state, user) !== wanted) return;
    if (reason !== undefined) {
      if (evaluated >= evaluatedUsersMax) return;
      evaluated += 1;
      if ((findReason(state, user) ?? 'none') !== reason) return;
    }
    total += 1;
    if (!reached) {
      reached = user.facts.id === after;
      return;
    }
    passed += 1;
    if (passed > offset && page.length < limit) page.push(user);
  };
  if (text !== '' && state.users.size > comparedDirectlyMax && state.users.synthetic === null)
    names.find(state, text, take);
  else {
    for (const user of state.users.values()) if (text === '' || searchedNames(user).includes(text)) take(user);
  }
  return { page, total, evaluated };
}

/** Returns the reason why a user's next sign-in would show no prompt, or `null` if it would show one. */
function findReason(state: SandboxState, { facts: { id } }: UserRecord): ReasonCode | null {
  return explain(state, { userId: id, attempt: {}, nowMs: state.lastAtMs, ruleset: state.ruleset }).reason;
}

/** Short form of a verdict. */
export interface PreviewOutcome {
  readonly outcome: VerdictOutcome;
  readonly reason: ReasonCode | null;
}

/** Effect of a tenant change on its users. */
export interface Preview {
  /** Number of evaluated users: all of them, or at most `evaluatedUsersMax`. */
  readonly evaluated: number;
  readonly users: number;
  readonly before: Readonly<Record<VerdictOutcome, number>>;
  readonly after: Readonly<Record<VerdictOutcome, number>>;
  /** Number of users with a different outcome, and the first of them. */
  readonly changed: number;
  readonly changes: readonly {
    readonly user: string;
    readonly before: PreviewOutcome;
    readonly after: PreviewOutcome;
  }[];
}

const changesShownMax = 100;

/**
 * Evaluates the next sign-in of up to `evaluatedUsersMax` users before and after a change of the tenant. The sandbox
 * does not change. Throws `bad-request` for a network that is not a named location of the tenant.
 *
 * @param state - current state
 * @param tenant - facts of the tenant after the change
 * @param attempt - sign-in context of all sign-ins
 */
export function previewTenant(state: SandboxState, tenant: TenantFacts, attempt: AttemptInput): Preview {
  const before = { none: 0, skippable: 0, required: 0 };
  const after = { none: 0, skippable: 0, required: 0 };
  const changes: Preview['changes'][number][] = [];
  const standingUnder = (policy: TenantFacts, user: UserRecord): PreviewOutcome => {
    const facts = nextFacts(state, user, { attempt, nowMs: state.lastAtMs }, policy);
    const { outcome, reason } = state.model.evaluate(facts, state.ruleset);
    return { outcome, reason };
  };
  let evaluated = 0;
  let changed = 0;
  for (const [id, user] of state.users) {
    if (evaluated >= evaluatedUsersMax) break;
    evaluated += 1;
    const [was, will] = [standingUnder(state.tenant, user), standingUnder(tenant, user)];
    before[was.outcome] += 1;
    after[will.outcome] += 1;
    if (was.outcome === will.outcome && was.reason === will.reason) continue;
    changed += 1;
    if (changes.length < changesShownMax) changes.push({ user: id, before: was, after: will });
  }
  return { evaluated, users: state.users.size, before, after, changed, changes };
}
