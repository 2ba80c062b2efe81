import { signInMachine } from '../../../machines/sign-in.machine.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import { openPromptsMax } from '../../core/limits.ts';
import type { Hypothesis, PromptTimes } from './hypothesis.ts';
import { type Effect, LifecycleTable, type PromptShape, type Stimulus } from './lifecycle-table.ts';
import type { UserEvent } from './log-event.ts';
import { type Collect, compareVerdict, type Rejection, type SignInKind } from './rejection.ts';
import { type Force, isDemanded, type RulesInForce } from './rules-in-force.ts';

/** Hypothesis at a time within an interval. */
export interface Situation {
  readonly h: Hypothesis;
  readonly lo: number;
  readonly hi: number;
  /** `true` if a prompt expired since the event before. */
  readonly expired: boolean;
}

/** What a step depends on besides its kind and time. */
export type StepEvent = Pick<UserEvent, 'prompt' | 'variant' | 'sets'>;

/** What steps lead to. */
export interface StepResults {
  readonly found: Hypothesis[];
  /** Receives the reasons of impossible steps; `null` if they are not needed. */
  readonly rejected: Collect;
}

/** Event of the machine, and the rule that a rejection names, of each kind that a user does on a prompt. */
const actions = {
  'next-selected': { type: 'prompt.nextSelected', rule: 'A11' },
  skipped: { type: 'prompt.skipped', rule: 'R5' },
  'skip-rejected': { type: 'prompt.skipped', rule: 'A1' },
  closed: { type: 'browser.closed', rule: 'R9' },
  resumed: { type: 'prompt.resumed', rule: 'A41' },
  registered: { type: 'setup.completed', rule: 'A11' },
  'setup-failed': { type: 'setup.failed', rule: 'R11.8' },
  'error-skipped': { type: 'errorScreen.skipped', rule: 'A12' },
} as const;
type ActionKind = keyof typeof actions;

/** Checks whether an event is something that a user does on an open prompt. */
export function isAction(kind: LogEventKind): kind is ActionKind {
  return Object.hasOwn(actions, kind);
}

/** Settings of the steps. */
interface StepOptions {
  /** `true` if "Next" is not in the log, so a prompt may have led to its setup pages. */
  readonly hidesNext: boolean;
  readonly exactCounts: boolean;
}

/** Steps of one user under rules in force: what the machine and the rules allow, for times within intervals. */
export class UserSteps {
  readonly lifecycle: LifecycleTable;
  readonly #rules: RulesInForce;
  readonly #options: StepOptions;
  readonly #pages = new Map<string, boolean>();

  constructor(rules: RulesInForce, options: StepOptions) {
    this.#rules = rules;
    this.#options = options;
    this.lifecycle = new LifecycleTable(rules.ruleset.limits);
  }

  /** Expires the prompts whose lifetime is over, each at its own end (A40). A prompt that may be over gives two results. */
  expire(situation: Situation, out: Situation[], from = 0): void {
    const { h, lo, hi } = situation;
    const prompt = h.prompts[from];
    if (prompt === undefined) {
      out.push(situation);
      return;
    }
    const { promptLifetimeMs } = this.lifecycle.limits;
    const endLo = prompt.shownLo + promptLifetimeMs;
    const endHi = prompt.shownHi + promptLifetimeMs;
    if (lo < endHi) {
      const shownLo = Math.max(prompt.shownLo, lo - promptLifetimeMs + 1);
      const open = shownLo === prompt.shownLo ? h : withPrompt(h, from, { ...prompt, shownLo });
      const still = { ...situation, h: open, hi: Math.min(hi, endHi - 1) };
      // Prompts expire in the order in which they were shown, so none after one that may be open has to be tried apart.
      if (hi >= endLo) out.push(still);
      else this.expire(still, out, from + 1);
    }
    if (hi < endLo) return;
    const shownHi = Math.min(prompt.shownHi, hi - promptLifetimeMs);
    const due = shownHi === prompt.shownHi ? h : withPrompt(h, from, { ...prompt, shownHi });
    const until = Math.min(endHi, hi);
    for (const force of this.#rules.during(endLo, until)) {
      const { limited } = force.campaign;
      const demanded = isDemanded(due, force);
      const stimulus: Stimulus = { type: 'time.passed', due: from, limited, demanded, running: false };
      const next = this.apply(due, stimulus, { lo: endLo, hi: until, fromMs: h.fromMs, promptId: null });
      this.expire({ h: next, lo: Math.max(lo, endLo), hi, expired: true }, out, from);
    }
  }

