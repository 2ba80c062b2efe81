import {
  type NudgeState,
  nudgeStates,
  type ReasonCode,
  type TenantFacts,
  type VerdictOutcome,
} from '../../machines/vocabulary.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import { findSnoozeEnd, getNudgeState, type SandboxState, type UserRecord } from '../journal/state.ts';
import { explain, nextFacts } from './explain.ts';
import { searchedNames, type UserNames } from './user-names.ts';

/** The users of a sandbox as a whole. */
export interface Population {
  readonly users: number;
  readonly states: Readonly<Record<NudgeState, number>>;
  /** The first moment after now at which a running snooze has elapsed, in ms; `null` when none runs. */
  readonly nextPromptAtMs: number | null;
}

/** Counts users by the state of their lifecycle. Takes the state of the sandbox as of now; `snoozeDays` is that in force (A7). */
export function summarizeUsers(state: SandboxState): Population {
  const states = Object.fromEntries(nudgeStates.map((name) => [name, 0])) as Record<NudgeState, number>;
  let nextPromptAtMs: number | null = null;
  for (const user of state.users.values()) {
    states[getNudgeState(state, user)] += 1;
    const endsAtMs = findSnoozeEnd(state, user);
    if (endsAtMs !== null && (nextPromptAtMs === null || endsAtMs < nextPromptAtMs)) nextPromptAtMs = endsAtMs;
  }
  return { users: state.users.size, states, nextPromptAtMs };
}

/** Which users of a list are wanted. */
export interface UserFilter {
  readonly after?: string | undefined;
  /** Users that are passed over, of those that are wanted. */
  readonly offset?: number | undefined;
  readonly limit: number;
  /** Part of the id, the user principal name or the display name, in any case. */
  readonly search?: string | undefined;
  readonly state?: NudgeState | undefined;
  /** Why their next sign-in would not ask them; `none` for those whom it would ask. */
  readonly reason?: ReasonCode | 'none' | undefined;
}

/** Users of a list: those of the page, and how many there are on all pages. */
export interface FoundUsers {
  readonly page: readonly UserRecord[];
  readonly total: number;
  /** How many were evaluated; 0 where no reason is wanted. */
  readonly evaluated: number;
}

/** No more users than these are evaluated for one answer, so that it does not take longer the larger a tenant is. */
const usersJudgedMax = 10_000;

/** Users beyond which names are searched in long texts: below, asking each user is as quick and needs no memory. */
const askedOneByOneMax = 5_000;

/**
 * Finds users in order of their making. Takes the state, what is wanted of it, and the names of its users as they are kept for
 * searching.
 */
export function findUsers(state: SandboxState, filter: UserFilter, names: UserNames): FoundUsers {
  const { after, offset = 0, limit, state: wanted, reason } = filter;
  const text = filter.search?.trim().toLowerCase() ?? '';
  if (text === '' && wanted === undefined && after === undefined && reason === undefined) {
    return { page: [...state.users.values().drop(offset).take(limit)], total: state.users.size, evaluated: 0 };
  }
  const page: UserRecord[] = [];
  let total = 0;
  let evaluated = 0;
  let passed = 0;
  let reached = after === undefined;
  const take = (user: UserRecord): void => {
    if (wanted !== undefined && getNudgeState(state, user) !== wanted) return;
    if (reason !== undefined) {
      if (evaluated >= usersJudgedMax) return;
      evaluated += 1;
      if ((reasonOf(state, user) ?? 'none') !== reason) return;
    }
    total += 1;
    if (!reached) {
      reached = user.facts.id === after;
      return;
    }
    passed += 1;
    if (passed > offset && page.length < limit) page.push(user);
  };
  if (text !== '' && state.users.size > askedOneByOneMax) names.find(state, text, take);
  else {
    for (const user of state.users.values()) if (text === '' || searchedNames(user).includes(text)) take(user);
  }
  return { page, total, evaluated };
}

/** Why the next sign-in of a user would not ask them, as of now; `null` when it would. */
function reasonOf(state: SandboxState, { facts: { id } }: UserRecord): ReasonCode | null {
  return explain(state, { userId: id, attempt: {}, nowMs: state.lastAtMs, ruleset: state.ruleset }).reason;
}

/** What one verdict says, in short. */
export interface PreviewOutcome {
  readonly outcome: VerdictOutcome;
  readonly reason: ReasonCode | null;
}

/** What a change of the tenant would mean for its users. */
export interface Preview {
  /** Users who were evaluated: all, or as many as `usersJudgedMax`. */
  readonly evaluated: number;
  readonly users: number;
  readonly before: Readonly<Record<VerdictOutcome, number>>;
  readonly after: Readonly<Record<VerdictOutcome, number>>;
  /** How many users stand otherwise than before, and the first of them. */
  readonly changed: number;
  readonly changes: readonly {
    readonly user: string;
    readonly before: PreviewOutcome;
    readonly after: PreviewOutcome;
  }[];
}

const changesShownMax = 100;

/**
 * Evaluates the next sign-in of every user before and after a change of the tenant. Takes the state as of now, the facts of the
 * tenant after the change, and what the sign-ins are like. Changes nothing. Throws `bad-request` for a network that the tenant
 * does not name.
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
    if (evaluated >= usersJudgedMax) break;
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
