import type { OwnInput, OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import { emptyEntry } from '../../../machines/own/ledger.ts';
import { OwnCampaign } from '../../../machines/own/own-campaign.ts';
import type { FactValues, OwnAttempt, OwnUser } from '../../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import {
  collectInput,
  getOwnUser,
  type OwnState,
  type OwnUserState,
  type OwnUsers,
  type RegisteredItem,
  registeredItems,
} from '../../../machines/own/own-state.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import type { Assumption } from '../../contract/comparison.schema.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { toOwnAttempt, toOwnTenant, toOwnUser } from '../../journal/own-campaign-facts.ts';
import type { KnownUser } from '../import/known-facts.ts';
import type { GivenFacts, RecordedFacts } from './defaulted-facts.ts';
import { ImportedOwnFacts, type KeptTexts } from './imported-own-facts.ts';
import type { ImportedUser } from './own-import-users.ts';

/** Sign-in of an import. */
export interface ImportedOwnSignIn {
  readonly user: ImportedUser;
  /** Facts of the attempt; those of a ruleset are as an annotation contains them. */
  readonly attempt: Parameters<typeof toOwnAttempt>[0];
  readonly session: Parameters<typeof toOwnAttempt>[2];
  readonly texts: KeptTexts;
  /** Facts of the user in an annotation, with a number that is the same for equal ones. */
  readonly known: { readonly user: KnownUser; readonly moment: number } | null;
}

/** Verdict on an imported sign-in, and what it was evaluated on. */
export interface ImportedOwnVerdict {
  readonly input: OwnInput;
  readonly given: GivenFacts;
  readonly verdict: OwnVerdict;
  /** `true` if an earlier action that this verdict depends on was assumed. */
  readonly isAssumed: boolean;
}

/** What an import says of a user besides the state of the campaign. */
interface LogOfUser {
  readonly texts: Map<string, string>;
  /** Facts that the log has, as their latest texts say. */
  facts: FactValues;
  moment: number;
  isAssumed: boolean;
}

/** Users who signed in. Those with an open prompt are kept apart, because time passes for them alone. */
class SignedInUsers implements OwnUsers {
  readonly all = new Map<string, OwnUserState>();
  readonly #open = new Set<string>();

  get(userId: string): OwnUserState | undefined {
    return this.all.get(userId);
  }

  *values(): Generator<OwnUserState, void> {
    for (const id of this.#open) {
      const user = this.all.get(id);
      if (user === undefined || user.prompts.length === 0) this.#open.delete(id);
      else yield user;
    }
  }

  noteOpen(userId: string): void {
    this.#open.add(userId);
  }
}

/**
 * Folds the sign-ins of an import under one own ruleset (OC50), in order of time, because ledgers can be shared by users.
 * Exports contain no actions, so every prompt takes the assumed one.
 */
export class ImportedOwnHistory {
  readonly ruleset: OwnRuleset;
  readonly facts: ImportedOwnFacts;
  readonly #users = new SignedInUsers();
  readonly #logs = new Map<string, LogOfUser>();
  readonly #state: OwnState<SignedInUsers>;
  readonly #campaign: OwnCampaign;
  readonly #recorded: RecordedFacts;
  readonly #hasUserLedger: boolean;
  readonly #startMs: number;
  readonly #tenantTexts = new Map<string, string>();
  #tenantFacts: FactValues = {};
  /** Keys of ledgers in which an assumed action was stored. */
  readonly #assumedKeys = new Set<string>();