  /** Tries a kind of event in a situation. Adds the hypotheses after it, or the reason why it is impossible. */
  attempt(situation: Situation, kind: LogEventKind, event: StepEvent, force: Force, results: StepResults): void {
    if (isAction(kind)) {
      this.#act(situation, kind, event, force, results);
      return;
    }
    const { limited } = force.campaign;
    switch (kind) {
      case 'signed-in':
        for (const { h, lo } of this.#settle(situation, force)) results.found.push(since(h, lo));
        return;
      case 'prompt-skippable':
      case 'prompt-required':
      case 'not-prompted':
      case 'blocked':
        for (const one of this.#settle(situation, force)) this.#signIn(one, kind, event, force, results);
        return;
      case 'skip-ignored':
        if (listTargets(situation.h, event.prompt).length === 0) results.found.push(since(situation.h, situation.lo));
        else results.rejected?.push({ rule: 'A27', code: 'prompt-still-open', hypothesis: situation.h });
        return;
      case 'registered-elsewhere':
        results.found.push(
          this.#move(situation, { type: 'method.registered', limited, demanded: false, running: false }),
        );
        return;
      case 'method-removed':
        for (const { running, ...one } of this.#divide(situation, force)) {
          results.found.push(this.#move(one, { type: 'method.removed', limited, demanded: false, running }));
        }
        return;
      case 'reset':
        results.found.push(this.#reset(situation, event, limited));
        return;
    }
  }

  /** Settles the closed prompts of a user, as the next sign-in does (A41). */
  #settle(situation: Situation, force: Force): readonly Situation[] {
    const { h, lo, hi } = situation;
    if (h.prompts.length === 0) return [situation];
    const left = h.shape.prompts.flatMap((prompt, at) => (prompt.left ? [at] : []));
    if (left.length === 0) return [situation];
    const { limited } = force.campaign;
    const demanded = isDemanded(h, force);
    return listOrders(left, h.prompts).map((order) => {
      const stimulus: Stimulus = { type: 'pendingClose.settled', order, limited, demanded, running: false };
      return { ...situation, h: this.apply(h, stimulus, { lo, hi, fromMs: h.fromMs, promptId: null }) };
    });
  }

  #reset({ h, lo, hi }: Situation, { sets }: StepEvent, limited: boolean): Hypothesis {
    const { count = 0, snoozedAtMs = null } = sets ?? {};
    const snoozed = snoozedAtMs !== null;
    const stimulus: Stimulus = { type: 'snooze.set', count, snoozed, limited, demanded: false, running: false };
    return this.apply(h, stimulus, { lo: snoozedAtMs ?? lo, hi: snoozedAtMs ?? hi, fromMs: lo, promptId: null });
  }

  #move({ h, lo, hi }: Situation, stimulus: Stimulus): Hypothesis {
    return this.apply(h, stimulus, { lo, hi, fromMs: lo, promptId: null });
  }

  /** Divides a situation by whether the stored snooze is running (R5, A6). */
  #divide(situation: Situation, { campaign }: Force): readonly (Situation & { readonly running: boolean })[] {
    const { h, lo, hi, expired } = situation;
    if (!h.shape.snoozed) return [{ h, lo, hi, expired, running: false }];
    const durationMs = campaign.snoozeDays * this.lifecycle.limits.dayMs;
    if (durationMs === 0) return [{ h, lo, hi, expired, running: false }];
    const found: (Situation & { readonly running: boolean })[] = [];
    if (lo - h.snoozeHi < durationMs) {
      const snoozeLo = Math.max(h.snoozeLo, lo - durationMs + 1);
      const running = snoozeLo === h.snoozeLo ? h : { ...h, snoozeLo };
      found.push({ h: running, lo, hi: Math.min(hi, h.snoozeHi + durationMs - 1), expired, running: true });
    }
    if (hi - h.snoozeLo >= durationMs) {
      const snoozeHi = Math.min(h.snoozeHi, hi - durationMs);
      const over = snoozeHi === h.snoozeHi ? h : { ...h, snoozeHi };
      found.push({ h: over, lo: Math.max(lo, h.snoozeLo + durationMs), hi, expired, running: false });
    }
    return found;
  }

