import type { EffectivePolicy, NudgeEvent } from '../../../machines/nudge.machine.ts';
import type { EffectiveCampaign, NudgeState } from '../../../machines/vocabulary.ts';
import type { Assumption } from '../../contract/comparison.schema.ts';
import { type SandboxModel, shippedModel } from '../../journal/sandbox-model.ts';

/** Effect of an action at a prompt on the nudge status, as defined by the lifecycle. */
export interface AnswerEffect {
  /** Number of added snoozes. */
  readonly counted: number;
  /** `true` if the snooze period starts at the time of the action. */
  readonly startsTimer: boolean;
  readonly registers: boolean;
}

/** Arbitrary time in milliseconds for running the machine; its results depend only on elapsed time. */
const someTimeMs = 1_767_603_600_000;

/**
 * Computes and caches the effects of user actions with the nudge machine. There is one effect for each count up to the
 * limit, prompt type and campaign limit (the quotient of the lifecycle, decision 036).
 */
export class ActionEffects {
  readonly #model: SandboxModel;
  readonly #known = new Map<number, AnswerEffect>();

  constructor(model: SandboxModel = shippedModel) {
    this.#model = model;
  }

  /** Returns the effect of an action for a count, a stored snooze time, the effective campaign and the prompt type. */
  of(
    answer: Assumption,
    nudgeStatus: { readonly count: number; readonly hasTimer: boolean; readonly required: boolean },
    { method, limited, snoozeDays }: EffectiveCampaign,
  ): AnswerEffect {
    const count = Math.min(nudgeStatus.count, countMax);
    // A required prompt refuses a skip, whether the limit or the ruleset demands the registration.
    const bits = [nudgeStatus.hasTimer, nudgeStatus.required, limited, method === 'fido2'];
    const key = bits.reduce((sum, bit) => sum * 2 + (bit ? 1 : 0), count * answers.length + answers.indexOf(answer));
    let effect = this.#known.get(key);
    if (effect === undefined) {
      const policy = { limited, snoozeDays };
      effect = this.#ask(answer, { ...nudgeStatus, count }, { ...policy, method: method ?? 'vendorAuthenticator' });
      this.#known.set(key, effect);
    }
    return effect;
  }

  #ask(
    answer: Assumption,
    { count, hasTimer, required }: { readonly count: number; readonly hasTimer: boolean; readonly required: boolean },
    { method, limited, snoozeDays }: { method: 'vendorAuthenticator' | 'fido2'; limited: boolean; snoozeDays: number },
  ): AnswerEffect {
    const before = hasTimer ? 0 : null;
    const from: NudgeState = hasTimer ? 'snoozed' : 'notPrompted';
    const context = { count, snoozedAtMs: before, openPrompts: [], registered: null };
    let snapshot = this.#model.nudgeSnapshot(from, context);
    const promptId = 'prompt';
    const timed = { nowMs: someTimeMs, limited, snoozeDays, required };
    const events: readonly NudgeEvent[] = [
      { type: 'prompt.shown', promptId, method, required, nowMs: someTimeMs },
      ...listEvents(answer, promptId, timed),
    ];
    for (const event of events) snapshot = this.#model.stepNudge(snapshot, event);
    const after = snapshot.context;
    return {
      counted: after.count - count,
      startsTimer: after.snoozedAtMs === someTimeMs,
      registers: after.registered === method,
    };
  }
}

/** Highest distinguished count: three is the limit, and all higher counts behave the same. */
const countMax = 4;

const answers: readonly Assumption[] = ['skip', 'register', 'close'];

function listEvents(
  answer: Assumption,
  promptId: string,
  timed: EffectivePolicy & { readonly nowMs: number },
): readonly NudgeEvent[] {
  switch (answer) {
    case 'skip':
      return [{ type: 'prompt.skipped', promptId, ...timed }];
    case 'register':
      return [
        { type: 'prompt.nextSelected', promptId },
        { type: 'setup.completed', promptId },
      ];
    case 'close':
      return [
        { type: 'browser.closed', promptId, nowMs: timed.nowMs },
        { type: 'pendingClose.settled', ...timed },
      ];
  }
}
