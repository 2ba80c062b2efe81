import type { CampaignLimits } from '../../../machines/campaign-limits.ts';
import {
  type NudgeContext,
  type NudgeEvent,
  type nudgeMachine,
  nudgeMachineUnder,
  type OpenPrompt,
} from '../../../machines/nudge.machine.ts';
import { createStepper, type Step } from '../../../machines/step.ts';
import type { NudgeState, TargetedMethod } from '../../../machines/vocabulary.ts';
import { openPromptsMax } from '../../core/limits.ts';

/** Open prompt without its times. */
export interface PromptShape {
  readonly required: boolean;
  readonly phase: OpenPrompt['phase'];
  readonly left: boolean;
}

/** Part of a user's state that does not contain times. Equal shapes are the same object. */
export interface Shape {
  readonly number: number;
  readonly state: NudgeState;
  /** Snooze count, capped at the limit of the ruleset as in the quotient of the machine. */
  readonly count: number;
  /** `true` if a snooze is stored, whether it is running or over. */
  readonly snoozed: boolean;
  /** `true` if the targeted method was registered last. */
  readonly registered: boolean;
  readonly prompts: readonly PromptShape[];
  /** Compiled effects by the code of the stimulus. */
  readonly effects: Map<number, Effect>;
}

/** Event of the machine with everything but its time that decides about its effect. */
export interface Stimulus {
  readonly type: NudgeEvent['type'];
  /** Index of the prompt that the event names. */
  readonly prompt?: number;
  readonly required?: boolean;
  readonly limited: boolean;
  /** `true` if the ruleset demands the registration (OC23). */
  readonly demanded: boolean;
  /** `true` if the stored snooze is running. */
  readonly running: boolean;
  /** Index of the prompt that has expired. */
  readonly due?: number;
  /** Indexes of the closed prompts in the order of closing. */
  readonly order?: readonly number[];
  /** Count that a reset sets, and whether it sets a snooze, which then begins at the time of the effect. */
  readonly count?: number;
  readonly snoozed?: boolean;
}

/** Where the time of a snooze, a prompt or a close comes from after a step. */
export type TimeSource =
  | { readonly from: 'kept' }
  | { readonly from: 'now' }
  | { readonly from: 'none' }
  /** Time at which a prompt was closed or expired; `latest` if an even later snooze prevails. */
  | { readonly from: 'prompt'; readonly prompt: number; readonly latest: boolean };

/** Effect of an event of the machine on the shape, and where the new times come from. */
export interface Effect {
  readonly shape: Shape;
  /** Added snoozes; of a reset, the new count. */
  readonly added: number;
  readonly snooze: TimeSource;
  /** For each prompt that is open now: its index before, or -1 for a new one, and where the time of closing comes from. */
  readonly prompts: readonly { readonly before: number; readonly left: 'kept' | 'now' | 'none' }[];
}

const nowMs = 4_000_000_000_000;
const method: TargetedMethod = 'vendorAuthenticator';

/**
 * Table of the steps of the nudge machine over shapes, compiled on demand: the machine runs once on times that stand for
 * all others of the same order, and the effect tells where each new time comes from. So the rules of the machine are
 * stated only there.
 */
export class LifecycleTable {
  readonly limits: CampaignLimits;
  readonly #step: Step<typeof nudgeMachine>;
  readonly #machine: typeof nudgeMachine;
  readonly #shapes = new Map<string, Shape>();
  readonly #byNumber: Shape[] = [];

  constructor(limits: CampaignLimits) {
    this.limits = limits;
    this.#machine = nudgeMachineUnder(limits);
    this.#step = createStepper(this.#machine, { count: 0, snoozedAtMs: null });
  }

  /** Returns the shape with these parts. */
  intern(parts: Omit<Shape, 'number' | 'effects'>): Shape {
    const { state, snoozed, registered, prompts } = parts;
    const count = Math.min(parts.count, this.limits.snoozeLimit);
    const key = JSON.stringify([state, count, snoozed, registered, prompts]);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const effects = new Map<number, Effect>();
    const shape = { number: this.#shapes.size, state, count, snoozed, registered, prompts, effects };
    this.#shapes.set(key, shape);
    this.#byNumber.push(shape);
    return shape;
  }

  /** Returns the shape with a number. */
  shape(number: number): Shape {
    return this.#byNumber[number] as Shape;
  }

  /** Returns the effect of an event on a shape. */
  step(shape: Shape, stimulus: Stimulus): Effect {
    const code = stimulusCode(stimulus);
    const known = shape.effects.get(code);
    if (known !== undefined) return known;
    const effect = this.#compile(shape, stimulus);
    shape.effects.set(code, effect);
    return effect;
  }

  #compile(shape: Shape, stimulus: Stimulus): Effect {
    const settles = stimulus.type === 'pendingClose.settled' || stimulus.type === 'time.passed';
    const begun = settles ? this.#times().longAgo : stimulus.running ? nowMs - 1 : this.#times().longAgo;
    const from = this.#represent(shape, stimulus, begun);
    const to = this.#run(shape, from, stimulus);
    const snooze = this.#sourceOfSnooze(from, to, settles ? this.#laterSnooze(shape, stimulus) : null);
    const { context } = to;
    return {
      shape: this.intern({
        state: to.state,
        count: context.count,
        snoozed: context.snoozedAtMs !== null,
        registered: context.registered !== null,
        prompts: context.openPrompts.map(({ required, phase, leftAtMs }) => ({
          required,
          phase,
          left: leftAtMs !== null,
        })),
      }),
      added: stimulus.type === 'snooze.set' ? context.count : context.count - from.count,
      snooze,
      prompts: context.openPrompts.map(({ id, leftAtMs }) => {
        const before = from.openPrompts.findIndex((prompt) => prompt.id === id);
        const kept = before >= 0 && from.openPrompts[before]?.leftAtMs === leftAtMs;
        return { before, left: leftAtMs === null ? 'none' : kept ? 'kept' : 'now' };
      }),
    };
  }