  #signIn(situation: Situation, kind: SignInKind, event: StepEvent, force: Force, results: StepResults): void {
    for (const { h, lo, hi, running } of this.#divide(situation, force)) {
      const { count, shape } = h;
      const { snoozed, registered } = shape;
      const verdict = force.verdicts.evaluate(force.settings, event.variant, { count, snoozed, running, registered });
      const problem = compareVerdict(kind, verdict, snoozed);
      if (problem !== null) results.rejected?.push({ ...problem, hypothesis: h });
      else if (kind === 'not-prompted' || kind === 'blocked') results.found.push(since(h, lo));
      else if (h.prompts.length >= openPromptsMax) {
        results.rejected?.push({ rule: 'A26', code: 'too-many-prompts', hypothesis: h });
      } else {
        const required = kind === 'prompt-required';
        const { limited } = force.campaign;
        const stimulus: Stimulus = { type: 'prompt.shown', required, limited, demanded: verdict.demanded, running };
        results.found.push(this.apply(h, stimulus, { lo, hi, fromMs: lo, promptId: event.prompt }));
      }
    }
  }

  /** Performs what a user does on an open prompt. Without an id, it may be any of them. */
  #act(situation: Situation, kind: ActionKind, event: StepEvent, force: Force, results: StepResults): void {
    const { h } = situation;
    const targets = listTargets(h, event.prompt);
    if (targets.length === 0) results.rejected?.push(noPrompt(situation));
    const { type, rule } = actions[kind];
    for (const prompt of targets) {
      const from = this.#withPage(situation, prompt, type, force);
      if (from === null) {
        results.rejected?.push({ rule, code: 'page-not-open', hypothesis: h });
        continue;
      }
      const { limited } = force.campaign;
      const demanded = isDemanded(h, force);
      const divided = kind === 'error-skipped' ? this.#divide(from, force) : [{ ...from, running: false }];
      for (const { running, ...one } of divided) {
        const stimulus: Stimulus = { type, prompt, limited, demanded, running };
        const isRefused = type === 'prompt.skipped' && this.lifecycle.step(one.h.shape, stimulus).added === 0;
        if (type === 'prompt.skipped' && isRefused !== (kind === 'skip-rejected')) {
          results.rejected?.push({ rule: 'R6', code: isRefused ? 'skip-not-allowed' : 'skip-allowed', hypothesis: h });
        } else results.found.push(this.#move(one, stimulus));
      }
    }
  }

  /** Returns the situation on a page with an action: as it is, or after a "Next" that the log hides. */
  #withPage(situation: Situation, prompt: number, type: string, force: Force): Situation | null {
    const shape = situation.h.shape.prompts[prompt] as PromptShape;
    if (this.#isOnPage(shape, type)) return situation;
    if (!this.#options.hidesNext || !this.#isOnPage({ ...shape, phase: 'setup' }, type)) return null;
    const { limited } = force.campaign;
    const next: Stimulus = { type: 'prompt.nextSelected', prompt, limited, demanded: false, running: false };
    return { ...situation, h: this.#move(situation, next) };
  }

  /** Checks whether the page of a prompt has an action, by the sign-in machine. */
  #isOnPage({ phase, required }: PromptShape, type: string): boolean {
    // Closing and coming back are no actions of a page: every page can be closed and opened again.
    if (type === 'browser.closed' || type === 'prompt.resumed') return true;
    const screen = phase === 'setup' ? 'setup' : phase === 'error' ? 'errorScreen' : required ? 'required' : 'prompt';
    const key = `${screen} ${type}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const snapshot = signInMachine.resolveState({ value: screen, context: { pending: [], required } });
    const isOnPage = snapshot.can({ type, refused: false } as never);
    this.#pages.set(key, isOnPage);
    return isOnPage;
  }

  /** Applies an event of the machine at a time within an interval. */
  apply(
    h: Hypothesis,
    stimulus: Stimulus,
    at: { readonly lo: number; readonly hi: number; readonly fromMs: number; readonly promptId: string | null },
  ): Hypothesis {
    const { lo, hi, fromMs, promptId } = at;
    const effect = this.lifecycle.step(h.shape, stimulus);
    const { shape, added } = effect;
    const [snoozeLo, snoozeHi] = this.#snoozeAfter(h, effect, lo, hi);
    const raw = stimulus.type === 'snooze.set' ? added : h.count + added;
    const count = this.#options.exactCounts ? raw : Math.min(raw, this.lifecycle.limits.snoozeLimit);
    const prompts =
      effect.prompts.length === 0
        ? noPrompts
        : effect.prompts.map(({ before, left }): PromptTimes => {
            const known = h.prompts[before];
            if (known === undefined) return { id: promptId, shownLo: lo, shownHi: hi, leftLo: 0, leftHi: 0 };
            return left === 'now' ? { ...known, leftLo: lo, leftHi: hi } : known;
          });
    const isCountOpen = h.isCountOpen && stimulus.type !== 'snooze.set';
    return { shape, count, isCountOpen, snoozeLo, snoozeHi, prompts, fromMs, missing: h.missing };
  }

  #snoozeAfter(h: Hypothesis, { snooze }: Effect, lo: number, hi: number): readonly [number, number] {
    if (snooze.from === 'none') return [0, 0];
    if (snooze.from === 'kept') return [h.snoozeLo, h.snoozeHi];
    if (snooze.from === 'now') return [lo, hi];
    const { promptLifetimeMs } = this.lifecycle.limits;
    const prompt = h.prompts[snooze.prompt] as PromptTimes;
    const isLeft = h.shape.prompts[snooze.prompt]?.left === true;
    const beganLo = isLeft ? prompt.leftLo : prompt.shownLo + promptLifetimeMs;
    const beganHi = Math.min(hi, isLeft ? prompt.leftHi : prompt.shownHi + promptLifetimeMs);
    if (!snooze.latest) return [beganLo, beganHi];
    return [Math.max(beganLo, h.snoozeLo), Math.max(beganHi, h.snoozeHi)];
  }
}

const noPrompts: readonly PromptTimes[] = [];

function since(h: Hypothesis, fromMs: number): Hypothesis {
  return h.fromMs === fromMs ? h : { ...h, fromMs };
}

function noPrompt({ h, expired }: Situation): Rejection {
  if (expired) return { rule: 'A40', code: 'prompt-expired', hypothesis: h };
  return { rule: h.shape.registered ? 'A27' : 'A26', code: 'no-prompt-open', hypothesis: h };
}

function withPrompt(h: Hypothesis, at: number, prompt: PromptTimes): Hypothesis {
  return { ...h, prompts: h.prompts.map((one, index) => (index === at ? prompt : one)) };
}

/** Returns the indexes of the open prompts that an event can mean. */
export function listTargets({ prompts }: Hypothesis, promptId: string | null): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < prompts.length; at += 1) {
    const id = prompts[at]?.id ?? null;
    if (promptId === null || id === null || id === promptId) found.push(at);
  }
  return found;
}

/** Closed prompts that overlap in time are tried in every order up to this number. */
const permutedMax = 3;

/** Returns the orders in which closed prompts may have been closed. */
function listOrders(left: readonly number[], prompts: readonly PromptTimes[]): readonly (readonly number[])[] {
  if (left.length === 1) return [left];
  const at = (index: number): PromptTimes => prompts[index] as PromptTimes;
  const sorted = left.toSorted((a, b) => at(a).leftLo - at(b).leftLo || at(a).leftHi - at(b).leftHi);
  const overlaps = sorted.some(
    (index, place) => place > 0 && at(index).leftLo <= at(sorted[place - 1] as number).leftHi,
  );
  return overlaps && left.length <= permutedMax ? permutations(sorted) : [sorted];
}

function permutations(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length <= 1) return [of];
  return of.flatMap((first) => permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}
