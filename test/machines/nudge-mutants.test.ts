import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign } from 'xstate';
import { type NudgeContext, type NudgeEvent, nudgeMachine, promptEndsAtMs } from '../../machines/nudge.machine.ts';
import { actions } from './nudge-actions.ts';
import { auditorDiffers, play } from './nudge-run.ts';
import { propertySeed } from './property.ts';

interface Given {
  readonly context: NudgeContext;
  readonly event: NudgeEvent;
}

type Change = (given: Given) => Partial<NudgeContext>;

const runs = fc.sample(actions, { seed: propertySeed, numRuns: 1500 });

/** Machine with one of its named guards or actions replaced. */
interface Mutant {
  readonly id: string;
  readonly guards?: Readonly<Record<string, (given: Given) => boolean>>;
  readonly actions?: Readonly<Record<string, Change>>;
}

function createMachine({ guards = {}, actions: changes = {} }: Mutant): typeof nudgeMachine {
  const replaced = Object.entries(changes).map(([name, change]) => [name, assign((given: Given) => change(given))]);
  return nudgeMachine.provide({ guards, actions: Object.fromEntries(replaced) } as never);
}

/** Returns whether the auditor detects the faulty machine in any of the runs. */
function isKilled(mutant: Mutant): boolean {
  const machine = createMachine(mutant);
  return runs.some((taken) => auditorDiffers(play(taken, undefined, machine)) !== null);
}

function limitedIn(event: NudgeEvent): boolean {
  return 'limited' in event && event.limited;
}

function without({ context, event }: Given): NudgeContext['openPrompts'] {
  return context.openPrompts.filter(({ id }) => !('promptId' in event) || id !== event.promptId);
}

function getNowMs(event: NudgeEvent): number {
  return 'nowMs' in event ? event.nowMs : 0;
}

const nothing: Change = () => ({});

const mutants: readonly Mutant[] = [
  {
    id: 'R6: the fourth skip is taken',
    guards: { skipIsRefused: ({ context, event }) => limitedIn(event) && context.count >= 4 },
  },
  {
    id: 'R6: the third skip is refused',
    guards: { skipIsRefused: ({ context, event }) => limitedIn(event) && context.count >= 2 },
  },
  { id: 'A4: the limit holds when it is off', guards: { skipIsRefused: ({ context }) => context.count >= 3 } },
  { id: 'A1: no skip is refused', guards: { skipIsRefused: () => false } },
  { id: 'A26: an answered prompt is answered again', guards: { promptIsUnknown: () => false } },
  { id: 'A26: no prompt is known', guards: { promptIsUnknown: () => true } },
  { id: 'A1: no prompt is shown as required', guards: { promptIsRequired: () => false } },
  { id: 'A41: nothing is ever settled', guards: { nothingToSettle: () => true } },
  { id: 'A38: settling nothing moves the state', guards: { nothingToSettle: () => false } },
  { id: 'A38: what settles with a count is no snooze', guards: { settlingCounts: () => false } },
  { id: 'A10: whatever settles is a snooze', guards: { settlingCounts: () => true } },
  { id: 'A44: a snooze always runs', guards: { snoozeIsRunning: () => true } },
  { id: 'A44: a snooze never runs', guards: { snoozeIsRunning: () => false } },
  {
    id: 'A44: a snooze runs for a day, whatever the policy says',
    guards: {
      snoozeIsRunning: ({ context, event }) =>
        context.snoozedAtMs !== null && getNowMs(event) - context.snoozedAtMs < 86_400_000,
    },
  },
  { id: 'A38: no other prompt is seen', guards: { anotherPromptIsOpen: () => false } },
  { id: 'A38: another prompt is always seen', guards: { anotherPromptIsOpen: () => true } },
  { id: 'A38: deleting any method deletes the registered one', guards: { anotherMethodWasRemoved: () => false } },
  { id: 'A38: no method is ever the registered one', guards: { anotherMethodWasRemoved: () => true } },
  { id: 'A3: a nudge status without a snooze is snoozed', guards: { recordSaysSnoozed: () => true } },
  { id: 'A3: a nudge status with a snooze is not snoozed', guards: { recordSaysSnoozed: () => false } },
  {
    id: 'R5: a skip starts no timer',
    actions: { countSkip: (given) => ({ count: given.context.count + 1, openPrompts: without(given) }) },
  },
  {
    id: 'R6: a skip counts twice',
    actions: {
      countSkip: (given) => ({
        count: given.context.count + 2,
        snoozedAtMs: getNowMs(given.event),
        openPrompts: without(given),
      }),
    },
  },
  {
    id: 'A26: a skipped prompt stays open',
    actions: {
      countSkip: ({ context, event }) => ({ count: context.count + 1, snoozedAtMs: getNowMs(event) }),
    },
  },
  {
    id: 'A26: a prompt that is shown hides the others',
    actions: {
      openPrompt: ({ event }) => ({
        openPrompts:
          event.type === 'prompt.shown'
            ? [{ id: event.promptId, ...event, phase: 'offered', shownAtMs: event.nowMs, leftAtMs: null }]
            : [],
      }),
    },
  },
  { id: 'A41: coming back withdraws nothing', actions: { withdrawLeaveMark: nothing } },
  { id: 'A41: leaving marks nothing', actions: { markAsLeft: nothing } },
  { id: 'A10: the error screen is not noted', actions: { showErrorScreen: nothing } },
  { id: 'A11: trying again is not noted', actions: { beginSetup: nothing } },
  { id: 'A42: a refused skip leaves the prompt skippable', actions: { insistOnRegistration: nothing } },
  { id: 'A12: the error screen’s skip leaves the prompt open', actions: { closePrompt: nothing } },
  {
    id: 'A27: registering leaves other prompts open',
    actions: { resolveAsRegistered: (given) => ({ openPrompts: without(given) }) },
  },
  {
    id: 'A3: registering resets the count',
    actions: { resolveAsRegistered: () => ({ openPrompts: [], count: 0 }) },
  },
  { id: 'A3: setting the nudge status does nothing', actions: { setSnooze: nothing } },
  {
    id: 'A41: what settles is snoozed from the settling on',
    actions: {
      settlePrompts: ({ context, event }) => ({
        count: context.count + 1,
        snoozedAtMs: getNowMs(event),
        openPrompts: context.openPrompts.filter((prompt) => promptEndsAtMs(prompt) > getNowMs(event)),
      }),
    },
  },
  {
    id: 'A3: deleting a method resets the count',
    actions: { forgetRegistration: () => ({ registered: null, count: 0 }) },
  },
];

describe('Faulty nudge machines', () => {
  test('R6: the original machine survives', () => {
    expect(isKilled({ id: 'no fault' })).toBe(false);
  });

  test('R6: every guard and every action of the machine has a mutant, and every mutant replaces an existing one', () => {
    const replaced = mutants.flatMap(({ guards, actions: changes }) => Object.keys({ ...guards, ...changes }));
    const { guards, actions: named } = nudgeMachine.implementations;
    expect([...new Set(replaced)].sort()).toEqual([...Object.keys(guards), ...Object.keys(named)].sort());
  });

  test.for(mutants)('$id: is killed', (mutant) => {
    expect(isKilled(mutant)).toBe(true);
  });
});
