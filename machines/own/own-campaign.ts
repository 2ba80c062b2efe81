import type { NudgeState } from '../vocabulary.ts';
import { completedFacts } from './completed-facts.ts';
import { demandAt, drawSettings, evaluateOwn, nextPromptAt, type OwnVerdict } from './evaluate-own.ts';
import { clearEntry, type LedgerEntry, type LedgerKey, setupSnoozes, storeAnswer, storeShowing } from './ledger.ts';
import type { OwnAttempt, OwnTenant, OwnUser } from './own-facts.ts';
import { type AnswerEffect, type OwnRules, type Reset, rulesAt } from './own-ruleset.ts';
import {
  collectInput,
  collectPromptInput,
  earlierTimes,
  endsAtMs,
  getOwnUser,
  hasGained,
  listRisen,
  type OpenOwnPrompt,
  type OwnState,
  type OwnUserState,
  type OwnUsers,
  type RegisteredItem,
  readLedger,
  signInTimesMax,
  statusAt,
  withRegistered,
} from './own-state.ts';
import { snoozesAllowed, snoozesLeft } from './own-timing.ts';

/** Response to an action at a prompt. Anything but `done` leaves the ledger as it is. */
export type ActionResult = 'done' | 'refused' | 'answer-unknown' | 'not-open' | 'resolved' | 'expired' | 'signs-in';

/** Nudge status of a user, for the device and browser of the latest attempt. */
export interface OwnStatus {
  readonly state: NudgeState;
  readonly snoozes: number;
  readonly snoozesLeft: number | null;
  readonly nextPromptAtMs: number | null;
}

/** Receives the effects of each answer that is stored. */
type NoteAnswer = (effects: readonly AnswerEffect[]) => void;

/**
 * Lifecycle of the prompts of an own campaign: what sign-ins and answers leave behind (OC22 to OC30). Two tabs, late
 * answers, pending closes and expiry follow A25 to A27 and A39 to A43 for every ruleset. Each event takes the edition of
 * its own time (OC57).
 */
export class OwnCampaign {
  readonly #state: OwnState<OwnUsers>;
  readonly #noteAnswer: NoteAnswer | null;

  /** Continues a state, which the methods change. */
  constructor(state: OwnState<OwnUsers>, noteAnswer: NoteAnswer | null = null) {
    this.#state = state;
    this.#noteAnswer = noteAnswer;
  }

