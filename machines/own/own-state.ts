import type { NudgeState, Passkey, RegisteredMethod } from '../vocabulary.ts';
import { keptInLedger, type OwnInput, type OwnVerdict } from './evaluate-own.ts';
import { emptyEntry, type LedgerEntry, type LedgerKey, ledgerKeys } from './ledger.ts';
import type { KeptFacts, OwnAttempt, OwnFacts, OwnTenant, OwnUser } from './own-facts.ts';
import { type FactValue, type MethodKind, type OwnRuleset, rulesAt } from './own-ruleset.ts';

/** Times before a prompt was shown, in milliseconds. */
export type EarlierTimes = Pick<KeptFacts, 'previousSignInAtMs' | 'firstShownAtMs' | 'lastShownAtMs'>;

/** Open prompt of an own campaign. Prompt and sign-in have the same id. */
export interface OpenOwnPrompt {
  readonly id: string;
  readonly attempt: OwnAttempt;
  /** Keys under which the answer is stored: those that existed when the prompt was shown. */
  readonly keys: readonly LedgerKey[];
  readonly required: boolean;
  readonly phase: 'offered' | 'setup' | 'error';
  readonly shownAtMs: number;
  /** Time at which the browser reported that the page was closed (A41), or `null`. */
  readonly leftAtMs: number | null;
  /** True if closing the page at that time counts as an answer. */
  readonly leftCounts: boolean;
  readonly earlier: EarlierTimes;
}

/** One user of an own campaign. */
export interface OwnUserState {
  user: OwnUser;
  readonly createdAtMs: number;
  /** Times of the sign-ins in ascending order. */
  readonly signInTimesMs: number[];
  prompts: readonly OpenOwnPrompt[];
  /** Prompts that have ended without an answer of their own: by a registration elsewhere, or by expiry. */
  readonly ended: Map<string, 'resolved' | 'expired'>;
  status: NudgeState;
  /** Latest attempt, whose device and browser the reported status is for. */
  lastAttempt: OwnAttempt | null;
}

/** Users of an own campaign by id. `values` lists at least those with an open prompt. */
export interface OwnUsers {
  get(userId: string): OwnUserState | undefined;
  values(): Iterable<OwnUserState>;
}

/** State of an own campaign in one tenant. */
export interface OwnState<Users extends OwnUsers = Map<string, OwnUserState>> {
  readonly ruleset: OwnRuleset;
  tenant: OwnTenant;
  readonly users: Users;
  /** Entries of all ledgers by key (OC25). A key without the user is shared by all users of the browser or device. */
  readonly ledger: Map<string, LedgerEntry>;
  /** Latest edition that has begun, whose resets were applied. It stays when the clock is set back. */
  edition: string | null;
}

/** Initial state of a user. */
export interface OwnUserGiven {
  readonly user: OwnUser;
  readonly createdAtMs: number;
}

/** Creates the state of an own campaign in which no user has signed in yet. */
export function createOwnState(
  ruleset: OwnRuleset,
  tenant: OwnTenant,
  users: readonly OwnUserGiven[],
  nowMs: number,
): OwnState {
  return {
    ruleset,
    tenant,
    users: new Map(
      users.map(({ user, createdAtMs }) => [
        user.id,
        {
          user,
          createdAtMs,
          signInTimesMs: [],
          prompts: [],
          ended: new Map(),
          status: 'notPrompted',
          lastAttempt: null,
        },
      ]),
    ),
    ledger: new Map(),
    edition: rulesAt(ruleset, nowMs).edition,
  };
}

/** Returns a copy of a state. Events of one do not change the other. */
export function copyOwnState(state: OwnState): OwnState {
  return {
    ...state,
    users: new Map(
      [...state.users].map(([id, user]) => [
        id,
        { ...user, signInTimesMs: [...user.signInTimesMs], ended: new Map(user.ended) },
      ]),
    ),
    ledger: new Map(state.ledger),
  };
}

/**
 * Returns a user of the state.
 *
 * @throws RangeError if there is none, which callers rule out
 */
export function getOwnUser(state: Pick<OwnState<OwnUsers>, 'users'>, userId: string): OwnUserState {
  const user = state.users.get(userId);
  if (user === undefined) throw new RangeError(`No user has the id ${userId}.`);
  return user;
}

/** Returns the entries of keys in the same order. Keys without an answer have empty entries. */
export function readLedger(state: Pick<OwnState, 'ledger'>, keys: readonly LedgerKey[]): readonly LedgerEntry[] {
  return keys.map((key) => state.ledger.get(key.key) ?? emptyEntry(key));
}

/** Returns the facts and the ledger of an attempt of a user. */
export function collectInput(
  state: OwnState<OwnUsers>,
  owner: OwnUserState,
  attempt: OwnAttempt,
): OwnInput & { readonly keys: readonly LedgerKey[] } {
  const withoutKept = { tenant: state.tenant, user: owner.user, attempt };
  const keys = ledgerKeys(withoutKept, rulesAt(state.ruleset, attempt.nowMs));
  const entries = readLedger(state, keys);
  const earlier = owner.signInTimesMs;
  const facts: OwnFacts = {
    ...withoutKept,
    kept: {
      createdAtMs: owner.createdAtMs,
      signIns: earlier.length + 1,
      previousSignInAtMs: earlier.at(-1) ?? null,
      signInTimesMs: earlier,
      deadlineFromMs: entries[0]?.firstShownAtMs ?? null,
      ...keptInLedger(entries[0]),
    },
  };
  return { facts, entries, keys };
}

