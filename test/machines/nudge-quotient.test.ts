import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import { type NudgeQuotient, nudgeQuotient, type PromptQuotient } from '../../machines/nudge-quotient.ts';
import { nudgeStates, type TargetedMethod } from '../../machines/vocabulary.ts';
import { findDifference } from './difference.ts';
import { createAnswer } from './nudge-actions.ts';
import { dayMs, minuteMs, type NudgeSnapshot, nudgeSnapshot, openPrompt, stepNudge } from './nudge-lifecycle.ts';
import { expectAlways, expectFoundOut } from './property.ts';

const nowMs = 100 * dayMs;
const lifetimeMs = 15 * minuteMs;
const methods: readonly TargetedMethod[] = ['vendorAuthenticator', 'fido2'];

/** Details that a quotient omits: snoozes beyond three, and offsets within a day or the lifetime of a prompt. */
interface Detail {
  readonly extraCount: number;
  readonly ofDayMs: number;
  readonly extraDays: number;
  /** Age of each open prompt in milliseconds, oldest first. */
  readonly agesMs: readonly number[];
  /** Time from showing to closing a prompt, in thousandths of its age. */
  readonly leftAfter: number;
}

/** Event that is possible now, or a wait of whole days. */
type Happening =
  | { readonly type: 'wait'; readonly days: number }
  | { readonly type: 'shown'; readonly required: boolean; readonly method: TargetedMethod }
  | { readonly type: 'nudgeStatus'; readonly count: number; readonly days: number | null }
  | { readonly type: 'registered' | 'removed'; readonly method: TargetedMethod }
  | { readonly type: 'settled' }
  | {
      readonly type: 'next' | 'skip' | 'leave' | 'back' | 'complete' | 'fail' | 'skipError';
      readonly index: number;
    };

interface Policy {
  readonly limited: boolean;
  readonly snoozeDays: number;
}

const promptQuotient: fc.Arbitrary<PromptQuotient> = fc.record({
  method: fc.constantFrom(...methods),
  required: fc.boolean(),
  phase: fc.constantFrom('offered', 'setup', 'error'),
  left: fc.boolean(),
});

const quotients: fc.Arbitrary<NudgeQuotient> = fc.record({
  state: fc.constantFrom(...nudgeStates),
  count: fc.integer({ min: 0, max: 3 }),
  daysElapsed: fc.option(fc.integer({ min: 0, max: 14 })),
  openPrompts: fc.array(promptQuotient, { maxLength: 3 }),
  registered: fc.option(fc.constantFrom(...methods)),
});

const details: fc.Arbitrary<Detail> = fc.record({
  extraCount: fc.integer({ min: 0, max: 4 }),
  ofDayMs: fc.oneof(fc.constantFrom(0, 1, dayMs - lifetimeMs, dayMs - 1), fc.integer({ min: 0, max: dayMs - 1 })),
  extraDays: fc.integer({ min: 0, max: 30 }),
  agesMs: fc
    .array(fc.integer({ min: 0, max: lifetimeMs - 1 }), { minLength: 3, maxLength: 3 })
    .map((ages) => ages.toSorted((a, b) => b - a)),
  leftAfter: fc.integer({ min: 0, max: 1000 }),
});

const index = fc.integer({ min: 0, max: 3 });
const happenings: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ type: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 14 }) }),
  fc.record({
    type: fc.constant('shown' as const),
    required: fc.boolean(),
    method: fc.constantFrom(...methods),
  }),
  fc.record({
    type: fc.constant('nudgeStatus' as const),
    count: fc.integer({ min: 0, max: 4 }),
    days: fc.option(fc.integer({ min: 0, max: 15 })),
  }),
  fc.record({ type: fc.constantFrom('registered' as const, 'removed' as const), method: fc.constantFrom(...methods) }),
  fc.constant({ type: 'settled' as const }),
  fc.record({
    type: fc.constantFrom('next', 'skip', 'leave', 'back', 'complete', 'fail', 'skipError'),
    index,
  }),
);

const policies: fc.Arbitrary<Policy> = fc.record({
  limited: fc.boolean(),
  snoozeDays: fc.integer({ min: 0, max: 14 }),
});

/** Creates a snapshot of the machine with the given quotient. */
function concrete(
  quotient: NudgeQuotient,
  { extraCount, ofDayMs, extraDays, agesMs, leftAfter }: Detail,
): NudgeSnapshot {
  const { state, count, daysElapsed, openPrompts, registered } = quotient;
  const wholeDays = daysElapsed === 14 ? 14 + extraDays : daysElapsed;
  return nudgeSnapshot(state, {
    count: count === 3 ? count + extraCount : count,
    snoozedAtMs: wholeDays === null ? null : nowMs - wholeDays * dayMs - ofDayMs,
    registered,
    openPrompts: openPrompts.map(({ left, ...prompt }, position) => {
      const ageMs = agesMs[position] ?? 0;
      const shownAtMs = nowMs - ageMs;
      return openPrompt(`p${position}`, {
        ...prompt,
        shownAtMs,
        leftAtMs: left ? shownAtMs + Math.floor((ageMs * leftAfter) / 1000) : null,
      });
    }),
  });
}

function createEvent(happening: Happening, policy: Policy): NudgeEvent {
  const timed = { nowMs, ...policy };
  switch (happening.type) {
    case 'wait':
      return { type: 'time.passed', ...timed, nowMs: nowMs + happening.days * dayMs };
    case 'shown':
      return { type: 'prompt.shown', promptId: 'p9', method: happening.method, required: happening.required, nowMs };
    case 'nudgeStatus': {
      const snoozedAtMs = happening.days === null ? null : nowMs - happening.days * dayMs;
      return { type: 'snooze.set', count: happening.count, snoozedAtMs };
    }
    case 'registered':
      return { type: 'method.registered', method: happening.method };
    case 'removed':
      return { type: 'method.removed', method: happening.method, ...timed };
    case 'settled':
      return { type: 'pendingClose.settled', ...timed };
    default:
      return createAnswer(happening.type, `p${happening.index}`, timed);
  }
}

