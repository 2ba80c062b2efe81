import fc from 'fast-check';
import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import type { TargetedMethod } from '../../machines/vocabulary.ts';
import { hourMs, minuteMs } from './nudge-lifecycle.ts';

/** Action of a user, an administrator or the clock. Prompts are identified by their position among those shown. */
export type Action =
  | { readonly type: 'show'; readonly method: TargetedMethod }
  | { readonly type: 'next' | 'skip' | 'leave' | 'back' | 'complete' | 'fail' | 'skipError'; readonly prompt: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'settle' }
  | { readonly type: 'policy'; readonly limited: boolean; readonly snoozeDays: number }
  | { readonly type: 'registered' | 'removed'; readonly method: TargetedMethod }
  | { readonly type: 'nudgeStatus'; readonly count: number; readonly snoozed: boolean };

/** Effective policy and known state at the time of an action. */
export interface Surroundings {
  readonly nowMs: number;
  readonly limited: boolean;
  readonly snoozeDays: number;
  readonly shown: number;
  readonly count: number;
}

const method = fc.constantFrom<TargetedMethod>('vendorAuthenticator', 'fido2');
const prompt = fc.integer({ min: 0, max: 2 });

/** Waiting times in milliseconds, near the lifetime of a prompt and near whole days. */
const ms = fc.oneof(
  fc.integer({ min: 0, max: 20 * minuteMs }),
  fc.constantFrom(15 * minuteMs - 1, 15 * minuteMs, 15 * minuteMs + 1, 24 * hourMs - 1, 24 * hourMs, 72 * hourMs),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('show' as const), method }) },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constantFrom('next', 'skip', 'skip', 'leave', 'back', 'complete', 'fail', 'skipError'),
      prompt,
    }) as fc.Arbitrary<Action>,
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('wait' as const), ms }) },
  { weight: 2, arbitrary: fc.constant({ type: 'settle' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('policy' as const),
      limited: fc.boolean(),
      snoozeDays: fc.constantFrom(0, 1, 3, 14),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('registered' as const, 'removed' as const), method }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('nudgeStatus' as const),
      count: fc.integer({ min: 0, max: 4 }),
      snoozed: fc.boolean(),
    }),
  },
);

/** Sequences of actions. `prompt` 0 is the latest prompt shown, and 1 is the previous one. */
export const actions: fc.Arbitrary<readonly Action[]> = fc.array(action, { minLength: 1, maxLength: 40, size: 'max' });

/** Returns the event of an action, or `null` if the action is not an event of the machine. */
export function toNudgeEvent(taken: Action, around: Surroundings): NudgeEvent | null {
  const { nowMs, limited, snoozeDays, shown, count } = around;
  const timed = { nowMs, limited, snoozeDays };
  switch (taken.type) {
    case 'show':
      // A1: the rules make the prompt required if the limit is on and three snoozes are used.
      return {
        type: 'prompt.shown',
        promptId: `p${shown}`,
        method: taken.method,
        required: limited && count >= 3,
        nowMs,
      };
    case 'wait':
      return { type: 'time.passed', ...timed, nowMs: nowMs + taken.ms };
    case 'settle':
      return { type: 'pendingClose.settled', ...timed };
    case 'policy':
      return null;
    case 'registered':
      return { type: 'method.registered', method: taken.method };
    case 'removed':
      return { type: 'method.removed', method: taken.method, ...timed };
    case 'nudgeStatus':
      return { type: 'snooze.set', count: taken.count, snoozedAtMs: taken.snoozed ? nowMs : null };
    default:
      return createAnswer(taken.type, `p${shown - 1 - taken.prompt}`, timed);
  }
}

type Answer = Extract<Action, { readonly prompt: number }>['type'];

/** Returns the event of an action at a prompt. */
export function createAnswer(
  answer: Answer,
  promptId: string,
  timed: Pick<Surroundings, 'nowMs' | 'limited' | 'snoozeDays'>,
): NudgeEvent {
  switch (answer) {
    case 'next':
      return { type: 'prompt.nextSelected', promptId };
    case 'skip':
      return { type: 'prompt.skipped', promptId, ...timed };
    case 'leave':
      return { type: 'browser.closed', promptId, nowMs: timed.nowMs };
    case 'back':
      return { type: 'prompt.resumed', promptId };
    case 'complete':
      return { type: 'setup.completed', promptId };
    case 'fail':
      return { type: 'setup.failed', promptId };
    case 'skipError':
      return { type: 'errorScreen.skipped', promptId, ...timed };
  }
}
