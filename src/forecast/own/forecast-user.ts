import type { OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import { type ActionResult, OwnCampaign } from '../../../machines/own/own-campaign.ts';
import type { OwnAttempt } from '../../../machines/own/own-facts.ts';
import { rulesAt } from '../../../machines/own/own-ruleset.ts';
import {
  createOwnState,
  getOwnUser,
  type OwnState,
  type OwnUserState,
  registeredItems,
} from '../../../machines/own/own-state.ts';
import type { NudgeState } from '../../../machines/vocabulary.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import type { OwnAction, OwnPath } from './own-paths.ts';
import type { OwnKind, OwnPlan, OwnSegment, OwnStart } from './own-plan.ts';

/** States that the daily totals count, in column order. An open prompt does not change what came before it. */
export const countedStates = ['notPrompted', 'snoozed', 'registrationRequired', 'registered'] as const;

/** Everything that a simulated user leaves behind between two events. */
export interface UserMemory {
  readonly state: OwnState;
  /** Latest session of each browser. */
  readonly sessions: Map<string, string>;
  /** Number of the kind of each open prompt, by its id. */
  readonly promptKinds: Map<string, number>;
  /** Attempt of the prompt that was turned down last, while the user counts as snoozed. */
  turnedDown: { readonly attempt: OwnAttempt; readonly kind: number } | null;
}

/** One simulated user of a forecast on the campaign itself. */
export class ForecastUser {
  readonly memory: UserMemory;
  readonly #segment: OwnSegment;
  readonly #start: OwnStart;
  readonly #campaign: OwnCampaign;
  /** Number of answers that started a snooze. */
  snoozes = 0;
  #current: OwnAttempt | null = null;

  /** Continues a user, whose memory changes. */
  constructor(segment: OwnSegment, start: OwnStart, memory: UserMemory) {
    this.#segment = segment;
    this.#start = start;
    this.memory = memory;
    this.#campaign = new OwnCampaign(memory.state, (effects) => {
      if (effects.includes('snooze')) this.snoozes += 1;
    });
  }

  /** Creates a user before the first day. */
  static begin({ ruleset, tenant, startMs }: OwnPlan, segment: OwnSegment, start: OwnStart): ForecastUser {
    const state = createOwnState(ruleset, tenant, [{ user: start.user, createdAtMs: start.createdAtMs }], startMs);
    return new ForecastUser(segment, start, { state, sessions: new Map(), promptKinds: new Map(), turnedDown: null });
  }

  /** State of the user in the campaign. */
  get owner(): OwnUserState {
    return getOwnUser(this.memory.state, this.#start.user.id);
  }

  /** Lets time pass, with its effects on open prompts and by editions. */
  passTime(nowMs: number): void {
    this.#perform(() => this.#campaign.passTime(nowMs));
  }

  /** Signs in. The prompt, if there is one, stays open for `act`. */
  signIn(kind: number, nowMs: number): OwnVerdict {
    const plan = this.#segment.kinds[kind] as OwnKind;
    const attempt = this.#createAttempt(plan, nowMs);
    this.#current = attempt;
    this.memory.promptKinds.set(attempt.id, kind);
    const verdict = this.#perform(() => this.#campaign.signIn(this.owner.user.id, attempt));
    this.memory.sessions.set(attempt.browserId, attempt.sessionId);
    this.owner.ended.clear();
    if (verdict.outcome === 'none' || verdict.outcome === 'blocked') this.memory.promptKinds.delete(attempt.id);
    return verdict;
  }

  /** Performs the actions of a path at the prompt of the latest sign-in. */
  act({ actions }: Pick<OwnPath, 'actions'>, nowMs: number): void {
    const attempt = this.#current;
    if (attempt === null) throw new RangeError('The user has not signed in yet.');
    for (const action of actions) {
      const result = this.#perform(() => this.#actOnce(action, attempt, nowMs));
      // What a prompt refuses, the user leaves.
      if (result === 'refused' || result === 'answer-unknown') {
        this.#perform(() => this.#campaign.leave(this.owner.user.id, attempt.id, nowMs));
      }
    }
  }

  /** Returns the state that daily totals count: `snoozed` only as long as an earlier answer keeps the prompt away. */
  stock(nowMs: number): (typeof countedStates)[number] {
    const { status } = this.owner;
    if (status === 'prompted') return 'notPrompted';
    const { turnedDown } = this.memory;
    if (status !== 'snoozed' || turnedDown === null) return status;
    this.owner.lastAttempt = { ...turnedDown.attempt, sessionId: 'later' };
    return this.#campaign.status(this.owner.user.id, nowMs).state === 'snoozed' ? 'snoozed' : 'notPrompted';
  }

  /** Stored nudge state, independent of the clock. */
  get status(): NudgeState {
    return this.owner.status;
  }

  #actOnce(action: OwnAction, attempt: OwnAttempt, nowMs: number): ActionResult {
    const id = this.owner.user.id;
    if (typeof action === 'object') return this.#campaign.answer(id, attempt.id, action.answer, nowMs);
    switch (action) {
      case 'close':
        return this.#campaign.leave(id, attempt.id, nowMs);
      case 'next':
        return this.#campaign.selectNext(id, attempt.id, nowMs);
      case 'fail':
        return this.#campaign.failSetup(id, attempt.id, nowMs);
      case 'skipError':
        return this.#campaign.skipError(id, attempt.id, nowMs);
      case 'complete': {
        const { methods, ask } = rulesAt(this.memory.state.ruleset, nowMs);
        const kind = methods[ask]?.kind ?? 'form';
        const plan = this.#segment.kinds[this.memory.promptKinds.get(attempt.id) ?? 0] as OwnKind;
        const item = kind === 'passkey' ? { passkey: plan.passkey } : registeredItems[kind];
        return this.#campaign.complete(id, attempt.id, item, nowMs);
      }
    }
  }

  /** Performs an event, and notes which prompt was turned down by it. */
  #perform<T>(event: () => T): T {
    const { owner, memory } = this;
    const before = owner.prompts;
    const result = event();
    const gone = before.filter(({ id }) => !owner.prompts.some((open) => open.id === id));
    const last = gone.at(-1);
    if (owner.status !== 'snoozed') memory.turnedDown = null;
    else if (last !== undefined) {
      memory.turnedDown = { attempt: last.attempt, kind: memory.promptKinds.get(last.id) ?? 0 };
    }
    for (const { id } of gone) memory.promptKinds.delete(id);
    return result;
  }

  #createAttempt({ patch, kind, device, browser, sameSession, facts, ids }: OwnKind, nowMs: number): OwnAttempt {
    const { user, prompts } = this.owner;
    const browserId = this.#start.browserIds[browser] ?? browser;
    const id = ids.find((one) => !prompts.some((prompt) => prompt.id === one)) ?? 'sign-in';
    const earlier = this.memory.sessions.get(browserId);
    return {
      ...completeAttempt(patch, user, nowMs),
      deviceId: this.#start.deviceIds[device] ?? device,
      id,
      kind,
      sessionId: sameSession && earlier !== undefined ? earlier : this.#newSession(),
      browserId,
      facts,
    };
  }

  #newSession(): string {
    const { state, sessions } = this.memory;
    const used = new Set([
      ...sessions.values(),
      ...[...state.ledger.values()].flatMap((entry) => entry.sessions),
      ...this.owner.prompts.map(({ attempt }) => attempt.sessionId),
    ]);
    let number = 1;
    while (used.has(`session-${number}`)) number += 1;
    return `session-${number}`;
  }
}