/** Returns the quotient after a step. */
function quotientAfter(snapshot: NudgeSnapshot, happening: Happening, policy: Policy): NudgeQuotient {
  const next = stepNudge(snapshot, createEvent(happening, policy));
  const laterMs = happening.type === 'wait' ? nowMs + happening.days * dayMs : nowMs;
  return nudgeQuotient(next.value as NudgeQuotient['state'], next.context, laterMs);
}

type Blur = (quotient: NudgeQuotient) => unknown;
type Differ = (quotient: NudgeQuotient) => NudgeQuotient;

const pairs = fc.record({ quotient: quotients, one: details, other: details, happening: happenings, policy: policies });

/**
 * Returns whether any two lifecycles with the same quotient also have the same quotient after the same step. `blur`
 * makes the quotient coarser for a canary, and `differ` distinguishes two quotients by the details that a quotient
 * omits.
 */
function isWellDefined(blur: Blur = (quotient) => quotient, differ: Differ = (quotient) => quotient) {
  return ({
    quotient,
    one,
    other,
    happening,
    policy,
  }: typeof pairs extends fc.Arbitrary<infer T> ? T : never): string | null => {
    const first = quotientAfter(concrete(quotient, one), happening, policy);
    const second = quotientAfter(concrete(differ(quotient), other), happening, policy);
    return findDifference(blur(first), blur(second));
  };
}

describe('Quotient of the nudge lifecycle', () => {
  test('A1 to A48: a lifecycle created from a quotient has that quotient', () => {
    expectAlways(
      fc.record({ quotient: quotients, detail: details }),
      ({ quotient, detail }) => {
        const { value, context } = concrete(quotient, detail);
        const { state, count, daysElapsed, openPrompts, registered } = quotient;
        const prompts = openPrompts.map(({ method, required, phase, left }) => ({ method, required, phase, left }));
        const ordered = { state, count, daysElapsed, openPrompts: prompts, registered };
        return findDifference(nudgeQuotient(value as NudgeQuotient['state'], context, nowMs), ordered);
      },
      1000,
    );
  });

  test('A1 to A48: its next value depends only on the quotient, the event and the policy', () => {
    expectAlways(pairs, isWellDefined(), 6000);
  });

  test('A6: time before the start of the snooze, after a clock is set back, is zero elapsed days', () => {
    const { context } = nudgeSnapshot('snoozed', { count: 1, snoozedAtMs: nowMs + 5 * dayMs });
    expect(nudgeQuotient('snoozed', context, nowMs).daysElapsed).toBe(0);
  });

  test.for([
    [dayMs - 1, 0],
    [dayMs, 1],
    [14 * dayMs - 1, 13],
    [14 * dayMs, 14],
    [40 * dayMs, 14],
  ] as const)('A6: %i ms elapsed are %i whole days, limited to fourteen', ([elapsedMs, days]) => {
    const { context } = nudgeSnapshot('snoozed', { count: 1, snoozedAtMs: nowMs - elapsedMs });
    expect(nudgeQuotient('snoozed', context, nowMs).daysElapsed).toBe(days);
  });

  /** Coarser quotients that each omit one relevant detail. The property must detect all of them. */
  const canaries: readonly {
    readonly id: string;
    readonly blur: Blur;
    readonly differ: Differ;
  }[] = [
    {
      id: 'the count ends at two',
      blur: (quotient) => ({ ...quotient, count: Math.min(quotient.count, 2) }),
      differ: (quotient) => ({ ...quotient, count: quotient.count === 2 ? 3 : quotient.count }),
    },
    {
      id: 'days are left out',
      blur: ({ daysElapsed: _days, ...quotient }) => quotient,
      differ: (quotient) => ({ ...quotient, daysElapsed: 14 - (quotient.daysElapsed ?? 0) }),
    },
    {
      id: 'the phase of prompts is left out',
      blur: (quotient) => ({
        ...quotient,
        openPrompts: quotient.openPrompts.map(({ phase: _phase, ...rest }) => rest),
      }),
      differ: (quotient) => ({
        ...quotient,
        openPrompts: quotient.openPrompts.map((prompt) => ({ ...prompt, phase: 'error' as const })),
      }),
    },
    {
      id: 'required prompts are not told apart',
      blur: (quotient) => ({
        ...quotient,
        openPrompts: quotient.openPrompts.map(({ required: _required, ...rest }) => rest),
      }),
      differ: (quotient) => ({
        ...quotient,
        openPrompts: quotient.openPrompts.map((prompt) => ({ ...prompt, required: !prompt.required })),
      }),
    },
    {
      id: 'unload beacons are left out',
      blur: (quotient) => ({ ...quotient, openPrompts: quotient.openPrompts.map(({ left: _left, ...rest }) => rest) }),
      differ: (quotient) => ({
        ...quotient,
        openPrompts: quotient.openPrompts.map((prompt) => ({ ...prompt, left: !prompt.left })),
      }),
    },
    {
      id: 'the registered method is left out',
      blur: ({ registered: _registered, ...quotient }) => quotient,
      differ: (quotient) => ({ ...quotient, registered: quotient.registered === 'fido2' ? null : 'fido2' }),
    },
  ];

  test.for(canaries)('A1 canary: a quotient is detected in which $id', ({ blur, differ }) => {
    expectFoundOut(pairs, isWellDefined(blur, differ), 6000);
  });
});
