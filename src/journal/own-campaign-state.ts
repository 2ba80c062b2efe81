import type { LedgerEntry } from '../../machines/own/ledger.ts';
import { countsSignIns, listConditions } from '../../machines/own/list-conditions.ts';
import { OwnCampaign } from '../../machines/own/own-campaign.ts';
import type { OwnAttempt, OwnTenant, OwnUser } from '../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../machines/own/own-ruleset.ts';
import type { OpenOwnPrompt, OwnState, OwnUserState, OwnUsers } from '../../machines/own/own-state.ts';
import type { NudgeState, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import { parseInstant } from '../core/clock.ts';
import { toOwnTenant, toOwnUser, withOwnUser } from './own-campaign-facts.ts';
import type { UserTable } from './user-table.ts';

/** What an own campaign keeps of one user, besides the facts of the sandbox and the ledgers. */
export interface KeptUser {
  readonly signInTimesMs: number[];
  prompts: readonly OpenOwnPrompt[];
  status: NudgeState;
  lastAttempt: OwnAttempt | null;
}

/** User of an own campaign in a sandbox. The facts are those of the sandbox. */
class SandboxOwnUser implements OwnUserState {
  readonly #users: KeptUsers;
  readonly #id: string;
  readonly #kept: KeptUser;
  readonly ended = new Map<string, 'resolved' | 'expired'>();

  constructor(users: KeptUsers, id: string, kept: KeptUser) {
    this.#users = users;
    this.#id = id;
    this.#kept = kept;
  }

  get user(): OwnUser {
    return this.#users.readFacts(this.#id);
  }

  set user(changed: OwnUser) {
    this.#users.writeFacts(this.#id, changed);
  }

  get createdAtMs(): number {
    return this.#users.createdAtMs(this.#id);
  }

  get signInTimesMs(): number[] {
    return this.#kept.signInTimesMs;
  }

  get prompts(): readonly OpenOwnPrompt[] {
    return this.#kept.prompts;
  }

  set prompts(prompts: readonly OpenOwnPrompt[]) {
    this.#kept.prompts = prompts;
    this.#users.noteOpen(this.#id, prompts.length > 0);
  }

  get status(): NudgeState {
    return this.#kept.status;
  }

  set status(status: NudgeState) {
    this.#kept.status = status;
  }

  get lastAttempt(): OwnAttempt | null {
    return this.#kept.lastAttempt;
  }

  set lastAttempt(attempt: OwnAttempt | null) {
    this.#kept.lastAttempt = attempt;
  }
}

/**
 * Users of an own campaign in a sandbox. Only users who signed in are kept; all others are as if they never did. Their
 * facts are those of the sandbox's users, so nothing is stored twice.
 */
export class KeptUsers implements OwnUsers {
  readonly #table: UserTable;
  readonly #ruleset: OwnRuleset;
  readonly #startMs: number;
  readonly #kept = new Map<string, SandboxOwnUser>();
  /** Ids of the users with an open prompt. */
  readonly #open = new Set<string>();
  /** Facts as the campaign reads them; facts are replaced and never changed. */
  readonly #read = new WeakMap<UserFacts, OwnUser>();

  /** Creates the users of a table. `startMs` is the time of creation of users without a given one. */
  constructor(table: UserTable, ruleset: OwnRuleset, startMs: number) {
    this.#table = table;
    this.#ruleset = ruleset;
    this.#startMs = startMs;
  }

  /** Returns a user to read, or `undefined` if the sandbox does not have it. To change it, use `keep`. */
  get(userId: string): SandboxOwnUser | undefined {
    return this.#kept.get(userId) ?? (this.#table.has(userId) ? this.#create(userId) : undefined);
  }

  /** Returns a user of the sandbox to change, who is kept from then on. */
  keep(userId: string, kept?: KeptUser): SandboxOwnUser {
    const known = this.#kept.get(userId);
    if (known !== undefined) return known;
    const user = this.#create(userId, kept);
    this.#kept.set(userId, user);
    this.noteOpen(userId, user.prompts.length > 0);
    return user;
  }

  /** Returns the users with an open prompt. */
  values(): readonly SandboxOwnUser[] {
    return Array.from(this.#open, (id) => this.keep(id));
  }

  /** Returns the ids of the users with an open prompt. */
  get open(): readonly string[] {
    return [...this.#open];
  }

  /** Returns what is kept of each user, by id. */
  entries(): readonly (readonly [string, KeptUser])[] {
    return Array.from(this.#kept, ([id, { signInTimesMs, prompts, status, lastAttempt }]) => [
      id,
      { signInTimesMs: [...signInTimesMs], prompts, status, lastAttempt },
    ]);
  }

  /** Returns true if anything is kept of a user. */
  has(userId: string): boolean {
    return this.#kept.has(userId);
  }

  /** Forgets a user. */
  delete(userId: string): void {
    this.#kept.delete(userId);
    this.#open.delete(userId);
  }

  /** Notes whether a user has an open prompt. */
  noteOpen(userId: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(userId);
    else this.#open.delete(userId);
  }

  /** Returns the facts of a user of the sandbox as the campaign reads them. */
  readFacts(userId: string): OwnUser {
    const facts = this.#table.get(userId)?.facts;
    if (facts === undefined) throw new RangeError(`No user has the id ${userId}.`);
    const known = this.#read.get(facts);
    if (known !== undefined) return known;
    const read = toOwnUser(facts, this.#ruleset);
    this.#read.set(facts, read);
    return read;
  }

  /** Changes the facts of a user of the sandbox. */
  writeFacts(userId: string, changed: OwnUser): void {
    const user = this.#table.edit(userId);
    if (user !== undefined) user.facts = withOwnUser(user.facts, changed, this.#ruleset);
  }

  /** Returns the time at which a user was created: the given one, or the start of the sandbox (OC20). */
  createdAtMs(userId: string): number {
    const given = this.#table.get(userId)?.profile.directory?.createdDateTime;
    return (given === undefined ? null : parseInstant(given)) ?? this.#startMs;
  }

  #create(userId: string, kept?: KeptUser): SandboxOwnUser {
    const fresh: KeptUser = { signInTimesMs: [], prompts: [], status: 'notPrompted', lastAttempt: null };
    return new SandboxOwnUser(this, userId, kept ?? fresh);
  }
}

/** Values of an own campaign besides its users and ledgers, which are plain data. */
export interface OwnCampaignValues {
  readonly startMs: number;
  edition: string | null;
  /** Number of sign-ins that were evaluated, from which rollouts by sign-in draw (OC28). */
  signIns: number;
  /** Latest session by browser and user. */
  readonly sessions: Map<string, string>;
  /** Number of times that the data of each browser was cleared. */
  readonly clearedBrowsers: Map<string, number>;
}

/** Own campaign of a sandbox: the part of the rebuilt state that only own rulesets have. */
export class OwnCampaignState implements OwnState<KeptUsers>, OwnCampaignValues {
  readonly ruleset: OwnRuleset;
  readonly users: KeptUsers;
  readonly ledger = new Map<string, LedgerEntry>();
  readonly startMs: number;
  readonly sessions = new Map<string, string>();
  readonly clearedBrowsers = new Map<string, number>();
  /** Lifecycle of the prompts, which changes this state. */
  readonly campaign: OwnCampaign;
  /** True if a rule counts sign-ins in a window, so evaluations need their times. */
  readonly countsSignIns: boolean;
  /** True if answers are stored under the user alone, so the snooze of the user's facts shows them (OC25). */
  readonly hasUserLedger: boolean;
  tenant: OwnTenant;
  edition: string | null;
  signIns = 0;

  /** Creates the campaign of a tenant in which no user has signed in yet. */
  constructor(ruleset: OwnRuleset, tenant: TenantFacts, users: UserTable, startMs: number) {
    this.ruleset = ruleset;
    this.startMs = startMs;
    this.tenant = toOwnTenant(tenant, ruleset);
    this.users = new KeptUsers(users, ruleset, startMs);
    this.edition = rulesAt(ruleset, startMs).edition;
    this.campaign = new OwnCampaign(this);
    const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
    this.countsSignIns = all.flatMap(listConditions).some(countsSignIns);
    this.hasUserLedger = ruleset.first.ledger.keys.some((parts) => parts.join() === 'user');
  }

  /** Returns a copy that can diverge, on the users of a copied sandbox. */
  fork(tenant: TenantFacts, users: UserTable): OwnCampaignState {
    const copy = new OwnCampaignState(this.ruleset, tenant, users, this.startMs);
    copy.setValues(this);
    copy.take(this.users.entries(), this.ledger.values());
    return copy;
  }

  /** Takes over the values of another state of the same campaign. */
  setValues({ edition, signIns, sessions, clearedBrowsers }: OwnCampaignValues): void {
    this.edition = edition;
    this.signIns = signIns;
    for (const [key, session] of sessions) this.sessions.set(key, session);
    for (const [browser, times] of clearedBrowsers) this.clearedBrowsers.set(browser, times);
  }

  /** Takes over users and ledgers of another state of the same campaign. */
  take(users: Iterable<readonly [string, KeptUser]>, ledger: Iterable<LedgerEntry>): void {
    for (const [id, kept] of users) this.users.keep(id, kept);
    for (const entry of ledger) this.ledger.set(entry.key, entry);
  }
}