/** Returns the times before a prompt that is shown now. */
export function earlierTimes({ previousSignInAtMs, firstShownAtMs, lastShownAtMs }: KeptFacts): EarlierTimes {
  return { previousSignInAtMs, firstShownAtMs, lastShownAtMs };
}

/**
 * Returns the facts and the ledger of an open prompt at the time of its answer. Its own sign-in and its own showing are
 * left out, as they were when it was shown, so that they do not change what the prompt demands.
 */
export function collectPromptInput(
  state: OwnState<OwnUsers>,
  owner: OwnUserState,
  { attempt, keys, earlier }: Pick<OpenOwnPrompt, 'attempt' | 'keys' | 'earlier'>,
  nowMs: number,
): OwnInput {
  const { facts, entries: all } = collectInput(state, owner, { ...attempt, nowMs });
  const entries = all.map((entry) =>
    keys.some(({ key }) => key === entry.key) ? { ...entry, shown: Math.max(0, entry.shown - 1) } : entry,
  );
  const { kept } = facts;
  const own = kept.signInTimesMs.lastIndexOf(attempt.nowMs);
  const signInTimesMs = kept.signInTimesMs.toSpliced(own < 0 ? kept.signInTimesMs.length - 1 : own, 1);
  const signIns = signInTimesMs.length + 1;
  // Showings that were cleared meanwhile are forgotten, those before the prompt too.
  const times = kept.lastShownAtMs === null ? { ...earlier, firstShownAtMs: null, lastShownAtMs: null } : earlier;
  const shown = entries[0]?.shown ?? 0;
  return { entries, facts: { ...facts, kept: { ...kept, signIns, signInTimesMs, shown, ...times } } };
}

/** Method that a user registered on a page. */
export type RegisteredItem =
  | { readonly passkey: Passkey }
  | { readonly method: RegisteredMethod }
  | { readonly nothing: true };

/** Maximum number of sign-in times of one user. Older ones are forgotten and no longer counted. */
export const signInTimesMax = 10_000;

/** What completing the setup of each kind leaves at the user. */
export const registeredItems: Readonly<Record<Exclude<MethodKind, 'passkey'>, RegisteredItem>> = {
  app: { method: 'authenticator-push' },
  totp: { method: 'authenticator-totp' },
  phone: { method: 'sms' },
  email: { nothing: true },
  password: { nothing: true },
  terms: { nothing: true },
  form: { nothing: true },
};

/** Returns true if a user has gained what the prompts of a kind ask for. Kinds without a method are never gained elsewhere. */
export function hasGained(kind: MethodKind, before: OwnUser, after: OwnUser): boolean {
  if (kind === 'passkey') return after.passkeys.length > before.passkeys.length;
  const item = registeredItems[kind];
  return 'method' in item && after.methods.includes(item.method) && !before.methods.includes(item.method);
}

/** Returns the user with a registered passkey or method. Other kinds leave only the facts of the completion. */
export function withRegistered(user: OwnUser, item: RegisteredItem): OwnUser {
  if ('passkey' in item) return { ...user, passkeys: [...user.passkeys, item.passkey] };
  if (!('method' in item) || user.methods.includes(item.method)) return user;
  return { ...user, methods: [...user.methods, item.method] };
}

/**
 * Returns the time at which an unanswered prompt ends: when it is as old as the lifetime of the edition in force (OC57). An
 * edition with a shorter lifetime ends older prompts at its start.
 */
export function endsAtMs(ruleset: OwnRuleset, { shownAtMs }: Pick<OpenOwnPrompt, 'shownAtMs'>): number {
  let endMs = shownAtMs + rulesAt(ruleset, shownAtMs).lifetimeMs;
  for (const { fromMs, rules } of ruleset.editions) {
    if (fromMs <= shownAtMs) continue;
    if (endMs < fromMs) break;
    endMs = Math.max(fromMs, shownAtMs + rules.lifetimeMs);
  }
  return endMs;
}

/** Corrects the stored state by what the gates about earlier answers say at this time, as `nudgeStateAt` does. */
export function statusAt(owner: OwnUserState, verdict: OwnVerdict): NudgeState {
  if (owner.status !== 'snoozed' && owner.status !== 'notPrompted') return owner.status;
  const answered = ['X.never', 'X.session', 'X.cadence'];
  const stopped = verdict.rules.some(({ id, outcome }) => answered.includes(id) && outcome === 'stopped');
  if (stopped) return 'snoozed';
  return owner.prompts.length > 0 ? 'prompted' : 'notPrompted';
}

/** Lists the facts that are higher than before, which resets on a newer version wait for (OC29). */
export function listRisen(
  before: Readonly<Record<string, FactValue>>,
  after: Readonly<Record<string, FactValue>>,
): readonly string[] {
  return Object.keys(after).filter((name) => {
    const [earlier, value] = [before[name], after[name]];
    return typeof value === 'number' && (typeof earlier !== 'number' || value > earlier);
  });
}