  /**
   * Creates the history of a ruleset.
   *
   * @param ruleset - own ruleset
   * @param start - facts of the tenant, kept columns, and time of creation of all users: the first sign-in
   * @param recorded - check of the facts of the tenant and of annotations
   */
  constructor(
    ruleset: OwnRuleset,
    start: { readonly tenant: TenantFacts; readonly columns: readonly (string | null)[]; readonly startMs: number },
    recorded: RecordedFacts,
  ) {
    this.ruleset = ruleset;
    this.facts = new ImportedOwnFacts(ruleset, start.columns);
    this.#recorded = recorded;
    this.#startMs = start.startMs;
    this.#hasUserLedger = ruleset.first.ledger.keys.some((parts) => parts.join() === 'user');
    this.#state = {
      ruleset,
      tenant: toOwnTenant(start.tenant, ruleset),
      users: this.#users,
      ledger: new Map(),
      edition: rulesAt(ruleset, start.startMs).edition,
    };
    this.#tenantFacts = start.tenant.facts ?? {};
    this.#campaign = new OwnCampaign(this.#state);
  }

  /** Replaces the facts of the tenant from a time on. Columns that have them take precedence. */
  changeTenant(tenant: TenantFacts, nowMs: number): void {
    const changed = toOwnTenant(tenant, this.ruleset);
    const ofColumns = [...this.#tenantTexts.keys()];
    this.#tenantFacts = { ...this.#tenantFacts, ...tenant.facts };
    this.#campaign.changeTenant(
      (before) => ({
        ...changed,
        facts: { ...changed.facts, ...Object.fromEntries(ofColumns.map((name) => [name, before.facts[name] ?? null])) },
      }),
      nowMs,
    );
  }

  /** Evaluates a sign-in. Its prompt stays open for `act`. */
  signIn(signIn: ImportedOwnSignIn, nowMs: number): ImportedOwnVerdict {
    const { id } = signIn.user.facts;
    const log = this.#takeOver(signIn, nowMs);
    this.#campaign.settlePendingCloses(id, nowMs);
    const written = signIn.attempt.facts ?? {};
    const ofColumns = this.facts.read('attempt', signIn.texts);
    const attempt = toOwnAttempt(signIn.attempt, this.ruleset, signIn.session);
    const complete: OwnAttempt = { ...attempt, facts: { ...attempt.facts, ...ofColumns } };
    const owner = getOwnUser(this.#state, id);
    const { keys, ...input } = collectInput(this.#state, owner, complete);
    const completed = Object.fromEntries(
      this.facts.listChanged('user', owner.user.facts).map((name) => [name, owner.user.facts[name] ?? null]),
    );
    // The sign-in appends its time to the list that the input reads.
    const kept = { ...input.facts.kept, signInTimesMs: [...input.facts.kept.signInTimesMs] };
    return {
      input: { entries: input.entries, facts: { ...input.facts, kept } },
      given: {
        tenant: { facts: this.#tenantFacts },
        user: { facts: { ...completed, ...log.facts } },
        attempt: { facts: { ...written, ...ofColumns } },
      },
      verdict: this.#open(id, complete),
      isAssumed: log.isAssumed || keys.some(({ key }) => this.#assumedKeys.has(key)),
    };
  }

  #open(id: string, attempt: OwnAttempt): OwnVerdict {
    const verdict = this.#campaign.signIn(id, attempt);
    const owner = getOwnUser(this.#state, id);
    owner.ended.clear();
    if (owner.prompts.length > 0) this.#users.noteOpen(id);
    return verdict;
  }

  /** Performs the assumed action at the prompt of a sign-in. What a prompt refuses, the user leaves. */
  act(action: Assumption, { verdict, input }: ImportedOwnVerdict): void {
    const { id: signInId, nowMs, os } = input.facts.attempt;
    const userId = input.facts.user.id;
    const owner = getOwnUser(this.#state, userId);
    for (const { key } of owner.prompts.flatMap(({ keys }) => keys)) this.#assumedKeys.add(key);
    const log = this.#logs.get(userId);
    if (log !== undefined) log.isAssumed = true;
    if (action === 'register') {
      const { methods, ask } = rulesAt(this.ruleset, nowMs);
      const kind = methods[ask]?.kind ?? 'form';
      const item: RegisteredItem =
        kind === 'passkey'
          ? { passkey: { type: defaultPasskeyType(os), deviceId: 'device-1' } }
          : registeredItems[kind];
      this.#campaign.selectNext(userId, signInId, nowMs);
      this.#campaign.complete(userId, signInId, item, nowMs);
      return;
    }
    const [answer] = verdict.answers;
    const isDone =
      action === 'skip' && answer !== undefined && this.#campaign.answer(userId, signInId, answer, nowMs) === 'done';
    if (!isDone) this.#campaign.leave(userId, signInId, nowMs);
  }

  /** Takes over what the log says of the tenant and of the user at a sign-in. Only changes in the log count as changes. */
  #takeOver(signIn: ImportedOwnSignIn, nowMs: number): LogOfUser {
    const { user, texts, known } = signIn;
    const ofTenant = this.facts.readChanges('tenant', texts, this.#tenantTexts);
    if (Object.keys(ofTenant).length > 0) {
      this.#tenantFacts = { ...this.#tenantFacts, ...ofTenant };
      this.#campaign.changeTenant((tenant) => ({ ...tenant, facts: { ...tenant.facts, ...ofTenant } }), nowMs);
    }
    const log = this.#logs.get(user.facts.id) ?? this.#begin(user);
    const isNewMoment = known !== null && known.moment !== log.moment;
    const annotated = isNewMoment ? this.#readKnown(user, known.user) : null;
    if (isNewMoment) log.moment = known.moment;
    const ofUser = this.facts.readChanges('user', texts, log.texts);
    if (annotated === null && Object.keys(ofUser).length === 0) return log;
    const ofMoment = Object.keys(known?.user.facts ?? {}).map(
      (name) => [name, annotated?.facts[name] ?? null] as const,
    );
    log.facts = { ...log.facts, ...(annotated === null ? {} : Object.fromEntries(ofMoment)), ...ofUser };
    const owner = getOwnUser(this.#state, user.facts.id);
    const change = (before: OwnUser): OwnUser => {
      const { facts, ...rest } = annotated ?? before;
      return { ...rest, facts: { ...facts, ...ofUser } };
    };
    // The first facts of a user are no change, so they clear no ledger.
    if (owner.lastAttempt === null) owner.user = change(owner.user);
    else this.#campaign.changeUser(user.facts.id, change, nowMs);
    return log;
  }

  #readKnown({ facts: { id } }: ImportedUser, { count, snoozedAtMs, ...facts }: KnownUser): OwnUser {
    const user = { id, ...facts, snooze: { count, snoozedAtMs } };
    this.#recorded.check({ user });
    return toOwnUser(user, this.ruleset);
  }

  #begin({ facts, count, snoozedAtMs }: ImportedUser): LogOfUser {
    const user = toOwnUser({ ...facts, snooze: { count, snoozedAtMs } }, this.ruleset);
    this.#users.all.set(user.id, {
      user,
      createdAtMs: this.#startMs,
      signInTimesMs: [],
      prompts: [],
      ended: new Map(),
      status: 'notPrompted',
      lastAttempt: null,
    });
    if (this.#hasUserLedger && (count > 0 || snoozedAtMs !== null)) {
      const key = `user=${user.id}`;
      this.#state.ledger.set(key, { ...emptyEntry({ key, parts: ['user'] }), count, snoozedAtMs });
    }
    const log: LogOfUser = { texts: new Map(), facts: {}, moment: 0, isAssumed: false };
    this.#logs.set(user.id, log);
    return log;
  }

  /** Settles all prompts by a time, as the next sign-in of every user does. */
  settle(nowMs: number): void {
    for (const id of this.#users.all.keys()) this.#campaign.settlePendingCloses(id, nowMs);
  }

  /**
   * Returns the input of the next sign-in of each user, if it equals the last one, on the users and ledgers of another
   * history.
   */
  *listNextInputs(current: ImportedOwnHistory, nowMs: number): Generator<OwnInput, void> {
    const given = { ...this.#state, ledger: current.#state.ledger };
    for (const [id, owner] of this.#users.all) {
      const before = current.#users.all.get(id);
      if (owner.lastAttempt === null || before === undefined) continue;
      const shared = Object.entries(before.user.facts).filter(([name]) => Object.hasOwn(owner.user.facts, name));
      const logged = this.facts.complete('user', this.#logs.get(id)?.facts ?? {});
      const facts = current === this ? owner.user.facts : { ...logged, ...Object.fromEntries(shared) };
      const user = { ...owner, user: { ...before.user, facts }, signInTimesMs: before.signInTimesMs };
      yield collectInput(given, user, { ...owner.lastAttempt, nowMs });
    }
  }
}