  #times(): { readonly longAgo: number; readonly snoozeDays: number } {
    // Long enough for every snooze to be over, and for every stored time to be positive.
    return { longAgo: nowMs - 100 * this.limits.dayMs, snoozeDays: 1 };
  }

  /** Chooses times for a shape in the order that the event states. */
  #represent(shape: Shape, { due = -1, order = [] }: Stimulus, begun: number): NudgeContext {
    const { promptLifetimeMs } = this.limits;
    return {
      count: shape.count,
      snoozedAtMs: shape.snoozed ? begun : null,
      registered: shape.registered ? method : null,
      openPrompts: shape.prompts.map(({ required, phase, left }, index) => ({
        id: `${index}`,
        method,
        required,
        phase,
        shownAtMs: nowMs - (index === due ? promptLifetimeMs : promptLifetimeMs / 2),
        leftAtMs: left ? nowMs - promptLifetimeMs / 4 + 1 + Math.max(0, order.indexOf(index)) : null,
      })),
    };
  }

  /** Returns whether a stored snooze prevails if it began later than what is settled. */
  #laterSnooze(shape: Shape, stimulus: Stimulus): boolean {
    if (!shape.snoozed) return false;
    const from = this.#represent(shape, stimulus, nowMs + 1);
    return this.#run(shape, from, stimulus).context.snoozedAtMs === nowMs + 1;
  }

  #run(
    shape: Shape,
    context: NudgeContext,
    stimulus: Stimulus,
  ): { readonly state: NudgeState; readonly context: NudgeContext } {
    const snapshot = this.#machine.resolveState({ value: shape.state, context });
    const next = this.#step(snapshot, this.#toEvent(stimulus));
    return { state: next.value as NudgeState, context: next.context };
  }

  #toEvent({
    type,
    prompt = -1,
    required = false,
    limited,
    demanded,
    count = 0,
    snoozed = false,
  }: Stimulus): NudgeEvent {
    const policy = { limited, snoozeDays: this.#times().snoozeDays, ...(demanded ? { required: true } : {}) };
    const promptId = prompt < 0 ? 'new' : `${prompt}`;
    return {
      type,
      promptId,
      method,
      required,
      nowMs,
      count,
      snoozedAtMs: snoozed ? nowMs : null,
      ...(type === 'prompt.shown' ? {} : policy),
    } as NudgeEvent;
  }

  #sourceOfSnooze(
    from: NudgeContext,
    { context: { snoozedAtMs } }: { readonly context: NudgeContext },
    latest: boolean | null,
  ): TimeSource {
    if (snoozedAtMs === null) return { from: 'none' };
    if (snoozedAtMs === from.snoozedAtMs) return { from: 'kept' };
    const { promptLifetimeMs } = this.limits;
    const prompt = from.openPrompts.findIndex(
      ({ shownAtMs, leftAtMs }) => (leftAtMs ?? shownAtMs + promptLifetimeMs) === snoozedAtMs,
    );
    // A skip at this moment also starts a snooze now; only settling takes the time of a prompt.
    return latest === null || prompt < 0 ? { from: 'now' } : { from: 'prompt', prompt, latest };
  }
}

const typeCodes: Readonly<Record<NudgeEvent['type'], number>> = {
  'prompt.shown': 0,
  'prompt.nextSelected': 1,
  'prompt.skipped': 2,
  'prompt.resumed': 3,
  'browser.closed': 4,
  'setup.completed': 5,
  'setup.failed': 6,
  'errorScreen.skipped': 7,
  'time.passed': 8,
  'pendingClose.settled': 9,
  'method.registered': 10,
  'method.removed': 11,
  'snooze.set': 12,
};

/** Base of the indexes of prompts in a code; there is one more than the maximum of open prompts. */
const promptBase = openPromptsMax + 2;

/** Returns a number that only equal stimuli have. An order of many closed prompts exceeds it, so it is not compiled once. */
function stimulusCode({
  type,
  prompt = -1,
  required,
  limited,
  demanded,
  running,
  snoozed,
  due = -1,
  order,
  count = 0,
}: Stimulus): number {
  const flags =
    (required === true ? 1 : 0) |
    (limited ? 2 : 0) |
    (demanded ? 4 : 0) |
    (running ? 8 : 0) |
    (snoozed === true ? 16 : 0);
  const which = type === 'snooze.set' ? count : due >= 0 ? due + 1 : prompt + 1;
  const plain = which * 512 + typeCodes[type] * 32 + flags;
  if (order === undefined || order.length <= 1) return plain;
  return order.reduce((code, index) => code * promptBase + index + 1, 0) * 512 + typeCodes[type] * 32 + flags;
}
