import {
  type NudgeState,
  nudgeStates,
  type Reason,
  type TenantFacts,
  type VerdictOutcome,
} from '../../machines/vocabulary.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import { evaluatedUsersMax } from '../core/limits.ts';
import { findSnoozeEnd, getNudgeState, type SandboxState, type UserRecord } from '../journal/state.ts';
import { createNameTest } from '../journal/synthetic-name-search.ts';
import type { SyntheticUsers } from '../journal/synthetic-users.ts';
import { explain, nextFacts } from './explain.ts';
import { askOwn, explainOwn } from './own-explain.ts';
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
  /**
   * Part of the id, the user principal name or the display name, matched without regard to case. Of the id of a
   * synthetic user, it matches the beginning.
   */
  readonly search?: string | undefined;
  readonly state?: NudgeState | undefined;
  /**
   * Reason code for which the next sign-in shows no prompt, `none` for users who would be prompted, or `blocked` for those whose
   * sign-in would be blocked.
   */
  readonly reason?: Reason | 'none' | undefined;
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
  const take = (user: ListedUser): void => {
    if (wanted !== undefined && user.nudgeState() !== wanted) return;
    if (reason !== undefined) {
      if (evaluated >= evaluatedUsersMax) return;
      evaluated += 1;
      if ((findReason(state, user.read()) ?? 'none') !== reason) return;
    }
    total += 1;
    if (!reached) {
      reached = user.hasId(after ?? '');
      return;
    }
    passed += 1;
    if (passed > offset && page.length < limit) page.push(user.read());
  };
  const { synthetic } = state.users;
  if (synthetic === null && text !== '' && state.users.size > comparedDirectlyMax) {
    names.find(state, text, (user) => take(toListed(state, user)));
    return { page, total, evaluated };
  }
  const readSynthetic = synthetic === null ? null : createSyntheticReader(state, synthetic);
  const isFound = synthetic === null || text === '' ? () => true : createNameTest(synthetic, text);
  for (const place of state.users.places()) {
    if (evaluated >= evaluatedUsersMax) break;
    if (typeof place === 'number') {
      if (readSynthetic !== null && isFound(place)) take(readSynthetic(place));
    } else if (text === '' || searchedNames(place).includes(text)) take(toListed(state, place));
  }
  return { page, total, evaluated };
}

/** User in a list, of whom no more is computed than the filter needs. */
interface ListedUser {
  readonly read: () => UserRecord;
  readonly hasId: (id: string) => boolean;
  readonly nudgeState: () => NudgeState | undefined;
}

function toListed(state: SandboxState, user: UserRecord): ListedUser {
  return {
    read: () => user,
    hasId: (id) => user.facts.id === id,
    nudgeState: () => getNudgeState(state, user),
  };
}

/** Returns a function that reads a synthetic user by number. Those of one type have the same nudge state. */
function createSyntheticReader(state: SandboxState, synthetic: SyntheticUsers): (index: number) => ListedUser {
  const nudgeStates = synthetic.types.map((_, type) => getNudgeState(state, synthetic.typicalRecord(type)));
  return (index) => ({
    read: () => synthetic.recordAt(index),
    hasId: (id) => synthetic.idAt(index) === id,
    nudgeState: () => nudgeStates[synthetic.typeAt(index)],
  });
}

/** Returns the reason why a user's next sign-in would show no prompt, or `null` if it would show one. */
function findReason(state: SandboxState, { facts: { id: userId } }: UserRecord): Reason | null {
  const signIn = { userId, attempt: {}, nowMs: state.lastAtMs };
  const { outcome, reason } =
    state.own === null ? explain(state, { ...signIn, ruleset: state.ruleset }) : explainOwn(askOwn(state, signIn));
  return outcome === 'blocked' ? 'blocked' : reason;
}

/** Short form of a verdict. */
export interface PreviewOutcome {
  readonly outcome: VerdictOutcome;
  readonly reason: Reason | null;
}

/** Number of users by outcome. Only ruleset files have the last one. */
type OutcomeCounts = Record<Exclude<VerdictOutcome, 'blocked'>, number> & { blocked?: number };

/** Effect of a tenant change on its users. */
export interface Preview {
  /** Number of evaluated users: all of them, or at most `evaluatedUsersMax`. */
  readonly evaluated: number;
  readonly users: number;
  readonly before: Readonly<OutcomeCounts>;
  readonly after: Readonly<OutcomeCounts>;
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
  const before: OutcomeCounts = { none: 0, skippable: 0, required: 0 };
  const after: OutcomeCounts = { none: 0, skippable: 0, required: 0 };
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
    before[was.outcome] = (before[was.outcome] ?? 0) + 1;
    after[will.outcome] = (after[will.outcome] ?? 0) + 1;
    if (was.outcome === will.outcome && was.reason === will.reason) continue;
    changed += 1;
    if (changes.length < changesShownMax) changes.push({ user: id, before: was, after: will });
  }
  return { evaluated, users: state.users.size, before, after, changed, changes };
}
