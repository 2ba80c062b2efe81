import { emptyEntry, type LedgerEntry, ledgerKeys } from '../../../machines/own/ledger.ts';
import type { OwnAttempt, OwnTenant } from '../../../machines/own/own-facts.ts';
import { type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import { collectInput, getOwnUser, type OpenOwnPrompt, type OwnState } from '../../../machines/own/own-state.ts';
import { operatingSystems } from '../../../machines/vocabulary.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import { openPromptsMax } from '../../core/limits.ts';
import { signIns } from '../check/explain-misfit.ts';
import type { UserEvent } from '../model/log-event.ts';
import { isAction } from '../model/user-steps.ts';
import { divideState, isKnown } from './divide-state.ts';
import type { LogFacts } from './log-facts.ts';
import { type Interval, LedgerParts, type OpenFields, openTimes, timesUntil, unknownTimes } from './open-past.ts';
import { rolloutDraw } from './open-rules.ts';
import {
  type Happening,
  isUnknownPart,
  keepLeft,
  keepOpen,
  mergeGiven,
  type OpenResult,
  type OpenState,
  type OwnerFacts,
  openStored,
  passTime,
  type Run,
  readKey,
  type Step,
  type StoredTime,
  settle,
  stopsAnyway,
  withEntry,
  withoutEntries,
  withPrompts,
  withRepresentatives,
} from './open-state.ts';
import { type OwnHypothesis, type OwnRejection, type OwnSteps, ownLogUser } from './own-steps.ts';
import { ResolvedRules } from './resolved-rules.ts';
import { listStarts } from './start-values.ts';
import { listStated, takeOver } from './stated-facts.ts';
import { dependsOnDraw, learnFacts, listAttemptPaths, listUnknown } from './unknown-facts.ts';

/** Id of a prompt from before the log that the log does not name. */
const openPromptId = 'sign-in-before';

const nothing: ReadonlySet<string> = new Set();
const draws: ReadonlySet<string> = new Set([rolloutDraw]);
const nowhere: ReadonlyMap<string, Interval> = new Map();

/** Kinds after which a prompt is still open. */
const continuing: readonly LogEventKind[] = ['next-selected', 'resumed', 'closed', 'setup-failed', 'skip-rejected'];

/** What a log states and hides. */
interface OpenSettings {
  /** `true` for a log that states counts. */
  readonly isCounted: boolean;
  /** `true` if actions on prompts can happen without an event. */
  readonly hidesActions: boolean;
}

/** Steps of one user whose history before the log is unknown: each is performed for all that it can depend on. */
export class OpenSteps {
  readonly parts: LedgerParts;
  readonly #ruleset: OwnRuleset;
  readonly #steps: OwnSteps;
  readonly #facts: LogFacts;
  readonly #rules: ResolvedRules;
  readonly #lifetimeMs: number;
  /** True if a key of the ledger depends on more than the user and the method. */
  readonly #hasOtherKeys: boolean;
  readonly #usesPrevious: boolean;
  /** True if any earlier sign-in has an effect. Those before a log with an unknown past are unknown. */
  readonly #usesSignIns: boolean;
  readonly #resetsOnRemoval: boolean;
  readonly #resetsOnRegistration: boolean;
  readonly #hidesActions: boolean;
  readonly #attemptPaths: readonly string[];

  /** Creates the steps. */
  constructor(ruleset: OwnRuleset, steps: OwnSteps, facts: LogFacts, { isCounted, hidesActions }: OpenSettings) {
    this.#ruleset = ruleset;
    this.#steps = steps;
    this.#facts = facts;
    this.#rules = new ResolvedRules(ruleset);
    this.parts = new LedgerParts(ruleset, isCounted, hidesActions);
    this.#hidesActions = hidesActions;
    const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
    this.#lifetimeMs = Math.max(...all.map(({ lifetimeMs }) => lifetimeMs));
    this.#hasOtherKeys = all.some(({ ledger }) =>
      ledger.keys.some((parts) => parts.some((part) => part !== 'user' && part !== 'method')),
    );
    const text = JSON.stringify(all);
    this.#usesPrevious = text.includes('kept.previousSignInAt');
    this.#usesSignIns = this.#usesPrevious || /"kept\.signIns"|"signIns":\{/.test(text);
    this.#attemptPaths = listAttemptPaths(ruleset);
    this.#resetsOnRegistration = all.some(({ resets }) => resets.some(({ on }) => on === 'registered'));
    this.#resetsOnRemoval = all.some(({ resets }) => resets.some(({ on }) => on === 'removed'));
  }

  /** Returns the state of a user without any history, who was created at a time. */
  fresh(atMs: number): OpenState {
    const createdAt = { lo: atMs, hi: atMs };
    const past = {
      isFresh: true,
      sinceMs: atMs,
      pending: 0,
      unknown: nothing,
      entries: new Map(),
      left: nowhere,
      createdAt,
    };
    return { state: this.#steps.fresh(atMs), past };
  }

  /** Returns the states in which a user can be about whom nothing is known before a time. */
  unknown(atMs: number): readonly OpenState[] {
    return listStarts(this.#ruleset, this.#facts, () => this.#steps.fresh(atMs)).map(({ state, unknown }) => {
      return {
        state,
        past: {
          isFresh: false,
          sinceMs: atMs,
          pending: openPromptsMax,
          unknown,
          entries: new Map(),
          left: nowhere,
          createdAt: timesUntil(atMs),
        },
      };
    });
  }

  /** Returns true if a step of a kind that the log hides only repeats what a state admits already. */
  isWithoutEffect({ state, fromMs, past: { isFresh, unknown, entries } }: OwnHypothesis, kind: LogEventKind): boolean {
    const { prompts, user } = getOwnUser(state, ownLogUser);
    const isIdle = prompts.length === 0;
    const isUnknown = unknown.has('user.methods') && unknown.has('user.passkeys');
    // What earlier prompts leave behind without an event is part of the state.
    if (isAction(kind)) return isIdle;
    switch (kind) {
      case 'registered-elsewhere':
        return isIdle && (isUnknown || this.parts.hasItem(user, this.#steps.createItem(Math.max(fromMs, 0), null)));
      case 'method-removed':
        return isUnknown && !this.#resetsOnRemoval && user.methods.length + user.passkeys.length === 0;
      case 'reset':
        return entries.size === 0;
      case 'signed-in':
        return !(
          (isFresh ? this.#usesSignIns : this.#usesPrevious) || prompts.some(({ leftAtMs }) => leftAtMs !== null)
        );
      default:
        return false;
    }
  }

  /** Returns the key whose count a log states after an event, and the limit that its snoozes left are counted from. */
  readCounted({ state, fromMs }: OwnHypothesis): { readonly key: string | null; readonly limit: number | null } {
    const owner = getOwnUser(state, ownLogUser);
    const { limit } = rulesAt(this.#ruleset, fromMs);
    const isCounted = limit !== null && limit.counts === 'snoozes' && 'constant' in limit.at;
    const keys =
      owner.lastAttempt === null ? [] : collectInput(state, owner, { ...owner.lastAttempt, nowMs: fromMs }).keys;
    return { key: keys[0]?.key ?? null, limit: isCounted ? Number(limit.at.constant) : null };
  }

  /** Returns what is known of the snoozes of the latest sign-in's key: their number, and whether their time is known. */
  readSnoozes(h: OwnHypothesis): {
    readonly count: Interval | null;
    readonly isTimed: boolean;
  } {
    const { key } = this.readCounted(h);
    const open = h.past.entries.get(key ?? '');
    const { isFresh } = h.past;
    if (open === undefined && !isFresh) return { count: null, isTimed: false };
    const known = h.state.ledger.get(key ?? '')?.count ?? 0;
    const count = this.parts.keepsCount(isFresh) ? (open?.count ?? { lo: known, hi: known }) : null;
    return { count, isTimed: openTimes.every((field) => open?.[field]?.lo === open?.[field]?.hi) };
  }

  /** Performs an event. */
  perform(before: OpenState & Pick<OwnHypothesis, 'fromMs'>, happening: Happening): OpenResult {
    const widened = happening.isFirst ? [before] : this.#widen(before, before.fromMs, happening.atMs);
    const results = widened.flatMap((one) => this.#performFrom(one, happening));
    return {
      next: results.flatMap(({ next }) => next),
      rejected: results.flatMap(({ rejected }) => rejected),
    };
  }

  #performFrom(before: OpenState, happening: Happening): readonly OpenResult[] {
    const { kind, event, atMs } = happening;
    if (signIns.includes(kind)) return this.#signIn(before, happening);
    const removes = kind === 'method-removed' || kind === 'reset' || kind === 'registered-elsewhere';
    const isUnused = removes && getOwnUser(before.state, ownLogUser).lastAttempt === null;
    const from = isUnused ? withoutEntries(before, before.past.entries.keys()) : before;
    if (kind === 'skip-ignored' && event.prompt === null && !before.past.isFresh)
      return [this.#run(from, { ...happening, attempts: [], step: passTime, kind: null, merged: null })];
    const step: Step = (state) => this.#steps.perform(state, kind, event, atMs);
    const known = this.#run(from, { ...happening, attempts: [], step, merged: null });
    // Silent steps at such prompts are those that `#widen` adds.
    return isAction(kind) && event.line > 0 ? [known, ...this.#actBefore(from, happening)] : [known];
  }

  /** Performs an action at a prompt that was open before the log. */
  #actBefore(before: OpenState, happening: Happening): readonly OpenResult[] {
    const { kind, event, atMs } = happening;
    const { sinceMs, pending } = before.past;
    const owner = getOwnUser(before.state, ownLogUser);
    const id = event.prompt ?? openPromptId;
    if (pending === 0 || atMs >= sinceMs + this.#lifetimeMs || owner.prompts.some((prompt) => prompt.id === id))
      return [];
    const usual = this.#steps.createAttempt(owner, this.#facts.read(event), event, atMs);
    const other = owner.lastAttempt === null || !this.#hasOtherKeys ? [] : [owner.lastAttempt];
    // What a registration adds can depend on the system.
    const systems = kind === 'registered' ? operatingSystems.map((os) => ({ ...usual, os })) : [usual];
    const attempts = [...systems, ...other];
    return attempts.flatMap((attempt) =>
      (['offered', 'setup', 'error'] as const).flatMap((phase) =>
        [false, true].map((required) => {
          const step: Step = (state) => {
            const changed = getOwnUser(state, ownLogUser);
            const { keys } = collectInput(state, changed, attempt);
            const shown = { shownAtMs: sinceMs, leftAtMs: null, leftCounts: false, earlier: unknownTimes };
            const prompt: OpenOwnPrompt = { id, attempt, keys, required, phase, ...shown };
            return this.#steps.perform(withPrompts(state, [...changed.prompts, prompt]), kind, event, atMs);
          };
          const result = this.#run(before, {
            ...happening,
            attempts: [attempt],
            step,
            merged: null,
            isBefore: true,
          });
          return { ...result, next: result.next.flatMap((one) => this.#listEnds(before, one, kind, id)) };
        }),
      ),
    );
  }

  /** Lists what can follow an action at a prompt from before: it may end at any time, and have other keys. */
  #listEnds(before: OpenState, after: OpenState, kind: LogEventKind, id: string): readonly OpenState[] {
    const { prompts } = getOwnUser(after.state, ownLogUser);
    const rest = prompts.filter((prompt) => prompt.id !== id);
    const ended = continuing.includes(kind) ? [{ ...after, state: withPrompts(after.state, rest) }] : [];
    if (!this.#hasOtherKeys) return [after, ...ended];
    const elsewhere = { ...after.state, ledger: before.state.ledger };
    return [
      after,
      ...ended,
      { state: withPrompts(elsewhere, rest), past: { ...after.past, entries: before.past.entries } },
    ];
  }

  #signIn(before: OpenState, happening: Happening): readonly OpenResult[] {
    const { kind, event, atMs, isFirst } = happening;
    const given = this.#facts.read(event);
    const stated = listStated(before.past.unknown, given);
    // Prompts that end before the sign-in end without its facts.
    const isApart = stated.length > 0 || this.parts.readsEarlier;
    const ends = isApart && getOwnUser(before.state, ownLogUser).prompts.length > 0;
    const alone = { ...happening, attempts: [], step: settle, kind: null, merged: null };
    const from = ends ? this.#run(before, alone).next : [before];
    const known = from.flatMap((one) =>
      one.past.isFresh ? [one] : takeOver(one, { given, stated, isFirst }, this.#facts, rulesAt(this.#ruleset, atMs)),
    );
    return known.map((one) => {
      const { tenant } = one.state;
      const { user, prompts } = getOwnUser(one.state, ownLogUser);
      const merged = mergeGiven({ tenant: this.#facts.tenant(tenant, given), user }, given);
      const attempt = this.#steps.createAttempt({ user: merged.user, prompts }, given, event, atMs);
      const step: Step = (state) => this.#steps.perform(state, kind, event, atMs);
      return this.#run(one, { ...happening, attempts: [attempt], step, merged });
    });
  }

  /** Adds what prompts that were open before the log can have left behind since the event before. */
  #widen(before: OpenState, lastMs: number, atMs: number): readonly OpenState[] {
    const { sinceMs, pending, entries } = before.past;
    if (pending === 0 || lastMs >= sinceMs + this.#lifetimeMs || entries.size === 0) return [before];
    const hiMs = Math.min(atMs, sinceMs + this.#lifetimeMs);
    let results: readonly OpenState[] = [before];
    for (const [key, open] of entries) {
      results = results.flatMap((one) => {
        const entry = one.state.ledger.get(key) ?? emptyEntry(readKey(key));
        const times = { lo: sinceMs - this.#lifetimeMs, hi: hiMs };
        const later = this.parts.listLater({ entry, open }, times, pending);
        // A setup without an event can also have cleared the entry.
        const cleared = this.#hidesActions && this.#resetsOnRegistration ? [withoutEntries(one, [key])] : [];
        return [...later.map((other) => withEntry(one, other)), ...cleared];
      });
    }
    return results;
  }

  /** Performs a step on each state that differs in what the step can depend on, under each set of rules. */
  #run(before: OpenState, { event, atMs, within, attempts, step, kind, merged, isBefore }: Run): OpenResult {
    const owner = getOwnUser(before.state, ownLogUser);
    const opened = owner.prompts.map(({ attempt }) => attempt);
    const facts = merged ?? { tenant: before.state.tenant, user: owner.user };
    const unknown = this.#listUnknown(before, facts.tenant, event, atMs, isBefore === true);
    const used = [...attempts, ...opened].map((attempt) => ({ ...attempt, nowMs: atMs }));
    const touched = used.reduce(
      (states: readonly OpenState[], attempt) => states.flatMap((one) => this.#touch(one, facts, attempt, unknown)),
      [before],
    );
    const next: OpenState[] = [];
    const rejected: Pick<OwnRejection, 'rule' | 'code'>[] = [];
    const isSplit = (one: OpenState): boolean => {
      if (isKnown(one.past)) return false;
      const [attempt] = attempts;
      const [ruleset] = this.#rules.resolve(one, used, facts, unknown);
      const isPlain = merged !== null && attempt !== undefined && ruleset !== undefined && opened.length === 0;
      return !(isPlain && stopsAnyway({ ...one.state, ruleset }, merged, attempt));
    };
    for (const one of touched.flatMap((state) =>
      isSplit(state)
        ? divideState(this.parts, state, { ruleset: this.#ruleset, facts, attempts: used, atMs })
        : [state],
    )) {
      const learned = learnFacts(one.past.unknown, unknown, kind, rulesAt(this.#ruleset, atMs), this.#facts.isChanging);
      for (const ruleset of this.#rules.resolve(one, used, facts, unknown)) {
        const result = step({ ...one.state, ruleset }, atMs);
        if ('next' in result)
          next.push(...result.next.map((state) => this.#finish(one, state, learned, { atMs, within })));
        else rejected.push(result);
      }
    }
    return { next, rejected };
  }

  /** Lists everything that is unknown at an event besides the ledger: of a fresh user, only draws. */
  #listUnknown(
    { state, past }: OpenState,
    tenant: OwnTenant,
    event: UserEvent,
    atMs: number,
    isBefore: boolean,
  ): ReadonlySet<string> {
    if (past.isFresh) return dependsOnDraw(rulesAt(this.#ruleset, atMs), tenant, atMs) ? draws : nothing;
    const open = [...past.unknown, ...this.#facts.listUnknown(event), ...(isBefore ? this.#attemptPaths : [])];
    return listUnknown(open, state, this.#ruleset, atMs);
  }

  /** Returns the states with the entries of an attempt, of which those that were not used before can be anything. */
  #touch(
    before: OpenState,
    facts: OwnerFacts,
    attempt: OwnAttempt,
    unknown: ReadonlySet<string>,
  ): readonly OpenState[] {
    if (before.past.isFresh) return [before];
    const keys = ledgerKeys({ ...facts, attempt }, rulesAt(this.#ruleset, attempt.nowMs));
    let states: readonly OpenState[] = [before];
    for (const key of keys) {
      const isVague = key.parts.some((part) => isUnknownPart(part, unknown));
      if (before.past.entries.has(key.key) && !isVague) continue;
      const entries = this.parts.listEntries(key, before.past.sinceMs);
      states = states.flatMap((one) => entries.map((entry) => withEntry(one, entry)));
    }
    return states;
  }

  /** Returns the state after a step, with what is still open in it. */
  #finish(
    { state: before, past }: OpenState,
    after: OwnState,
    unknown: ReadonlySet<string>,
    stored: StoredTime,
  ): OpenState {
    const state = { ...after, ruleset: this.#ruleset, ledger: new Map<string, LedgerEntry>() };
    const times = [stored, ...[...past.left.values()].map((within) => ({ atMs: within.hi, within }))];
    const entries = new Map<string, OpenFields>();
    for (const [key, open] of past.entries) {
      entries.set(key, keepOpen(open, before.ledger.get(key), after.ledger.get(key)));
    }
    for (const [key, entry] of after.ledger) {
      const open = { ...entries.get(key), ...openStored(this.parts.fields, before.ledger.get(key), entry, times) };
      entries.set(key, open);
      state.ledger.set(key, this.parts.reduce(withRepresentatives(entry, open), past.isFresh));
    }
    const left = keepLeft(past.left, state, stored);
    const owner = getOwnUser(state, ownLogUser);
    if (this.#hidesActions) owner.user = this.parts.limitPasskeys(owner.user);
    if (past.isFresh) {
      if (!this.#usesSignIns) owner.signInTimesMs.splice(0);
      return { state, past: { ...past, entries, left } };
    }
    owner.ended.clear();
    owner.signInTimesMs.splice(0, owner.signInTimesMs.length - (this.#usesPrevious ? 1 : 0));
    // What a user does on a prompt is as unknown as on one from before the log if all of it is hidden.
    const hidden = this.#hidesActions && this.#facts.isChanging ? owner.prompts : [];
    if (hidden.length === 0) return { state, past: { ...past, entries, left, unknown } };
    const sinceMs = Math.max(past.sinceMs, ...hidden.map(({ shownAtMs }) => shownAtMs));
    const isRecent = sinceMs - past.sinceMs < this.#lifetimeMs;
    const pending = Math.min(openPromptsMax, hidden.length + (isRecent ? past.pending : 0));
    owner.prompts = [];
    return { state, past: { ...past, sinceMs, pending, entries, left: nowhere, unknown } };
  }
}