  /** Evaluates a sign-in and opens its prompt. Settles the closed prompts of the user first (A41). */
  signIn(userId: string, attempt: OwnAttempt): OwnVerdict {
    this.passTime(attempt.nowMs);
    const owner = getOwnUser(this.#state, userId);
    this.#settle(owner, (prompt) => prompt.leftAtMs !== null);
    const input = collectInput(this.#state, owner, attempt);
    const verdict = evaluateOwn(this.#state.ruleset, input);
    owner.signInTimesMs.push(attempt.nowMs);
    if (owner.signInTimesMs.length > signInTimesMax) owner.signInTimesMs.shift();
    owner.lastAttempt = attempt;
    this.#countQualifying(verdict, input.keys);
    if (verdict.outcome === 'none') return verdict;
    if (verdict.outcome === 'blocked') {
      owner.status = 'registrationRequired';
      return verdict;
    }
    const rules = rulesAt(this.#state.ruleset, attempt.nowMs);
    this.#change(input.keys, (entry) => storeShowing(entry, rules, attempt.nowMs));
    const required = verdict.outcome === 'required';
    owner.prompts = [
      ...owner.prompts,
      {
        id: attempt.id,
        attempt,
        keys: input.keys,
        required,
        phase: 'offered',
        shownAtMs: attempt.nowMs,
        leftAtMs: null,
        leftCounts: false,
        earlier: earlierTimes(input.facts.kept),
      },
    ];
    owner.status = required ? 'registrationRequired' : 'prompted';
    return verdict;
  }

  /** Settles the closed prompts of a user, as the next sign-in does (A41). */
  settlePendingCloses(userId: string, nowMs: number): void {
    this.passTime(nowMs);
    this.#settle(getOwnUser(this.#state, userId), (prompt) => prompt.leftAtMs !== null);
  }

  /** Returns the verdict of a sign-in without any effect. */
  explain(userId: string, attempt: OwnAttempt): OwnVerdict {
    return evaluateOwn(this.#state.ruleset, collectInput(this.#state, getOwnUser(this.#state, userId), attempt));
  }

  /** Begins the setup. The answer `next` says what that stores by itself. */
  selectNext(userId: string, promptId: string, nowMs: number): ActionResult {
    return this.#act(userId, promptId, nowMs, (owner, prompt, rules) => {
      if (prompt.phase === 'offered' && !prompt.required) this.#store(prompt, 'next', rules, nowMs);
      this.#replace(owner, { ...prompt, phase: 'setup', leftAtMs: null });
      return 'done';
    });
  }

  /** Turns the prompt down with one of its answers (OC24). */
  answer(userId: string, promptId: string, answerId: string, nowMs: number): ActionResult {
    return this.#act(userId, promptId, nowMs, (owner, prompt, rules) => {
      const answer = rules.answers[answerId];
      if (answer === undefined || answerId === 'close' || answerId === 'expire' || answerId === 'next') {
        return 'answer-unknown';
      }
      if (this.#demand(owner, prompt, nowMs) !== 'skippable' && answer.whenRequired === 'refused') {
        this.#replace(owner, { ...prompt, required: true, phase: 'offered', leftAtMs: null });
        owner.status = 'registrationRequired';
        return 'refused';
      }
      this.#store(prompt, answerId, rules, nowMs);
      this.#close(owner, prompt);
      if (!answer.effects.includes('nothing')) owner.status = 'snoozed';
      return 'done';
    });
  }

  /** Returns to an open prompt, which withdraws the mark of a closed page (A41). */
  resume(userId: string, promptId: string, nowMs: number): ActionResult {
    return this.#act(userId, promptId, nowMs, (owner, prompt) => {
      this.#replace(owner, { ...prompt, leftAtMs: null });
      return 'done';
    });
  }

  /** Marks the page of a prompt as closed (A41). */
  leave(userId: string, promptId: string, nowMs: number): ActionResult {
    return this.#act(userId, promptId, nowMs, (owner, prompt) => {
      this.#replace(owner, { ...prompt, leftAtMs: nowMs, leftCounts: this.#counts(owner, prompt, nowMs) });
      return 'done';
    });
  }

  /** Shows the error screen after a failed setup. */
  failSetup(userId: string, promptId: string, nowMs: number): ActionResult {
    return this.#act(userId, promptId, nowMs, (owner, prompt) => {
      this.#replace(owner, { ...prompt, phase: 'error', leftAtMs: null });
      return 'done';
    });
  }

  /** Skips the error screen (A10 to A13, OC29). */
  skipError(userId: string, promptId: string, nowMs: number): ActionResult {
    return this.#act(userId, promptId, nowMs, (owner, prompt, rules) => {
      if (prompt.phase !== 'error') return 'not-open';
      if (rules.failure.skip === 'refused') return 'refused';
      if (rules.failure.stores === 'snooze' && !prompt.required && !setupSnoozes(rules)) {
        this.#storeSnooze(prompt, rules, nowMs);
      }
      this.#close(owner, prompt);
      return 'done';
    });
  }

  /** Completes the setup. All open prompts of the user are resolved (A27). */
  complete(userId: string, promptId: string, item: RegisteredItem, nowMs: number): ActionResult {
    return this.#act(userId, promptId, nowMs, (owner, prompt, rules) => {
      const given = { facts: collectPromptInput(this.#state, owner, prompt, nowMs).facts, rules };
      const facts = completedFacts(owner.user.facts, given, nowMs);
      owner.user = { ...withRegistered(owner.user, item), facts };
      this.#change(prompt.keys, (entry) => ({ ...entry, doneAtMs: nowMs }));
      for (const { id } of owner.prompts) if (id !== promptId) owner.ended.set(id, 'resolved');
      owner.prompts = [];
      owner.status = 'registered';
      this.#reset(prompt.keys, rules, 'registered');
      return 'done';
    });
  }

  /**
   * Lets the prompts expire whose lifetime is over, and applies the resets of the editions that have begun, each at its
   * own time. So it does not matter how often time is passed.
   */
  passTime(nowMs: number): void {
    const { ruleset } = this.#state;
    const begun = ruleset.editions.findIndex(({ rules }) => rules.edition === this.#state.edition);
    for (const { fromMs, rules } of ruleset.editions.slice(begun + 1)) {
      if (fromMs > nowMs) break;
      this.#expire((endMs) => endMs < fromMs);
      this.#state.edition = rules.edition;
      this.#reset([...this.#state.ledger.values()], rules, 'edition');
    }
    this.#expire((endMs) => endMs <= nowMs);
  }

  #expire(isOver: (endMs: number) => boolean): void {
    for (const owner of this.#state.users.values()) {
      if (owner.prompts.length > 0) this.#settle(owner, (prompt) => isOver(endsAtMs(this.#state.ruleset, prompt)));
    }
  }

  /** Changes a user. A fact that rises can reset the ledger (OC29). */
  changeUser(userId: string, change: (user: OwnUser) => OwnUser, nowMs: number): void {
    const owner = getOwnUser(this.#state, userId);
    const before = owner.user;
    owner.user = change(before);
    this.noteUserChange(userId, before, nowMs);
  }

  /**
   * Notes that a user has changed. A fact that rises can reset the ledger (OC29), and what the user registered elsewhere
   * resolves the open prompts for it (A27).
   */
  noteUserChange(userId: string, before: OwnUser, nowMs: number): void {
    const owner = getOwnUser(this.#state, userId);
    const rules = rulesAt(this.#state.ruleset, nowMs);
    const { methods, ask } = rules;
    if (owner.prompts.length > 0 && hasGained(methods[ask]?.kind ?? 'form', before, owner.user)) {
      for (const { id } of owner.prompts) owner.ended.set(id, 'resolved');
      owner.prompts = [];
      owner.status = 'registered';
    }
    const keys = this.#findKeys(owner);
    for (const name of listRisen(before.facts, owner.user.facts)) {
      this.#reset(keys, rules, { newVersion: `user.facts.${name}` });
    }
  }

  /** Changes the tenant: its facts and settings. */
  changeTenant(change: (tenant: OwnTenant) => OwnTenant, nowMs: number): void {
    const before = this.#state.tenant;
    this.#state.tenant = change(before);
    const rules = rulesAt(this.#state.ruleset, nowMs);
    const all = [...this.#state.ledger.values()];
    for (const name of listRisen(before.facts, this.#state.tenant.facts)) {
      this.#reset(all, rules, { newVersion: `tenant.facts.${name}` });
    }
    for (const name of Object.keys(rules.settings)) {
      const [from, to] = [before, this.#state.tenant].map(({ settings }) => settings[name] ?? null);
      if (JSON.stringify(from) !== JSON.stringify(to)) this.#reset(all, rules, { settingChanged: name });
    }
  }

  /** Removes registered methods or passkeys. `change` returns the user without them. */
  removeMethod(userId: string, change: (user: OwnUser) => OwnUser, nowMs: number): void {
    const owner = getOwnUser(this.#state, userId);
    owner.user = change(owner.user);
    this.noteRemoval(userId, nowMs);
  }

  /** Notes that registered methods or passkeys of a user were removed. */
  noteRemoval(userId: string, nowMs: number): void {
    const owner = getOwnUser(this.#state, userId);
    if (owner.status === 'registered') owner.status = 'notPrompted';
    this.#reset(this.#findKeys(owner), rulesAt(this.#state.ruleset, nowMs), 'removed');
  }

  /** Applies the resets of cleared browser data to the keys of the user's latest attempt. */
  clearBrowser(userId: string, nowMs: number): void {
    const keys = this.#findKeys(getOwnUser(this.#state, userId));
    this.#reset(keys, rulesAt(this.#state.ruleset, nowMs), 'browserCleared');
  }

  /**
   * Clears what the ledger keeps for a user, as an administrator can (A3): what the resets on `control` name, or everything
   * if the rules have none (OC29).
   */
  resetLedger(userId: string, nowMs: number): void {
    const owner = getOwnUser(this.#state, userId);
    const rules = rulesAt(this.#state.ruleset, nowMs);
    const mine = `user=${userId}`;
    const entries = [...this.#state.ledger.values()].filter(({ key }) => key.split(';').includes(mine));
    const keys = [...entries, ...this.#findKeys(owner)];
    if (rules.resets.some(({ on }) => on === 'control')) return this.#reset(keys, rules, 'control');
    for (const { key } of keys) this.#state.ledger.delete(key);
    owner.status = owner.prompts.length > 0 ? 'prompted' : 'notPrompted';
  }

  /** Returns the nudge status of a user at a time. */
  status(userId: string, nowMs: number): OwnStatus {
    this.passTime(nowMs);
    const owner = getOwnUser(this.#state, userId);
    const rules = rulesAt(this.#state.ruleset, nowMs);
    if (owner.lastAttempt === null) {
      const left = snoozesAllowed(rules, this.#state.tenant);
      return { state: owner.status, snoozes: 0, snoozesLeft: left, nextPromptAtMs: null };
    }
    const input = collectInput(this.#state, owner, { ...owner.lastAttempt, nowMs });
    const [first] = input.entries;
    const untilMs = nextPromptAt(this.#state.ruleset, input);
    const verdict = evaluateOwn(this.#state.ruleset, input);
    return {
      state: statusAt(owner, verdict),
      snoozes: first?.count ?? 0,
      snoozesLeft: snoozesLeft(first, drawSettings(rules, input.facts)),
      nextPromptAtMs: untilMs,
    };
  }

  #act(
    userId: string,
    promptId: string,
    nowMs: number,
    action: (owner: OwnUserState, prompt: OpenOwnPrompt, rules: OwnRules) => ActionResult,
  ): ActionResult {
    this.passTime(nowMs);
    const owner = getOwnUser(this.#state, userId);
    const prompt = owner.prompts.find(({ id }) => id === promptId);
    if (prompt === undefined) return owner.ended.get(promptId) ?? 'not-open';
    return action(owner, prompt, rulesAt(this.#state.ruleset, nowMs));
  }

  /** Returns the outcome that the rules at the time of an answer give for the attempt of a prompt (A39). */
  #demand(owner: OwnUserState, prompt: OpenOwnPrompt, nowMs: number): string {
    return demandAt(this.#state.ruleset, collectPromptInput(this.#state, owner, prompt, nowMs));
  }

  /**
   * Returns true if leaving a prompt counts: not on an error screen (A10) or on a required prompt (A2, A42), and not if the
   * beginning of the setup has counted, because a prompt counts once (A41).
   */
  #counts(owner: OwnUserState, prompt: OpenOwnPrompt, nowMs: number): boolean {
    const { required, phase } = prompt;
    if (required || phase === 'error') return false;
    if (phase === 'setup' && setupSnoozes(rulesAt(this.#state.ruleset, nowMs))) return false;
    return this.#demand(owner, prompt, nowMs) === 'skippable';
  }

  #store(prompt: OpenOwnPrompt, answerId: string, rules: OwnRules, nowMs: number): void {
    const { sessionId } = prompt.attempt;
    if (prompt.keys.length > 0) this.#noteAnswer?.(rules.answers[answerId]?.effects ?? []);
    this.#change(prompt.keys, (entry) => storeAnswer(entry, answerId, rules, { nowMs, sessionId }));
  }

  /** Stores the first answer that snoozes, for an error screen that counts as one. */
  #storeSnooze(prompt: OpenOwnPrompt, rules: OwnRules, nowMs: number): void {
    const id = Object.keys(rules.answers).find((answer) => rules.answers[answer]?.effects.includes('snooze'));
    if (id !== undefined) this.#store(prompt, id, rules, nowMs);
  }

  /**
   * Settles prompts in order of their end. A closed one has the answer `close`, an expired one `expire`, each at its own
   * time.
   */
  #settle(owner: OwnUserState, due: (prompt: OpenOwnPrompt) => boolean): void {
    const endMs = (prompt: OpenOwnPrompt): number => prompt.leftAtMs ?? endsAtMs(this.#state.ruleset, prompt);
    for (const prompt of owner.prompts.filter(due).toSorted((a, b) => endMs(a) - endMs(b))) {
      const atMs = endMs(prompt);
      const rules = rulesAt(this.#state.ruleset, atMs);
      const answerId = prompt.leftAtMs === null ? 'expire' : 'close';
      const counts = prompt.leftAtMs === null ? this.#counts(owner, prompt, atMs) : prompt.leftCounts;
      this.#close(owner, prompt);
      owner.ended.set(prompt.id, 'expired');
      if (!counts) continue;
      this.#store(prompt, answerId, rules, atMs);
      if (rules.answers[answerId]?.effects.includes('nothing') === false) owner.status = 'snoozed';
    }
  }

  /** Counts a sign-in that only the cadence could stop, for the cadence by number of sign-ins. */
  #countQualifying({ outcome, reason, rules }: OwnVerdict, keys: readonly LedgerKey[]): void {
    const stops = rules.filter((rule) => rule.outcome === 'stopped');
    if (outcome === 'none' && (reason === null || stops.some(({ id }) => id !== 'X.cadence'))) return;
    this.#change(keys, (entry) => ({ ...entry, qualifying: entry.qualifying + 1 }));
  }

  #change(keys: readonly LedgerKey[], change: (entry: LedgerEntry) => LedgerEntry): void {
    for (const entry of readLedger(this.#state, keys)) this.#state.ledger.set(entry.key, change(entry));
  }

  #replace(owner: OwnUserState, prompt: OpenOwnPrompt): void {
    owner.prompts = owner.prompts.map((one) => (one.id === prompt.id ? prompt : one));
  }

  #close(owner: OwnUserState, prompt: OpenOwnPrompt): void {
    owner.prompts = owner.prompts.filter(({ id }) => id !== prompt.id);
    if (owner.status === 'prompted') owner.status = owner.prompts.length > 0 ? 'prompted' : 'notPrompted';
  }

  #findKeys(owner: OwnUserState): readonly LedgerKey[] {
    return owner.lastAttempt === null ? [] : collectInput(this.#state, owner, owner.lastAttempt).keys;
  }

  #reset(keys: readonly LedgerKey[], rules: OwnRules, event: Reset['on']): void {
    for (const reset of rules.resets) {
      if (JSON.stringify(reset.on) === JSON.stringify(event)) this.#change(keys, (entry) => clearEntry(entry, reset));
    }
  }
}
